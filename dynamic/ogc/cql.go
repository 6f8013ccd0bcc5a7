package ogc

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
)

// Bounds of a filter: its bytes, and how deep it nests.
const (
	filterMax = 4 << 10
	depthMax  = 32
)

// cql reads CQL2 Text (OGC 21-065r2, annex B) by recursive descent. No library of the list
// reads it, and its grammar is that of SQL's conditions.
type cql struct {
	in         []token
	depth      int
	properties map[string]property
}

// token is a word or sign, a text in quotes, or the end.
type token struct {
	text   string
	quoted bool // 'text'
	named  bool // "name"
	at     int  // the character that it begins with, from 1
}

func (t token) is(word string) bool { return !t.quoted && !t.named && strings.EqualFold(t.text, word) }

// parseCQL reads a filter on some properties.
func parseCQL(text string, of map[string]property) (query.Condition, error) {
	if len(text) > filterMax {
		return query.Condition{}, refused("filter", "filter has at most 4 KiB.")
	}
	tokens, err := tokens(text)
	if err != nil {
		return query.Condition{}, err
	}
	p := &cql{in: tokens, properties: of}
	c, err := p.either()
	if err == nil && len(p.in) > 0 {
		err = p.wrong("the end")
	}
	return c.holds, err
}

func tokens(text string) (out []token, err error) {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	whole := text
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		n, at := 1, utf8.RuneCountInString(whole[:len(whole)-len(text)])+1
		switch c := text[0]; {
		case c == '\'' || c == '"':
			var t token
			if t, n, err = quoted(text); err != nil {
				return nil, err
			}
			t.at = at
			out, text = append(out, t), text[n:]
			continue
		case strings.HasPrefix(text, "<>") || strings.HasPrefix(text, "<=") || strings.HasPrefix(text, ">="):
			n = 2
		case strings.IndexByte("=<>(),", c) >= 0:
		default:
			n = strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("=<>(),'\"", r) })
			if n < 0 {
				n = len(text)
			}
		}
		out, text = append(out, token{text: text[:n], at: at}), text[n:]
	}
	return out, nil
}

// quoted reads a text in single quotes or a name in double ones; two in a row are one.
func quoted(text string) (token, int, error) {
	quote := text[0]
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == quote && i+1 < len(text) && text[i+1] == quote:
			i++
			b.WriteByte(quote)
		case text[i] == quote:
			return token{text: b.String(), quoted: quote == '\'', named: quote == '"'}, i + 1, nil
		default:
			b.WriteByte(text[i])
		}
	}
	return token{}, 0, refused("filter", "filter: a quote is not closed.")
}

func (p *cql) peek() token {
	if len(p.in) == 0 {
		return token{}
	}
	return p.in[0]
}

func (p *cql) next() token {
	t := p.peek()
	if len(p.in) > 0 {
		p.in = p.in[1:]
	}
	return t
}

// takes takes the next token if it is one of a word or sign.
func (p *cql) takes(word string) bool {
	if !p.peek().is(word) {
		return false
	}
	p.next()
	return true
}

func (p *cql) want(word string) error {
	if !p.takes(word) {
		return p.wrong(word)
	}
	return nil
}

// wrong names what stands in the place of what is wanted.
func (p *cql) wrong(wanted string) error {
	before := "the end"
	if len(p.in) > 0 {
		before = p.in[0].place()
	}
	return refused("filter", "filter: "+wanted+" is wanted before "+before+".")
}

func (t token) place() string { return web.Shorten(t.text) + " (character " + strconv.Itoa(t.at) + ")" }

func (p *cql) either() (truth, error) {
	return p.joined("OR", (*cql).every, anyOf)
}

func (p *cql) every() (truth, error) {
	return p.joined("AND", (*cql).not, allOf)
}

func (p *cql) joined(word string, part func(*cql) (truth, error), join func([]truth) truth) (truth, error) {
	first, err := part(p)
	list := []truth{first}
	for err == nil && p.takes(word) {
		var c truth
		c, err = part(p)
		list = append(list, c)
	}
	return join(list), err
}

func (p *cql) not() (truth, error) {
	if p.depth++; p.depth > depthMax {
		return truth{}, refused("filter", "filter nests too deep.")
	}
	defer func() { p.depth-- }()
	switch {
	case p.takes("NOT"):
		c, err := p.not()
		return c.not(), err
	case p.takes("("):
		c, err := p.either()
		if err == nil {
			err = p.want(")")
		}
		return c, err
	case p.takes("TRUE"):
		return known(query.Condition{}), nil
	case p.takes("FALSE"):
		return known(query.Condition{}).not(), nil
	case p.takes("S_INTERSECTS"):
		return p.intersects()
	}
	return p.predicate()
}
