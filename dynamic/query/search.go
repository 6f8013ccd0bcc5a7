package query

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query/engine"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// searchRoute is the route of the search.
const searchRoute = "/api/v1/entries/search"

// Search is a search request that was found valid.
type Search struct {
	// Request holds the filters and the page.
	Request
	// Text is the query as it was written.
	Text  string
	query *search.Query
	// own are the conditions that stand in the query.
	own snapshot.Query
	// ownNormal is their normal form.
	ownNormal string
}

// String is the normal form: requests with the same answer are equal. The text
// itself is part of the answer.
func (s *Search) String() string { return s.Request.String() + "&q=" + url.QueryEscape(s.Text) }

// conditions are the names that a query may put before a colon, and the
// filters that they mean.
var conditions = func() map[string]string {
	m := map[string]string{"country": "country_code", "tag": "tags", "state": "verification_state", "language": "lang",
		"institution": "institution_type", "auth": "auth_type", "tier": "mqa_tier", "access": "free_access_class", "formats": "format"}
	for name := range setters {
		m[name] = name
	}
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
	p.sort()
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
	s.own, s.ownNormal = inner.out.Query, strings.Join(inner.pairs, "")
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

// result is one entry that a search found.
type result struct {
	ordinal uint32
	score   float32
}

// found is what a search came to.
type found struct {
	total       int
	best        []result
	facets      wire.SearchFacets
	some        bool
	terms       map[string]bool
	corrections []engine.Correction
}

// SearchPage makes the page of results that a request asks for.
func (s *Snapshot) SearchPage(ctx context.Context, r *Search, now func() time.Time) (*Page, error) {
	began := now()
	f, err := s.find(ctx, r)
	if err != nil {
		return nil, err
	}
	pages := wire.TotalPages(min(f.total, wire.SearchDepth), r.Limit)
	marks := &marker{terms: f.terms, surfaces: map[string]string{}}
	hits, err := s.hits(f.best[min(len(f.best), (r.Page-1)*r.Limit):], marks)
	if err != nil {
		return nil, err
	}
	tail := wire.SearchTail{Facets: f.facets, Match: wire.MatchAll, Snapshot: s.ID, Links: s.searchLinks(r, pages)}
	if f.some {
		tail.Match = wire.MatchSome
	}
	if text := correct(r.Text, f.corrections, marks); text != r.Text {
		tail.DidYouMean = &text
	}
	took := float64(now().Sub(began).Microseconds()) / 1000
	head := wire.SearchHead{Query: r.Text, Total: f.total, Page: r.Page, Limit: r.Limit, TotalPages: pages, TookMS: math.Round(took*100) / 100}
	body, err := wire.EncodeSearch(head, hits, tail, s.AsOf)
	if err != nil {
		return nil, err
	}
	return &Page{body, tail.Links}, nil
}

// correct puts the terms that stood in for misspelt words into a query, as an
// entry writes them.
func correct(text string, corrections []engine.Correction, marks *marker) string {
	for _, c := range corrections {
		text = strings.Replace(text, c.Text, cmp.Or(marks.surfaces[c.Term], c.Term), 1)
	}
	return text
}

func (s *Snapshot) hits(best []result, marks *marker) ([]wire.SearchHit, error) {
	hits := make([]wire.SearchHit, len(best))
	for i, b := range best {
		item, err := s.ReadItem(&s.Lines[b.ordinal])
		if err != nil {
			return nil, err
		}
		hits[i] = wire.SearchHit{Score: math.Round(float64(b.score)*1e4) / 1e4, Item: item}
		if hits[i].Highlights, err = marks.highlights(item); err != nil {
			return nil, fmt.Errorf("entry %s: %w", s.Lines[b.ordinal].ID, err)
		}
	}
	return hits, nil
}

// titleBonus puts entries whose title is the query before all others.
const titleBonus = 2

// find answers a search: how many entries, the best of them up to the end of
// the page, and counts over all.
func (s *Snapshot) find(ctx context.Context, r *Search) (*found, error) {
	if s.engine == nil {
		return nil, errNoIndex
	}
	if len(r.query.Terms) == 0 && len(r.query.Filters) == 0 {
		return &found{facets: newCounter(s.columns()).facets()}, nil
	}
	hits, err := s.engine.Find(ctx, r.query)
	if err != nil {
		return nil, err
	}
	defer hits.Release()
	outer, own := s.filter(s.known(r.Query)), s.filter(s.known(r.own))
	if len(r.own.Statuses) > 0 || len(r.Query.Statuses) > 0 {
		// A condition on the life cycle replaces the default of the other.
		outer.active, own.active = false, false
	}
	words, err := s.words(ctx, r.Words)
	if err != nil {
		return nil, err
	}
	out := &found{some: hits.Some, terms: hits.Terms, corrections: hits.Corrections}
	best, counts := newBest(r.Page*r.Limit), s.columns().counters.Get().(*counter)
	defer func() { counts.reset(); s.columns().counters.Put(counts) }()
	see := func(i uint32, score float32) {
		if own.fits(i) && outer.fits(i) && (words == nil || words(int32(i))) {
			out.total++
			counts.add(i)
			best.add(result{i, score})
		}
	}
	title, seg := titleOf(r.query), s.engine.Segment()
	boost := s.columns().boost
	for k, i := range hits.Documents {
		score := hits.Scores[k] * boost[i]
		if title != 0 && seg.HasTitle(i, title) {
			score += titleBonus
		}
		see(i, score)
	}
	if hits.Everything {
		for i := range s.Lines {
			see(uint32(i), boost[i]-1)
		}
	}
	out.best, out.facets = best.sorted(), counts.facets()
	return out, nil
}

// titleOf is the hash of the title that a query spells out, 0 if it cannot be
// one.
func titleOf(q *search.Query) uint64 {
	var words []string
	for i := range q.Terms {
		t := &q.Terms[i]
		if t.Not || t.Title || t.Prefix {
			return 0
		}
		words = append(words, t.Words...)
	}
	return search.TitleHash(strings.Join(words, " "))
}

func (c *counter) facets() wire.SearchFacets {
	return wire.SearchFacets{Type: c.c.kind.top(c.kind), CountryCode: c.c.country.top(c.country), InstitutionType: c.c.instType.top(c.instType),
		Tags: c.c.tags.top(c.tags), State: c.c.state.top(c.state), Format: c.c.formats.top(c.formats)}
}

// words is the set of the entries in which each word begins one, nil for no
// words.
func (s *Snapshot) words(ctx context.Context, words []string) (func(int32) bool, error) {
	if len(words) == 0 {
		return nil, nil
	}
	if s.engine == nil {
		return nil, errNoIndex
	}
	var terms []string
	for _, w := range words {
		search.Words(w, "", func(w search.Word) { terms = append(terms, w.Term) })
	}
	if len(terms) == 0 {
		return nil, nil
	}
	set, err := s.engine.Begin(ctx, terms)
	return set.Has, err
}

// searchLinks lead to the neighbours of a page of results.
func (s *Snapshot) searchLinks(r *Search, pages int) wire.Links {
	last := max(1, pages)
	at := func(n int) string {
		out := wire.Path(s.Site, searchRoute) + "?q=" + url.QueryEscape(r.Text) + "&page=" + strconv.Itoa(n)
		if r.Limit != wire.DefaultLimit {
			out += "&limit=" + strconv.Itoa(r.Limit)
		}
		return out + r.normal + "&snapshot=" + s.ID
	}
	l := wire.Links{Self: at(r.Page), First: at(1), Last: at(last)}
	if r.Page > 1 {
		prev := at(min(r.Page-1, last))
		l.Prev = &prev
	}
	if r.Page < pages {
		next := at(r.Page + 1)
		l.Next = &next
	}
	return l
}

// best keeps the n best results seen, the worst of them on top of a heap.
type best struct {
	n    int
	heap []result
}

func newBest(n int) *best { return &best{n: n} }

// worse orders results from the last to the first: ties by ordinal, which is
// the order of the ids.
func worse(a, b result) int {
	return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(b.ordinal, a.ordinal))
}

func (b *best) add(r result) {
	if len(b.heap) < b.n {
		b.heap = append(b.heap, r)
		for i := len(b.heap) - 1; i > 0 && worse(b.heap[i], b.heap[(i-1)/2]) < 0; i = (i - 1) / 2 {
			b.heap[i], b.heap[(i-1)/2] = b.heap[(i-1)/2], b.heap[i]
		}
		return
	}
	if worse(r, b.heap[0]) <= 0 {
		return
	}
	b.heap[0] = r
	for i := 0; ; {
		least := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < len(b.heap) && worse(b.heap[child], b.heap[least]) < 0 {
				least = child
			}
		}
		if least == i {
			return
		}
		b.heap[i], b.heap[least] = b.heap[least], b.heap[i]
		i = least
	}
}

func (b *best) sorted() []result {
	slices.SortFunc(b.heap, func(x, y result) int { return worse(y, x) })
	return b.heap
}
