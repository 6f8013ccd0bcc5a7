package ckan

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
)

// The part of Solr's language that clients of CKAN send (Solr Reference Guide, "Standard
// Query Parser"): field:value, field:(a OR b), quotes, ranges, * and ?, AND, OR, NOT, &&, ||,
// +, -, !, parentheses and boosts, which are passed over. Between two conditions without a
// word AND is meant, as CKAN sets it. A parser of its own, as the conditions are functions on
// lines of the register; libraries build queries of their engines.

// Bounds of a query.
const (
	depthMax = 20
	termsMax = 500
)

// connectives stand between conditions, and are none.
var connectives = []string{"AND", "OR", "NOT", "&&", "||"}

// value is what a field is compared with: a text with wildcards, or a range.
type value struct {
	text             string
	pattern, quoted  bool
	ranged           bool
	from, to         string
	openFrom, openTo bool
}

func (v *value) any() bool {
	return v.ranged && v.from == "*" && v.to == "*" || !v.quoted && v.text == "*"
}

// fits tells whether a text is the value; case does not matter where people write codes.
func (v *value) fits(have string) bool {
	switch {
	case v.any():
		return true
	case v.ranged:
		return (v.from == "*" || have > v.from || have == v.from && !v.openFrom) && (v.to == "*" || have < v.to || have == v.to && !v.openTo)
	case v.pattern:
		return match(strings.ToLower(v.text), strings.ToLower(have))
	}
	return strings.EqualFold(v.text, have)
}

// match compares with * for any text and ? for any letter.
func match(pattern, s string) bool {
	p, t := []rune(pattern), []rune(s)
	i, j, star, mark := 0, 0, -1, 0
	for j < len(t) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == t[j]):
			i, j = i+1, j+1
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// parser reads a query.
type parser struct {
	c     *call
	in    string
	at    int
	depth int
	terms int
}

// parse makes a condition of a query.
func (c *call) parse(text string) (query.Condition, error) {
	p := &parser{c: c, in: text}
	x, err := p.either("")
	if err != nil {
		return everything, err
	}
	if p.space(); p.at < len(p.in) {
		return everything, p.wrong()
	}
	return x, nil
}

// wrong tells where the query cannot be read on: by the number of the character, from 1, and what stands there.
func (p *parser) wrong() error {
	place := "its end, where a condition is missing"
	if rest := strings.TrimSpace(p.in[p.at:]); rest != "" {
		at := len(p.in) - len(strings.TrimLeft(p.in[p.at:], " \t\r\n"))
		place = fmt.Sprintf("character %d: %q", utf8.RuneCountInString(p.in[:at])+1, web.Shorten(rest))
	}
	return unsearchable("Cannot parse '" + p.in + "' at " + place)
}

func (p *parser) space() {
	for p.at < len(p.in) && strings.IndexByte(" \t\r\n", p.in[p.at]) >= 0 {
		p.at++
	}
}

// word takes a word of the language if it comes next.
func (p *parser) word(words ...string) bool {
	p.space()
	for _, w := range words {
		rest, ok := strings.CutPrefix(p.in[p.at:], w)
		if ok && (w == "&&" || w == "||" || rest == "" || strings.IndexByte(" ()\"\t\r\n", rest[0]) >= 0) {
			p.at += len(w)
			return true
		}
	}
	return false
}

func (p *parser) byte() byte {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return 0
}

// either reads alternatives of conditions on a field, "" for any.
func (p *parser) either(field string) (query.Condition, error) {
	if p.depth++; p.depth > depthMax {
		return everything, unsearchable("the query is nested too deeply")
	}
	defer func() { p.depth-- }()
	var list []query.Condition
	for {
		x, err := p.every(field)
		if err != nil {
			return everything, err
		}
		list = append(list, x)
		if !p.word("OR", "||") {
			break
		}
	}
	if len(list) == 1 {
		return list[0], nil
	}
	return query.Either(list...), nil
}

