// Package engine finds the documents of a search index that a query asks for,
// and how well each fits. It knows terms and documents only; what an entry is,
// its filters and its counts are its caller's.
//
// A query is answered in up to three rounds. The first takes words as written,
// inflected, as parts of compounds, and, where no document has the word at all,
// with spelling mistakes or as a beginning. When fewer than a handful of
// documents have all words, the second round allows mistakes and beginnings for
// every word. When still none has all, the third takes those that have most.
package engine

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/segment"
)

// enough is how many documents with all words make guesses needless, plenty how many make
// it needless to look at those with most of the words: several may be of one series.
const (
	enough = 5
	plenty = 25
)

// What makes a query expensive: how many postings it reads, or how many words it
// has, for each of which the dictionary is searched for other spellings. Few of
// those run at the same time, so that others never wait behind them.
const (
	heavyCost  = 400_000
	heavyWords = 8
)

// Engine answers queries from one segment. It is safe for concurrent use.
type Engine struct {
	segment *segment.Segment
	heavy   *Gate
	spare   sync.Pool
}

// New makes an engine. heavy bounds how many expensive queries run at the same
// time, over all engines that share it.
func New(s *segment.Segment, heavy *Gate) *Engine {
	e := &Engine{segment: s, heavy: heavy}
	e.spare.New = func() any { return &scratch{} }
	return e
}

// Segment is what the engine reads.
func (e *Engine) Segment() *segment.Segment { return e.segment }

// scratch is memory that queries use one after the other.
type scratch struct {
	documents []uint32
	scores    []float32
	best      []float32
	// dense has a place for each document; it is all zero between uses. seen
	// has a bit for each.
	dense []float32
	seen  Set
	some  parts
}

func (s *scratch) grow(documents int) {
	if len(s.dense) < documents {
		s.dense, s.seen = make([]float32, documents), make(Set, (documents+63)/64)
	}
}

// Hits are the documents that a query found, in ascending order, with their
// scores: the share of the query's weight that a document holds, 0 to 1.
type Hits struct {
	Documents []uint32
	Scores    []float32
	// Some tells that few documents or none have all words: others have most of them.
	Some bool
	// Placed tells that the query names a place smaller than a country.
	Placed bool
	// Everything tells that the query has no words and all documents fit;
	// Documents and Scores are empty.
	Everything bool
	// Terms are those by which a document may have been found.
	Terms map[string]bool
	// Corrections are the words that occur nowhere as written, with the term
	// that stood in for them.
	Corrections []Correction
	engine      *Engine
	scratch     *scratch
}

// Correction is a word of the query and the term that it may be meant for.
type Correction struct{ Text, Term string }

// Release gives the memory of the hits back; they must not be used after it.
func (h *Hits) Release() {
	if h.scratch != nil {
		h.engine.spare.Put(h.scratch)
		h.scratch, h.Documents, h.Scores = nil, nil, nil
	}
}

// Find answers a query. It ends early with the context's error.
func (e *Engine) Find(ctx context.Context, q *search.Query) (*Hits, error) {
	return e.find(ctx, q, false)
}

// FindStrictly is Find without its guesses: no word may be misspelt or a mere
// beginning, and a document must have all words. It suits a handful of
// documents, whose few words would stand in for all others.
func (e *Engine) FindStrictly(ctx context.Context, q *search.Query) (*Hits, error) {
	return e.find(ctx, q, true)
}

func (e *Engine) find(ctx context.Context, q *search.Query, strict bool) (*Hits, error) {
	defer runtime.KeepAlive(e.segment)
	m := &matcher{engine: e, ctx: ctx, strict: strict, scratch: e.spare.Get().(*scratch)}
	m.scratch.grow(e.segment.Documents())
	hits := &Hits{engine: e, scratch: m.scratch, Terms: map[string]bool{}}
	if err := m.run(q, hits); err != nil {
		hits.Release()
		return nil, err
	}
	return hits, nil
}

func (m *matcher) run(q *search.Query, hits *Hits) error {
	wanted, aside, plain, unwanted := split(q.Terms)
	defer m.leave()
	if len(q.Terms) > heavyWords {
		if err := m.enter(); err != nil {
			return err
		}
	}
	groups, levels := levelsOf(m.groups(wanted, false))
	if err := m.ctx.Err(); err != nil {
		return err
	}
	if len(groups) == 0 {
		hits.Everything = true
		return m.without(unwanted, q.Title, hits)
	}
	if m.cost(groups) >= heavyCost {
		if err := m.enter(); err != nil {
			return err
		}
	}
	asked := slices.Clone(groups)
	matter, places := placesOf(groups)
	if err := m.all(groups, hits); err != nil {
		return err
	}
	if len(places) > 0 {
		if err := m.anywhere(matter, places, q.Title, hits); err != nil {
			return err
		}
	}
	found := len(hits.Documents)
	if found < enough && !m.strict {
		asked, levels = levelsOf(m.groups(wanted, true))
		matter, places = placesOf(slices.Clone(asked))
		if err := m.all(matter, hits); err != nil {
			return err
		}
	}
	if len(hits.Documents) < plenty && !m.strict {
		if err := m.most(matter, q.Title, hits); err != nil {
			return err
		}
	}
	if len(hits.Documents) == 0 && len(places) > 0 && !m.strict {
		matter, places = asked, nil
		if err := m.most(matter, q.Title, hits); err != nil {
			return err
		}
	}
	m.correct(matter, found, hits)
	m.breakdown(matter, append(m.groups(aside, false), levels...), hits)
	m.besides(m.groups(plain, false))
	m.follows(matter, hits)
	m.located(places)
	hits.Placed = within(places)
	m.name(places, hits)
	return m.without(unwanted, q.Title, hits)
}

