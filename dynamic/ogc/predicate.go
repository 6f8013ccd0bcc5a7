package ogc

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
)

// intersects reads S_INTERSECTS(geometry, BBOX(w,s,e,n)).
func (p *cql) intersects() (query.Condition, error) {
	for _, word := range []string{"(", "geometry", ",", "BBOX", "("} {
		if err := p.want(word); err != nil {
			return query.Condition{}, err
		}
	}
	var parts []string
	for !p.peek().is(")") && len(p.in) > 0 {
		parts = append(parts, p.next().text)
		if !p.takes(",") {
			break
		}
	}
	for range 2 {
		if err := p.want(")"); err != nil {
			return query.Condition{}, err
		}
	}
	return ofBox(strings.Join(parts, ","))
}

// predicate reads a condition on one property.
func (p *cql) predicate() (query.Condition, error) {
	name := p.next()
	x, ok := properties[name.text]
	if name.text == "" {
		return query.Condition{}, refused("filter", "filter: a property is wanted before the end.")
	}
	if !ok || name.quoted {
		return query.Condition{}, refused("filter", "filter: there is no property "+web.Shorten(name.text)+"; the queryables list them.")
	}
	if p.takes("IS") {
		negated := p.takes("NOT")
		c := query.Fits(x.empty)
		if negated {
			c = query.Not(c)
		}
		return c, p.want("NULL")
	}
	if p.takes("NOT") {
		c, err := p.among(&x)
		return query.Not(c), err
	}
	switch t := p.peek(); {
	case t.is("LIKE"), t.is("IN"), t.is("BETWEEN"):
		return p.among(&x)
	case t.quoted || t.named || !slices.Contains([]string{"=", "<>", "<", "<=", ">", ">="}, t.text):
		return query.Condition{}, p.wrong("a comparison")
	}
	sign := p.next().text
	v, err := p.literal()
	if err != nil {
		return query.Condition{}, err
	}
	if sign == "<>" {
		c, err := x.compare("=", v)
		return query.Every(query.Not(query.Fits(x.empty)), query.Not(c)), err
	}
	return x.compare(sign, v)
}

// empty tells that an entry has no value of a property; all have words.
func (x *property) empty(l *line) bool {
	switch {
	case x.time != nil:
		return x.time(l) == 0
	case x.words:
		return false
	}
	return len(x.texts(l)) == 0
}

// among reads LIKE, IN and BETWEEN.
func (p *cql) among(x *property) (query.Condition, error) {
	switch {
	case p.takes("LIKE"):
		v, err := p.literal()
		if err != nil {
			return query.Condition{}, err
		}
		return x.like(v)
	case p.takes("BETWEEN"):
		from, err := p.literal()
		if err == nil {
			err = p.want("AND")
		}
		if err != nil {
			return query.Condition{}, err
		}
		to, err := p.literal()
		if err != nil {
			return query.Condition{}, err
		}
		least, err := x.compare(">=", from)
		if err != nil {
			return least, err
		}
		most, err := x.compare("<=", to)
		return query.Every(least, most), err
	case p.takes("IN"):
		return p.list(x)
	}
	return query.Condition{}, p.wrong("LIKE, IN or BETWEEN")
}

func (p *cql) list(x *property) (query.Condition, error) {
	if err := p.want("("); err != nil {
		return query.Condition{}, err
	}
	var list []query.Condition
	for {
		v, err := p.literal()
		if err != nil {
			return query.Condition{}, err
		}
		c, err := x.compare("=", v)
		if err != nil {
			return c, err
		}
		list = append(list, c)
		if !p.takes(",") {
			return query.Either(list...), p.want(")")
		}
	}
}

// literal reads a text, a number or an instant.
func (p *cql) literal() (string, error) {
	if p.takes("DATE") || p.takes("TIMESTAMP") {
		if err := p.want("("); err != nil {
			return "", err
		}
		v := p.next()
		if !v.quoted {
			return "", p.wrong("a text in quotes")
		}
		return v.text, p.want(")")
	}
	v := p.next()
	if v.named || v.text == "" && !v.quoted || !v.quoted && strings.Contains("=<>(),", v.text) {
		return "", p.wrong("a value")
	}
	return v.text, nil
}

func holds(sign string, order int) bool {
	switch sign {
	case "=":
		return order == 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// compare is a condition on a property; a day stands for all of its seconds.
func (x *property) compare(sign, value string) (query.Condition, error) {
	switch {
	case x.words:
		if sign != "=" {
			return query.Condition{}, refused("filter", "filter: words are asked for by = or LIKE.")
		}
		return query.Says(value), nil
	case x.time != nil:
		first, ok1 := instant(value, false)
		last, ok2 := instant(value, true)
		if !ok1 || !ok2 || value == ".." || value == "" {
			return query.Condition{}, refused("filter", "filter: "+web.Shorten(value)+" is no day or instant.")
		}
		return query.Fits(func(l *line) bool {
			t := x.time(l)
			if t == 0 {
				return false
			}
			if t >= first && t <= last {
				t = first
			}
			return holds(sign, cmp.Compare(t, first))
		}), nil
	}
	return query.Fits(func(l *line) bool {
		return slices.ContainsFunc(x.texts(l), func(s string) bool { return holds(sign, strings.Compare(s, value)) })
	}), nil
}

// like is a pattern with % for any text and _ for a character, a backslash before what
// stands for itself. Small and capital letters are the same: who searches a catalogue means
// both, and few clients write CASEI.
func (x *property) like(pattern string) (query.Condition, error) {
	switch {
	case x.words:
		return query.Says(strings.NewReplacer("%", " ", "_", " ").Replace(pattern)), nil
	case x.time != nil:
		return query.Condition{}, refused("filter", "filter: LIKE is for texts.")
	}
	folded := []rune(strings.ToLower(pattern))
	return query.Fits(func(l *line) bool {
		return slices.ContainsFunc(x.texts(l), func(s string) bool { return matches(folded, []rune(strings.ToLower(s))) })
	}), nil
}

// matches compares in time that grows with the product of both lengths.
func matches(pattern, s []rune) bool {
	i, k, star, mark := 0, 0, -1, 0
	for k < len(s) {
		switch {
		case i < len(pattern) && pattern[i] == '%':
			star, mark = i, k
			i++
		case i+1 < len(pattern) && pattern[i] == '\\' && pattern[i+1] == s[k]:
			i, k = i+2, k+1
		case i < len(pattern) && pattern[i] != '\\' && (pattern[i] == '_' || pattern[i] == s[k]):
			i, k = i+1, k+1
		case star >= 0:
			mark++
			i, k = star+1, mark
		default:
			return false
		}
	}
	for i < len(pattern) && pattern[i] == '%' {
		i++
	}
	return i == len(pattern)
}
