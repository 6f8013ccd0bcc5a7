package ogc

import (
	"strings"
	"unicode"

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
	in    []token
	depth int
}

// token is a word or sign, a text in quotes, or the end.
type token struct {
	text   string
	quoted bool // 'text'
	named  bool // "name"
}

func (t token) is(word string) bool { return !t.quoted && !t.named && strings.EqualFold(t.text, word) }

func parseCQL(text string) (query.Condition, error) {
	if len(text) > filterMax {
		return query.Condition{}, refused("filter", "filter has at most 4 KiB.")
	}
	tokens, err := tokens(text)
	if err != nil {
		return query.Condition{}, err
	}
	p := &cql{in: tokens}
	c, err := p.either()
	if err == nil && len(p.in) > 0 {
		err = p.wrong("the end")
	}
	return c, err
}

func tokens(text string) (out []token, err error) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		n := 1
		switch c := text[0]; {
		case c == '\'' || c == '"':
			var t token
			if t, n, err = quoted(text); err != nil {
				return nil, err
			}
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
		out, text = append(out, token{text: text[:n]}), text[n:]
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
			return token{b.String(), quote == '\'', quote == '"'}, i + 1, nil
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

func (p *cql) wrong(wanted string) error {
	found := p.peek().text
	if len(p.in) == 0 {
		found = "the end"
	}
	return refused("filter", "filter: "+wanted+" is wanted before "+web.Shorten(found)+".")
}

func (p *cql) either() (query.Condition, error) {
	return p.joined("OR", (*cql).every, query.Either)
}

func (p *cql) every() (query.Condition, error) {
	return p.joined("AND", (*cql).not, query.Every)
}

func (p *cql) joined(word string, part func(*cql) (query.Condition, error), join func(...query.Condition) query.Condition) (query.Condition, error) {
	first, err := part(p)
	list := []query.Condition{first}
	for err == nil && p.takes(word) {
		var c query.Condition
		c, err = part(p)
		list = append(list, c)
	}
	if len(list) == 1 {
		return first, err
	}
	return join(list...), err
}

func (p *cql) not() (query.Condition, error) {
	if p.depth++; p.depth > depthMax {
		return query.Condition{}, refused("filter", "filter nests too deep.")
	}
	defer func() { p.depth-- }()
	switch {
	case p.takes("NOT"):
		c, err := p.not()
		return query.Not(c), err
	case p.takes("("):
		c, err := p.either()
		if err == nil {
			err = p.want(")")
		}
		return c, err
	case p.takes("TRUE"):
		return query.Condition{}, nil
	case p.takes("FALSE"):
		return query.Not(query.Condition{}), nil
	case p.takes("S_INTERSECTS"):
		return p.intersects()
	}
	return p.predicate()
}
