package query

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"net/url"
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

// result is one entry that a search found, in a snapshot or in what changed
// since.
type result struct {
	in      *Snapshot
	ordinal uint32
	score   float32
	// rank is its place in the order that was asked for, the first one highest; 0 for all
	// where that is how well they fit.
	rank float64
}

func (r *result) line() *snapshot.Line { return &r.in.Lines[r.ordinal] }

// found is what a search came to.
type found struct {
	total  int
	best   []result
	facets snapshot.Facets
	some   bool
	// placed tells that a place smaller than a country was asked for.
	placed      bool
	terms       map[string]bool
	corrections []engine.Correction
	// changes is how many changed entries were searched, too.
	changes int
	// less is how many results were left out because they fit much less well.
	less int
}

// SearchPage makes the page of results that a request asks for.
func (s *Snapshot) SearchPage(ctx context.Context, r *Search, now func() time.Time) (*Page, error) {
	began := now()
	f, err := s.find(ctx, r)
	if err != nil {
		return nil, err
	}
	pages := wire.TotalPages(min(f.total, wire.SearchDepth), r.Limit)
	marks := &marker{terms: f.terms, surfaces: map[string]string{}, speller: spellers.Get().(*search.Speller)}
	defer spellers.Put(marks.speller)
	hits, err := hitsOf(f.best[min(len(f.best), (r.Page-1)*r.Limit):], marks)
	if err != nil {
		return nil, err
	}
	tail := wire.SearchTail{Facets: f.facets, Match: wire.MatchAll, LessRelevant: f.less, Changes: f.changes, Snapshot: s.ID, Links: s.searchLinks(r, pages)}
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

func hitsOf(best []result, marks *marker) ([]wire.SearchHit, error) {
	hits := make([]wire.SearchHit, len(best))
	for i := range best {
		b := &best[i]
		item, err := b.in.ReadItem(b.line())
		if err != nil {
			return nil, err
		}
		hits[i] = wire.SearchHit{Score: math.Round(float64(b.score)*1e4) / 1e4, Item: item}
		if hits[i].Highlights, err = marks.highlights(item); err != nil {
			return nil, fmt.Errorf("entry %s: %w", b.line().ID, err)
		}
	}
	return hits, nil
}

// note keeps what the hits tell besides.
func (f *found) note(hits *engine.Hits, strict bool) {
	if f.terms == nil {
		f.terms = map[string]bool{}
	}
	maps.Copy(f.terms, hits.Terms)
	if !strict {
		f.some, f.placed, f.corrections = hits.Some, hits.Placed, hits.Corrections
	}
}

// admissionTo is admission with a condition besides, nil for none.
func (s *Snapshot) admissionTo(ctx context.Context, r *Search, where *Condition) (func(uint32) bool, error) {
	admits, err := s.admission(ctx, r)
	if err != nil || where == nil {
		return admits, err
	}
	fits, err := s.prepare(ctx, where)
	return func(i uint32) bool { return admits(i) && fits(int32(i)) }, err
}

// admission tells which entries fit the conditions beside the query and in it.
func (s *Snapshot) admission(ctx context.Context, r *Search) (func(uint32) bool, error) {
	f := s.filter(s.known(r.Query), s.known(r.own))
	words, err := s.words(ctx, r.Words)
	if err != nil || words == nil {
		return f.fits, err
	}
	return func(i uint32) bool { return f.fits(i) && words(int32(i)) }, nil
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

// worse orders results from the last to the first: ties by id.
func worse(a, b result) int {
	if a.in == b.in {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.score, b.score), cmp.Compare(b.ordinal, a.ordinal))
	}
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.score, b.score), cmp.Compare(b.line().ID, a.line().ID))
}
