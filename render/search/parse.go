package search

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of a query.
const (
	// QueryMax is the longest query, in bytes.
	QueryMax = 1000
	// TermsMax is how many words and phrases of a query are looked for, the first
	// ones: who pastes a long title finds it by them.
	TermsMax = 32
	// FiltersMax bounds its field conditions.
	FiltersMax = 20
)

// Query is a query that was read.
type Query struct {
	Terms []Term
	// Filters are the conditions name:value in their order.
	Filters []Filter
	// Title is the hash of the title that the whole text may be, with what looks like
	// signs of the query in it (TitleHash).
	Title uint64
}

// Term is one word or phrase that is asked for.
type Term struct {
	// Text is what stands in the query.
	Text string
	// Words are its terms; more than one are a phrase.
	Words []string
	// Prefix asks for the beginning of a word (word*), Title for words of the
	// title (title:word), Not for entries without it (-word).
	Prefix, Title, Not bool
	// Quoted words mean themselves: no inflection, no other spelling.
	Quoted bool
}

// Filter is a condition name:value; several values are separated by commas.
type Filter struct {
	Name   string
	Values []string
}

// QueryError says what is wrong with a query and how to mend it.
type QueryError struct{ Remedy string }

// Error implements error.
func (e *QueryError) Error() string { return e.Remedy }

// Parse reads a query. isFilter tells which names before a colon are
// conditions; other colons part words, as all signs do. Errors are *QueryError.
func Parse(query string, isFilter func(name string) bool) (*Query, error) {
	if len(query) > QueryMax {
		return nil, &QueryError{fmt.Sprintf("use at most %d bytes, not %d", QueryMax, len(query))}
	}
	if !utf8.ValidString(query) {
		return nil, &QueryError{"use UTF-8"}
	}
	p := &queryParser{rest: query, isFilter: isFilter}
	for p.space(); p.rest != ""; p.space() {
		p.item()
	}
	if len(p.out.Filters) > FiltersMax {
		return nil, &QueryError{fmt.Sprintf("use at most %d conditions of the form name:value", FiltersMax)}
	}
	p.out.Terms = p.out.Terms[:min(len(p.out.Terms), TermsMax)]
	p.out.Title = TitleHash(Key(query, ""))
	return &p.out, nil
}

type queryParser struct {
	rest     string
	isFilter func(string) bool
	out      Query
}

func (p *queryParser) space() {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n\u00a0\u3000")
}

// item reads one word, phrase or condition.
func (p *queryParser) item() {
	not := p.not()
	if not {
		p.rest = p.rest[1:]
	}
	if text, ok := p.quoted(); ok {
		p.term(text, Term{Quoted: true, Not: not})
		return
	}
	chunk := p.chunk()
	name, _, found := strings.Cut(chunk, ":")
	name = strings.ToLower(name)
	title := found && name == "title"
	if title || found && !not && p.isFilter(name) {
		p.rest = p.rest[len(name)+1:]
		value, quoted := p.quoted()
		if !quoted {
			value = p.chunk()
			p.rest = p.rest[len(value):]
		}
		switch {
		case title:
			p.term(value, Term{Quoted: quoted, Title: true, Not: not})
		case value != "":
			p.filter(name, value, quoted)
		}
		return
	}
	p.rest = p.rest[len(chunk):]
	p.term(chunk, Term{Not: not})
}

// not tells whether a dash before a word excludes it. A dash on both sides sets
// a word off, as some titles do.
func (p *queryParser) not() bool {
	word, found := strings.CutPrefix(p.chunk(), "-")
	if !found {
		return false
	}
	if word == "" {
		return strings.HasPrefix(p.rest, `-"`)
	}
	return word[0] != '-' && !strings.HasSuffix(word, "-")
}

// chunk is what stands before the next white space or quote.
func (p *queryParser) chunk() string {
	if end := strings.IndexAny(p.rest, " \t\r\n\"\u00a0\u3000"); end >= 0 {
		return p.rest[:end]
	}
	return p.rest
}

// quoted takes a quoted text; a quote without a second one is a sign like any
// other.
func (p *queryParser) quoted() (string, bool) {
	if !strings.HasPrefix(p.rest, `"`) {
		return "", false
	}
	text, after, found := strings.Cut(p.rest[1:], `"`)
	if !found {
		p.rest = p.rest[1:]
		return "", false
	}
	p.rest = after
	return text, true
}

func (p *queryParser) filter(name, value string, quoted bool) {
	values := []string{value}
	if !quoted {
		values = slices.DeleteFunc(strings.Split(value, ","), func(v string) bool { return v == "" })
	}
	if len(values) > 0 {
		p.out.Filters = append(p.out.Filters, Filter{name, values})
	}
}

// term appends the words of a text: one term for a phrase and for a run of
// Chinese or Japanese characters, else one for each word.
func (p *queryParser) term(text string, like Term) {
	var words []Word
	Words(text, "", func(w Word) { words = append(words, w) })
	if len(words) == 0 {
		return
	}
	like.Prefix = !like.Quoted && strings.HasSuffix(text, "*")
	if like.Quoted {
		like.Text = text
		for _, w := range words {
			like.Words = append(like.Words, w.Term)
		}
		p.out.Terms = append(p.out.Terms, like)
		return
	}
	for i := 0; i < len(words); {
		n := 1
		for i+n < len(words) && words[i+n].Start < words[i+n-1].End {
			n++
		}
		t := like
		t.Text, t.Words = text[words[i].Start:words[i+n-1].End], nil
		for _, w := range words[i : i+n] {
			t.Words = append(t.Words, w.Term)
		}
		t.Prefix = like.Prefix && i+n == len(words)
		p.out.Terms = append(p.out.Terms, t)
		i += n
	}
}

// String is the query in its normal form: what has the same form has the same
// answer.
func (q *Query) String() string {
	var out strings.Builder
	for i := range q.Terms {
		t := &q.Terms[i]
		for _, mark := range []struct {
			on   bool
			text string
		}{{i > 0, " "}, {t.Not, "-"}, {t.Title, "title:"}, {t.Quoted, `"`}} {
			if mark.on {
				out.WriteString(mark.text)
			}
		}
		out.WriteString(strings.Join(t.Words, " "))
		switch {
		case t.Quoted:
			out.WriteByte('"')
		case t.Prefix:
			out.WriteByte('*')
		}
	}
	return out.String()
}
