package query

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/assay-register/assay/dynamic/query/engine"
	"github.com/assay-register/assay/render/snapshot"
)

// Results that reach less than relevantShare of the best one are left out, unless they are
// among the first ten.
const (
	relevantShare = 0.33
	alwaysShown   = 10
)

// titleBonus puts entries whose title is the query before all others.
const titleBonus = 2

// finding is what is wanted of what a search finds.
type finding struct {
	// most is how many of the best entries are wanted, facets how many values of each facet.
	most, facets int
	// where narrows further, and order goes before that of the search; nil for neither.
	where *Condition
	order func(a, b result) int
	// each is called for every entry that is found, nil for none; each of a series, too.
	each func(*snapshot.Line)
}

func (f *finding) found(l *snapshot.Line) {
	if f.each != nil {
		f.each(l)
	}
}

// worse orders results from the last to the first.
func (f *finding) worse(a, b result) int {
	if f.order != nil {
		if r := f.order(b, a); r != 0 {
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
	c := &collection{found: &found{}, counts: s.columns().counters.Get().(*counter), best: topK[result]{n: max(how.most, window), compare: how.worse},
		members: map[*snapshot.Series][]result{}}
	defer func() { c.counts.reset(); s.columns().counters.Put(c.counts) }()
	over, rank := s.overlay.Load(), s.ranks(&r.Query)
	hidden := func(uint32) bool { return false }
	if over != nil {
		hidden, c.changes = over.hides, over.changes
	}
	least, err := s.scan(ctx, r, how.where, 0, hidden, c.found, func(i uint32, score float32) {
		how.found(&s.Lines[i])
		c.add(result{s, i, score, rank(&s.Lines[i], int32(i))}, r.Query.Collapse)
	})
	c.collapse()
	if err == nil && over != nil {
		_, err = over.part.scan(ctx, r, how.where, least, nil, c.found, func(i uint32, score float32) {
			how.found(&over.part.Lines[i])
			c.counts.addLine(&over.part.Lines[i])
			c.best.add(result{over.part, i, score, rank(&over.part.Lines[i], changed)})
			c.total++
		})
	}
	out := c.found
	out.best, out.facets = c.best.sorted(), c.counts.facets(how.facets)
	if r.Query.Sort == "" && how.order == nil {
		spread(out.best, out.placed)
	}
	out.best = out.best[:min(len(out.best), how.most)]
	return out, err
}

// collection takes up results.
type collection struct {
	*found
	counts *counter
	best   topK[result]
	// members are those of series that are shown once.
	members map[*snapshot.Series][]result
}

// add takes up a result of the snapshot.
func (c *collection) add(x result, collapse bool) {
	if collapse {
		if g := x.series(); g != nil {
			c.members[g] = append(c.members[g], x)
			return
		}
	}
	c.counts.add(x.ordinal)
	c.best.add(x)
	c.total++
}

// collapse takes up the best result of each series.
func (c *collection) collapse() {
	for _, list := range c.members {
		c.best.add(slices.MaxFunc(list, c.best.compare))
		c.counts.addSeries(list)
		c.total++
	}
}

// scan calls see for the entries of one index that a search finds, its conditions admit and
// that fit well enough; hidden is nil for what changed since the snapshot, of which least is
// asked. It returns the least score.
func (s *Snapshot) scan(ctx context.Context, r *Search, where *Condition, least float32, hidden func(uint32) bool, out *found, see func(i uint32, score float32)) (float32, error) {
	if len(r.query.Terms) == 0 && len(r.query.Filters) == 0 {
		return 0, nil
	}
	strict, find := hidden == nil, s.engine.Find
	if strict {
		find, hidden = s.engine.FindStrictly, func(uint32) bool { return false }
	}
	hits, err := find(ctx, r.query)
	if err != nil {
		return 0, err
	}
	defer hits.Release()
	admits, err := s.admissionTo(ctx, r, where)
	if err != nil {
		return 0, err
	}
	out.note(hits, strict)
	kept, own := s.admitted(hits, hidden, admits)
	if !strict && !r.LessRelevant {
		least = own
	}
	title, seg := titleOf(r.query), s.engine.Segment()
	for k, i := range hits.Documents[:kept] {
		score := hits.Scores[k]
		if title != 0 && seg.HasTitle(i, title) || seg.HasTitle(i, r.query.Title) {
			score += titleBonus
		}
		if score < least {
			out.less++
			continue
		}
		see(i, score)
	}
	if hits.Everything {
		for i := range s.Lines {
			if !hidden(uint32(i)) && admits(uint32(i)) {
				see(uint32(i), s.columns().boost[i]-1)
			}
		}
	}
	runtime.KeepAlive(seg)
	return least, nil
}

// admitted moves the documents that a search admits to the front, with their scores raised,
// and returns how many they are and the least score of those that fit well enough. That is of the
// words, whatever narrows them, so that as many are found of a value as are counted of it; only
// where nothing that is admitted reaches it is it of what is.
func (s *Snapshot) admitted(hits *engine.Hits, hidden, admits func(uint32) bool) (kept int, least float32) {
	boost, listed := s.columns().boost, s.filter(snapshot.Query{})
	all, own := leading{n: alwaysShown, compare: cmp.Compare[float32]}, leading{n: alwaysShown, compare: cmp.Compare[float32]}
	for k, i := range hits.Documents {
		if hidden(i) {
			continue
		}
		score := hits.Scores[k] * boost[i]
		if listed.fits(i) {
			all.add(score)
		}
		if admits(i) {
			hits.Documents[kept], hits.Scores[kept] = i, score
			kept++
			own.add(score)
		}
	}
	least = leastOf(all.sorted())
	if list := own.sorted(); len(list) > 0 && list[0] < least {
		least = leastOf(list)
	}
	return kept, least
}

// leading are the highest scores.
type leading = topK[float32]

// leastOf is the least score that fits well enough beside the highest ones.
func leastOf(list []float32) float32 {
	if len(list) < alwaysShown {
		return 0
	}
	return min(list[alwaysShown-1], list[0]*relevantShare)
}
