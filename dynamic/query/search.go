package query

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"net/url"
	"runtime"
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
	total       int
	best        []result
	facets      snapshot.Facets
	some        bool
	terms       map[string]bool
	corrections []engine.Correction
	// changes is how many changed entries were searched, too.
	changes int
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
	tail := wire.SearchTail{Facets: f.facets, Match: wire.MatchAll, Changes: f.changes, Snapshot: s.ID, Links: s.searchLinks(r, pages)}
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

// titleBonus puts entries whose title is the query before all others.
const titleBonus = 2

// finding is what is wanted of what a search finds.
type finding struct {
	// most is how many of the best entries are wanted, facets how many values of each facet.
	most, facets int
	// where narrows further, and order goes before that of the search; nil for neither.
	where *Condition
	order func(a, b *snapshot.Line) int
}

// worse orders results from the last to the first.
func (f *finding) worse(a, b result) int {
	if f.order != nil {
		if r := f.order(b.line(), a.line()); r != 0 {
			return r
		}
	}
	return worse(a, b)
}

// find answers a search: how many entries, the best of them up to the end of
// the page, and counts over all.
func (s *Snapshot) find(ctx context.Context, r *Search) (*found, error) {
	return s.findBy(ctx, r, &finding{most: r.Page * r.Limit, facets: facetMax})
}

func (s *Snapshot) findBy(ctx context.Context, r *Search, how *finding) (*found, error) {
	if s.engine == nil {
		return nil, errNoIndex
	}
	counts := s.columns().counters.Get().(*counter)
	defer func() { counts.reset(); s.columns().counters.Put(counts) }()
	out, best := &found{}, topK[result]{n: how.most, compare: how.worse}
	over := s.overlay.Load()
	hidden := func(uint32) bool { return false }
	if over != nil {
		hidden, out.changes = over.hides, over.changes
	}
	members, rank := map[*snapshot.Series][]result{}, s.ranks(&r.Query)
	err := s.scan(ctx, r, how.where, false, out, func(i uint32, score float32) {
		if hidden(i) {
			return
		}
		x := result{s, i, score, rank(&s.Lines[i], int32(i))}
		if r.Query.Collapse {
			if g := s.SeriesOf(int(i)); g != nil {
				members[g] = append(members[g], x)
				return
			}
		}
		counts.add(i)
		best.add(x)
		out.total++
	})
	for _, list := range members {
		best.add(slices.MaxFunc(list, how.worse))
		counts.addSeries(list)
		out.total++
	}
	if err == nil && over != nil {
		err = over.part.scan(ctx, r, how.where, true, out, func(i uint32, score float32) {
			counts.addLine(&over.part.Lines[i])
			best.add(result{over.part, i, score, rank(&over.part.Lines[i], changed)})
			out.total++
		})
	}
	out.best, out.facets = best.sorted(), counts.facets(how.facets)
	return out, err
}

// scan calls see for the entries of one index that a search finds and its
// conditions admit.
func (s *Snapshot) scan(ctx context.Context, r *Search, where *Condition, strict bool, out *found, see func(i uint32, score float32)) error {
	if len(r.query.Terms) == 0 && len(r.query.Filters) == 0 {
		return nil
	}
	find := s.engine.Find
	if strict {
		find = s.engine.FindStrictly
	}
	hits, err := find(ctx, r.query)
	if err != nil {
		return err
	}
	defer hits.Release()
	admits, err := s.admissionTo(ctx, r, where)
	if err != nil {
		return err
	}
	out.note(hits, strict)
	title, seg, boost := titleOf(r.query), s.engine.Segment(), s.columns().boost
	for k, i := range hits.Documents {
		if !admits(i) {
			continue
		}
		score := hits.Scores[k] * boost[i]
		if title != 0 && seg.HasTitle(i, title) || seg.HasTitle(i, r.query.Title) {
			score += titleBonus
		}
		see(i, score)
	}
	if hits.Everything {
		for i := range s.Lines {
			if admits(uint32(i)) {
				see(uint32(i), boost[i]-1)
			}
		}
	}
	runtime.KeepAlive(seg)
	return nil
}

// note keeps what the hits tell besides.
func (f *found) note(hits *engine.Hits, strict bool) {
	if f.terms == nil {
		f.terms = map[string]bool{}
	}
	maps.Copy(f.terms, hits.Terms)
	if !strict {
		f.some, f.corrections = hits.Some, hits.Corrections
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
	outer, own := s.filter(s.known(r.Query)), s.filter(s.known(r.own))
	if len(r.own.Where[snapshot.ByStatus]) > 0 || len(r.Query.Where[snapshot.ByStatus]) > 0 {
		// A condition on the life cycle replaces the default of the other.
		outer.active, own.active = false, false
	}
	words, err := s.words(ctx, r.Words)
	if err != nil {
		return nil, err
	}
	switch {
	case words != nil:
		return func(i uint32) bool { return own.fits(i) && outer.fits(i) && words(int32(i)) }, nil
	case own.plain() && (outer.active || !own.active):
		return outer.fits, nil
	}
	return func(i uint32) bool { return own.fits(i) && outer.fits(i) }, nil
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