// every reads conditions that must all be fit.
func (p *parser) every(field string) (query.Condition, error) {
	var list []query.Condition
	for {
		x, err := p.one(field)
		if err != nil {
			return everything, err
		}
		list = append(list, x)
		more := p.word("AND", "&&")
		p.space()
		if end := p.byte(); end == 0 || end == ')' {
			if more {
				return everything, p.wrong()
			}
			break
		}
		before := p.at
		if p.word("OR", "||") {
			p.at = before
			if more {
				return everything, p.wrong()
			}
			break
		}
	}
	return query.Every(list...), nil
}

// one reads a condition with its sign.
func (p *parser) one(field string) (query.Condition, error) {
	not := false
	for {
		p.space()
		switch b := p.byte(); {
		case b == '+':
			p.at++
			continue
		case b == '-' || b == '!':
			p.at++
			not = !not
			continue
		case p.word("NOT"):
			not = !not
			continue
		}
		break
	}
	x, err := p.plain(field)
	if err == nil && not {
		x = query.Not(x)
	}
	return x, err
}

// plain reads a group, or a field with a value.
func (p *parser) plain(field string) (query.Condition, error) {
	if p.terms++; p.terms > termsMax {
		return everything, unsearchable("the query has too many terms")
	}
	if p.byte() == '(' {
		p.at++
		x, err := p.either(field)
		if err != nil {
			return x, err
		}
		if p.space(); p.byte() != ')' {
			return everything, p.wrong()
		}
		p.at++
		p.boost()
		return x, nil
	}
	v, err := p.value()
	if err != nil {
		return everything, err
	}
	if p.byte() == ':' && !v.quoted && !v.ranged && field == "" {
		p.at++
		if p.space(); p.byte() == '(' {
			return p.plain(v.text)
		}
		name := v.text
		if v, err = p.value(); err != nil {
			return everything, err
		}
		field = name
	}
	p.boost()
	if field == "" {
		field = "text"
	}
	return p.c.condition(field, v)
}

// boost passes over what only a rank is made of.
func (p *parser) boost() {
	for p.byte() == '^' || p.byte() == '~' {
		for p.at++; p.at < len(p.in) && strings.IndexByte("0123456789.", p.in[p.at]) >= 0; p.at++ {
		}
	}
}

// value reads a text, a phrase or a range.
func (p *parser) value() (*value, error) {
	p.space()
	switch p.byte() {
	case '"':
		return p.phrase()
	case '[', '{':
		return p.span()
	}
	v, from := &value{}, p.at
	var text strings.Builder
	for ; p.at < len(p.in); p.at++ {
		b := p.in[p.at]
		if b == '\\' && p.at+1 < len(p.in) {
			p.at++
			text.WriteByte(p.in[p.at])
			continue
		}
		if strings.IndexByte(" \t\r\n()\"^~[]{}", b) >= 0 || b == ':' && !strings.HasPrefix(p.in[p.at:], "://") {
			break
		}
		v.pattern = v.pattern || b == '*' || b == '?'
		text.WriteByte(b)
	}
	if v.text = text.String(); v.text == "" || slices.Contains(connectives, p.in[from:p.at]) {
		p.at = from
		return nil, p.wrong()
	}
	return v, nil
}

func (p *parser) phrase() (*value, error) {
	v := &value{quoted: true}
	var text strings.Builder
	for p.at++; p.at < len(p.in); p.at++ {
		switch b := p.in[p.at]; {
		case b == '\\' && p.at+1 < len(p.in):
			p.at++
			text.WriteByte(p.in[p.at])
		case b == '"':
			p.at++
			v.text = text.String()
			return v, nil
		default:
			text.WriteByte(b)
		}
	}
	return nil, unsearchable("Cannot parse '" + p.in + "': a quote is not closed")
}

// span reads a range: [from TO to], with braces where the end itself is left out.
func (p *parser) span() (*value, error) {
	v := &value{ranged: true, openFrom: p.byte() == '{'}
	end := strings.IndexAny(p.in[p.at:], "]}")
	if end < 0 {
		return nil, p.wrong()
	}
	from, to, ok := strings.Cut(p.in[p.at+1:p.at+end], " TO ")
	if v.from, v.to = strings.Trim(strings.TrimSpace(from), `"`), strings.Trim(strings.TrimSpace(to), `"`); !ok || v.from == "" || v.to == "" {
		return nil, p.wrong()
	}
	p.at += end
	v.openTo = p.byte() == '}'
	p.at++
	return v, nil
}
