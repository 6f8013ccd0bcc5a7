package ogc

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
)

// geometry is the one spatial property: the box of the data.
const geometry = "geometry"

func noBox(l *line) bool { return l.Box == nil }

// intersects reads S_INTERSECTS of the geometry and a BBOX or POINT, in either order.
func (p *cql) intersects() (truth, error) {
	if err := p.want("("); err != nil {
		return truth{}, err
	}
	first := p.takesGeometry()
	if first {
		if err := p.want(","); err != nil {
			return truth{}, err
		}
	}
	box, err := p.spatial()
	if err == nil && !first {
		if err = p.want(","); err == nil && !p.takesGeometry() {
			err = p.wrong(geometry)
		}
	}
	if err == nil {
		err = p.want(")")
	}
	return asked(func(l *line) bool { return l.Box.Intersects(box) }, noBox), err
}

func (p *cql) takesGeometry() bool {
	t := p.peek()
	if t.quoted || t.text != geometry {
		return false
	}
	p.next()
	return true
}

// spatial reads BBOX(w,s,e,n), or POINT(x y) as a box without extent; heights are passed over.
func (p *cql) spatial() (box catalog.Box, err error) {
	start, separator := p.peek(), ","
	switch {
	case p.takes("BBOX"):
	case p.takes("POINT"):
		separator = ""
		p.takes("Z")
	default:
		return box, p.wrong("geometry, BBOX or POINT")
	}
	if err := p.want("("); err != nil {
		return box, err
	}
	var parts []string
	for !p.peek().is(")") && len(p.in) > 0 {
		parts = append(parts, p.next().text)
		if separator != "" && !p.takes(separator) {
			break
		}
	}
	if err := p.want(")"); err != nil {
		return box, err
	}
	if separator == "" && (len(parts) == 2 || len(parts) == 3) {
		parts = []string{parts[0], parts[1], parts[0], parts[1]}
	} else if separator == "" {
		parts = nil
	}
	box, ok := parseBox(parts)
	if !ok {
		err = refused("filter", "filter: "+start.place()+" is no BBOX(west,south,east,north) or POINT(east north) in degrees.")
	}
	return box, err
}

// predicate reads a condition on one property.
func (p *cql) predicate() (truth, error) {
	if len(p.in) == 0 {
		return truth{}, p.wrong("a property")
	}
	name := p.next()
	if name.text == geometry && !name.quoted {
		return p.null(noBox)
	}
	x, ok := p.properties[name.text]
	if !ok || name.quoted {
		return truth{}, refused("filter", "filter: there is no property "+name.place()+"; the queryables list them.")
	}
	if p.peek().is("IS") {
		return p.null(x.empty)
	}
	if p.takes("NOT") {
		c, err := p.among(&x)
		return c.not(), err
	}
	switch t := p.peek(); {
	case t.is("LIKE"), t.is("IN"), t.is("BETWEEN"):
		return p.among(&x)
	case t.quoted || t.named || !slices.Contains([]string{"=", "<>", "<", "<=", ">", ">="}, t.text):
		return truth{}, p.wrong("a comparison")
	}
	sign := p.next().text
	v, err := p.literal()
	if err != nil {
		return truth{}, err
	}
	if sign == "<>" {
		c, err := x.compare("=", v)
		return c.not(), err
	}
	return x.compare(sign, v)
}

// null reads IS NULL and IS NOT NULL.
func (p *cql) null(empty func(*line) bool) (truth, error) {
	if err := p.want("IS"); err != nil {
		return truth{}, err
	}
	negated, c := p.takes("NOT"), known(query.Fits(empty))
	if negated {
		c = c.not()
	}
	return c, p.want("NULL")
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
func (p *cql) among(x *property) (truth, error) {
	switch {
	case p.takes("LIKE"):
		v, err := p.literal()
		if err != nil {
			return truth{}, err
		}
		return x.like(v)
	case p.takes("BETWEEN"):
		from, err := p.literal()
		if err == nil {
			err = p.want("AND")
		}
		if err != nil {
			return truth{}, err
		}
		to, err := p.literal()
		if err != nil {
			return truth{}, err
		}
		least, err := x.compare(">=", from)
		if err != nil {
			return least, err
		}
		most, err := x.compare("<=", to)
		return allOf([]truth{least, most}), err
	case p.takes("IN"):
		return p.list(x)
	}
	return truth{}, p.wrong("LIKE, IN or BETWEEN")
}

func (p *cql) list(x *property) (truth, error) {
	if err := p.want("("); err != nil {
		return truth{}, err
	}
	var list []truth
	for {
		v, err := p.literal()
		if err != nil {
			return truth{}, err
		}
		c, err := x.compare("=", v)
		if err != nil {
			return c, err
		}
		list = append(list, c)
		if !p.takes(",") {
			return anyOf(list), p.want(")")
		}
	}
}

// literal reads a text or an instant; no property is a number.
func (p *cql) literal() (string, error) {
	instant := p.takes("DATE") || p.takes("TIMESTAMP")
	if instant {
		if err := p.want("("); err != nil {
			return "", err
		}
	}
	if !p.peek().quoted {
		return "", p.wrong("a text in single quotes")
	}
	text := p.next().text
	if instant {
		return text, p.want(")")
	}
	return text, nil
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
func (x *property) compare(sign, value string) (truth, error) {
	switch {
	case x.words:
		if sign != "=" {
			return truth{}, refused("filter", "filter: words are asked for by = or LIKE.")
		}
		return known(query.Says(value)), nil
	case x.time != nil:
		first, ok1 := instant(value, false)
		last, ok2 := instant(value, true)
		if !ok1 || !ok2 || value == ".." || value == "" {
			return truth{}, refused("filter", "filter: "+web.Shorten(value)+" is no day or instant.")
		}
		return asked(func(l *line) bool {
			t := x.time(l)
			if t >= first && t <= last {
				t = first
			}
			return holds(sign, cmp.Compare(t, first))
		}, x.empty), nil
	}
	return asked(func(l *line) bool {
		return slices.ContainsFunc(x.texts(l), func(s string) bool { return holds(sign, strings.Compare(s, value)) })
	}, x.empty), nil
}

// like is a pattern with % for any text and _ for a character, a backslash before what
// stands for itself. Small and capital letters are the same: who searches a catalogue means
// both, and few clients write CASEI.
func (x *property) like(pattern string) (truth, error) {
	switch {
	case x.words:
		return known(query.Says(strings.NewReplacer("%", " ", "_", " ").Replace(pattern))), nil
	case x.time != nil:
		return truth{}, refused("filter", "filter: LIKE is for texts.")
	}
	folded := []rune(strings.ToLower(pattern))
	return asked(func(l *line) bool {
		return slices.ContainsFunc(x.texts(l), func(s string) bool { return matches(folded, []rune(strings.ToLower(s))) })
	}, x.empty), nil
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