// wellShare is the score from which on a document is about the matter, not only names it.
const wellShare = 0.4

// anywhere answers with the matter of other places as well, where few documents have it of those
// that are asked for, or are about it and them.
func (m *matcher) anywhere(matter, places []group, title uint64, hits *Hits) error {
	n, well := len(hits.Documents), 0
	for k, held := range m.held(places) {
		if hits.Scores[k] >= wellShare && held > mentioned {
			well++
		}
	}
	if m.strict || n >= plenty && well >= enough || m.titled(title, hits) {
		return nil
	}
	err := m.all(matter, hits)
	hits.Some = len(hits.Documents) > n
	return err
}

// titled tells whether one of the documents has the title that the query may be.
func (m *matcher) titled(title uint64, hits *Hits) bool {
	return slices.ContainsFunc(hits.Documents, func(d uint32) bool { return m.engine.segment.HasTitle(d, title) })
}

// most answers with the documents that have most of the words as well, unless one has the
// title that the query may be.
func (m *matcher) most(groups []group, title uint64, hits *Hits) error {
	n := len(hits.Documents)
	if len(groups) == 1 || m.titled(title, hits) {
		return nil
	}
	err := m.some(groups, hits)
	hits.Some = hits.Some || len(hits.Documents) > n
	return err
}

// correct notes what stood in for words that occur nowhere or, when nothing was
// found at first, for all words.
func (m *matcher) correct(groups []group, found int, hits *Hits) {
	for i := range groups {
		g := &groups[i]
		if c := g.correction; c >= 0 && (found == 0 || g.frequency == 0) {
			hits.Corrections = append(hits.Corrections, Correction{g.term.Text, m.engine.segment.Term(c)})
		}
	}
}

// name notes the terms of groups for those who mark them in texts.
func (m *matcher) name(groups []group, hits *Hits) {
	for i := range groups {
		for _, s := range groups[i].sources {
			term := m.engine.segment.Term(s.term)
			hits.Terms[term] = true
			if search.IsConcept(term) {
				for _, w := range search.NamesOf(term) {
					hits.Terms[w] = true
				}
			}
		}
		for _, w := range groups[i].term.Words {
			hits.Terms[w] = true
		}
	}
}

// cost is about how many postings the groups have.
func (m *matcher) cost(groups []group) (n int) {
	for i := range groups {
		n += m.postings(&groups[i])
	}
	return n
}

// enter waits until an expensive query may run; leave lets the next one in.
func (m *matcher) enter() error {
	if m.entered != nil {
		return nil
	}
	var err error
	m.entered, err = m.engine.heavy.Enter(m.ctx)
	return err
}

func (m *matcher) leave() {
	if m.entered != nil {
		m.entered()
	}
}

// split parts the terms that must occur from those that need not, which are plain, years or what
// the matter is broken down by, and from those that must not. Function words are not asked for when
// others are.
func split(terms []search.Term) (wanted, aside, plain, unwanted []*search.Term) {
	named := namedTogether(terms)
	telling := slices.ContainsFunc(terms, func(t search.Term) bool { return !t.Not && !isStop(&t) && !isPlain(&t) && !isYear(&t) })
	words := slices.ContainsFunc(terms, func(t search.Term) bool { return !t.Not && !isStop(&t) })
	by := false
	for i := range terms {
		t := &terms[i]
		by = by || isStop(t) && len(wanted) > 0 && search.IsBreakdown(t.Words[0])
		switch {
		case t.Not:
			unwanted = append(unwanted, t)
		case telling && isPlain(t) && !named[i]:
			plain = append(plain, t)
		case telling && (isYear(t) || by && !isStop(t) && !t.Quoted && !t.Title):
			aside = append(aside, t)
		case !words || !isStop(t):
			wanted = append(wanted, t)
		}
	}
	return wanted, aside, plain, unwanted
}

func isPlain(t *search.Term) bool {
	return !t.Quoted && !t.Title && !t.Prefix && len(t.Words) == 1 && search.IsPlain(t.Words[0])
}

// namedTogether tells which terms are of a name of several words, such as plaines de jeux.
func namedTogether(terms []search.Term) []bool {
	out := make([]bool, len(terms))
	var words []string
	var of []int
	for i := range terms {
		if t := &terms[i]; !t.Quoted && !t.Not && !t.Prefix && len(t.Words) == 1 && !isStop(t) {
			words, of = append(words, t.Words[0]), append(of, i)
		}
	}
	for _, x := range search.Mentions(words) {
		for k := x.From; k < x.To && x.To-x.From > 1; k++ {
			out[of[k]] = true
		}
	}
	return out
}

// isYear tells whether a word is a year: the series that is asked for may name another one, or none.
func isYear(t *search.Term) bool {
	return !t.Quoted && !t.Title && !t.Prefix && len(t.Words) == 1 && search.IsYear(t.Words[0])
}

func isStop(t *search.Term) bool {
	return !t.Quoted && !t.Title && !t.Prefix && len(t.Words) == 1 && search.IsStop(t.Words[0])
}

// idf is the inverse document frequency of BM25 in its positive form.
func idf(documents, frequency int) float32 {
	n, f := float64(documents), float64(frequency)
	return float32(math.Log(1 + (n-f+0.5)/(f+0.5)))
}
