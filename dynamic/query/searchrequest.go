package query

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Search is a search request that was found valid.
type Search struct {
	// Request holds the filters and the page.
	Request
	// Text is the query as it was written.
	Text  string
	query *search.Query
	// own are the conditions that stand in the query.
	own snapshot.Query
}

// String is the normal form: requests with the same answer are equal. The text
// itself is part of the answer.
func (s *Search) String() string { return s.Request.String() + "&q=" + url.QueryEscape(s.Text) }

// conditions are the names that a query may put before a colon, and the
// filters that they mean.
var conditions = func() map[string]string {
	m := map[string]string{"country": "country_code", "tag": "tags", "state": "verification_state", "language": "lang",
		"institution": "institution_type", "auth": "auth_type", "tier": "mqa_tier", "access": "free_access_class", "formats": "format"}
	for _, d := range snapshot.Dimensions() {
		m[d.Name] = d.Name
	}
	m["series"], m["collapse"] = "series", "collapse"
	return m
}()

// ParseSearch reads the parameters of a search. All errors come together.
func ParseSearch(values url.Values) (*Search, error) {
	p := &parser{values: values, out: &Request{Page: wire.DefaultPage, Limit: wire.DefaultLimit}}
	params := wire.SearchParams()
	for i := range params {
		if params[i].Name != "q" {
			p.param(&params[i])
		}
	}
	p.unknown(params)
	if values.Has("country") && values.Has("country_code") {
		p.wrong("country", values.Get("country"), "another name of country_code; give one of them")
	}
	out := &Search{Text: p.query(search.QueryMax)}
	if p.out.Page > wire.SearchDepth/p.out.Limit {
		p.wrong("page", values.Get("page"), fmt.Sprintf("the first %d results can be paged through; narrow the query by words or filters", wire.SearchDepth))
	}
	if len(p.errors) == 0 {
		out.read(p)
	}
	if len(p.errors) > 0 {
		return nil, &paramsError{p.errors}
	}
	p.sort("")
	p.out.normal = strings.Join(p.pairs, "")
	out.Request = *p.out
	return out, nil
}

// query reads the parameter q.
func (p *parser) query(most int) string {
	list := p.values["q"]
	switch {
	case len(list) > 1:
		p.wrong("q", list[1], "given more than once")
	case len(list) == 0 || strings.TrimSpace(list[0]) == "":
		p.wrong("q", "", "say what to look for")
	case len(list[0]) > most:
		p.wrong("q", list[0], fmt.Sprintf("use at most %d bytes, not %d", most, len(list[0])))
	default:
		return list[0]
	}
	return ""
}

// read parses the query and its conditions, which are judged like parameters.
func (s *Search) read(p *parser) {
	q, err := search.Parse(s.Text, func(name string) bool { return conditions[name] != "" })
	if err != nil {
		p.wrong("q", s.Text, err.Error())
		return
	}
	s.query = q
	inner := &parser{out: &Request{}, values: url.Values{}}
	for _, f := range q.Filters {
		name := conditions[f.Name]
		values := inner.values.Get(name)
		if values != "" {
			values += ","
		}
		inner.values.Set(name, values+strings.Join(f.Values, ","))
	}
	for _, d := range wire.FilterParams() {
		if inner.values.Has(d.Name) {
			inner.values.Set(d.Name, spelled(&d, inner.values.Get(d.Name)))
			inner.param(&d)
		}
	}
	for _, e := range inner.errors {
		p.wrong("q", e.Value, strings.TrimPrefix(e.Location, "query.")+": "+e.Message)
	}
	s.own = inner.out.Query
}

// spelled turns the words of a vocabulary into their own case, so that
// type:api is type:API.
func spelled(d *wire.Param, values string) string {
	parts := strings.Split(values, ",")
	for i, v := range parts {
		for _, word := range d.Enum {
			if strings.EqualFold(word, strings.ReplaceAll(v, "-", "_")) || strings.EqualFold(word, v) {
				parts[i] = word
			}
		}
	}
	return strings.Join(parts, ",")
}
