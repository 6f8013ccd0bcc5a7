package query

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// columns hold by ordinal what search results are narrowed and counted by. A
// line is large and its neighbours lie far away; a column fits the caches of a
// processor.
type columns struct {
	kind, country, instType, state column
	tags, formats                  lists
	active                         []bool
	// boost is what the score of an entry is multiplied by.
	boost    []float32
	counters sync.Pool
}

// column is one value for each entry as a code; code 0 is no value.
type column struct {
	codes  []uint16
	values []string
}

// lists are several values for each entry.
type lists struct {
	ends   []uint32
	codes  []uint32
	values []string
	known  map[string]uint32
}

// boostMax is what the best ranking score adds to the score of a result, as a
// share of it.
const boostMax = 0.25

func newColumns(c *snapshot.Catalog) *columns {
	n := len(c.Lines)
	out := &columns{active: make([]bool, n), boost: make([]float32, n)}
	for i := range c.Lines {
		l := &c.Lines[i]
		out.active[i] = l.Status == catalog.StatusActive
		out.boost[i] = float32(1 + boostMax*l.Ranking.Float()/100)
	}
	one := func(get func(*snapshot.Line) string) column {
		known := map[string]uint16{"": 0}
		col := column{codes: make([]uint16, n), values: []string{""}}
		for i := range c.Lines {
			v := get(&c.Lines[i])
			code, ok := known[v]
			if !ok && len(col.values) <= math.MaxUint16 {
				code = uint16(len(col.values))
				known[v], col.values = code, append(col.values, v)
			}
			col.codes[i] = code
		}
		return col
	}
	many := func(get func(*snapshot.Line) []string) lists {
		col := lists{ends: make([]uint32, n), known: map[string]uint32{}}
		for i := range c.Lines {
			for _, v := range get(&c.Lines[i]) {
				code, ok := col.known[v]
				if !ok {
					code = uint32(len(col.values))
					col.known[v], col.values = code, append(col.values, v)
				}
				col.codes = append(col.codes, code)
			}
			col.ends[i] = uint32(len(col.codes))
		}
		return col
	}
	out.kind = one(func(l *snapshot.Line) string { return string(l.Type) })
	out.country = one(func(l *snapshot.Line) string { return l.Country })
	out.instType = one(func(l *snapshot.Line) string { return string(l.InstType) })
	out.state = one(func(l *snapshot.Line) string { return string(l.State) })
	out.tags = many(func(l *snapshot.Line) []string { return l.Tags })
	out.formats = many(func(l *snapshot.Line) []string { return l.Formats })
	out.counters.New = func() any { return newCounter(out) }
	return out
}

// of are the codes of an entry.
func (l *lists) of(i uint32) []uint32 {
	from := uint32(0)
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.codes[from:l.ends[i]]
}

// filter narrows ordinals by the conditions of a request. What has a column is
// looked up there; the rest is asked of the line.
type filter struct {
	c          *columns
	lines      []snapshot.Line
	active     bool
	allowed    []allowed
	tags, any  []uint32
	impossible bool
	formats    bool
	rest       *snapshot.Query
}

// allowed are the codes of a column that fit.
type allowed struct {
	codes []uint16
	fits  []bool
}

func (s *Snapshot) filter(q snapshot.Query) *filter {
	f := &filter{c: s.columns(), lines: s.Lines}
	if len(q.Statuses) == 0 {
		f.active = true
	}
	f.allow(&f.c.kind, texts(q.Types))
	f.allow(&f.c.country, q.Countries)
	f.allow(&f.c.instType, texts(q.InstTypes))
	f.allow(&f.c.state, texts(q.States))
	for _, t := range q.Tags {
		code, ok := f.c.tags.known[t]
		f.impossible = f.impossible || !ok
		f.tags = append(f.tags, code)
	}
	for _, v := range q.Formats {
		f.formats = true
		if code, ok := f.c.formats.known[v]; ok {
			f.any = append(f.any, code)
		}
	}
	q.Types, q.Countries, q.InstTypes, q.States, q.Tags, q.Formats, q.Among = nil, nil, nil, nil, nil, nil, nil
	if q.Public != nil || len(q.Statuses) > 0 || len(q.Institutions) > 0 || len(q.FreeAccess) > 0 || len(q.Auth) > 0 ||
		len(q.Tiers) > 0 || len(q.Maturities) > 0 || len(q.Langs) > 0 || !q.UpdatedSince.IsZero() {
		f.rest = &q
	}
	return f
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

func (f *filter) allow(col *column, wanted []string) {
	if len(wanted) == 0 {
		return
	}
	a := allowed{codes: col.codes, fits: make([]bool, len(col.values))}
	for code, v := range col.values {
		a.fits[code] = slices.Contains(wanted, v)
	}
	f.allowed = append(f.allowed, a)
}

// fits tells whether an entry fits all conditions.
func (f *filter) fits(i uint32) bool {
	if f.impossible || f.active && !f.c.active[i] {
		return false
	}
	for _, a := range f.allowed {
		if !a.fits[a.codes[i]] {
			return false
		}
	}
	if len(f.tags) > 0 {
		have := f.c.tags.of(i)
		for _, t := range f.tags {
			if !slices.Contains(have, t) {
				return false
			}
		}
	}
	if f.formats && !slices.ContainsFunc(f.c.formats.of(i), func(v uint32) bool { return slices.Contains(f.any, v) }) {
		return false
	}
	return f.rest == nil || f.rest.Matches(&f.lines[i])
}

// counter counts the values of the results.
type counter struct {
	c                              *columns
	kind, country, instType, state []int
	tags, formats                  *tally
}

func newCounter(c *columns) *counter {
	return &counter{c: c, kind: make([]int, len(c.kind.values)), country: make([]int, len(c.country.values)),
		instType: make([]int, len(c.instType.values)), state: make([]int, len(c.state.values)),
		tags: newTally(len(c.tags.values)), formats: newTally(len(c.formats.values))}
}

// reset makes a counter fit for the next search.
func (n *counter) reset() {
	clear(n.kind)
	clear(n.country)
	clear(n.instType)
	clear(n.state)
	n.tags.reset()
	n.formats.reset()
}

func (n *counter) add(i uint32) {
	n.kind[n.c.kind.codes[i]]++
	n.country[n.c.country.codes[i]]++
	n.instType[n.c.instType.codes[i]]++
	n.state[n.c.state.codes[i]]++
	for _, t := range n.c.tags.of(i) {
		n.tags.add(t)
	}
	for _, t := range n.c.formats.of(i) {
		n.formats.add(t)
	}
}

// tally counts codes of which most do not occur.
type tally struct {
	counts []uint32
	met    []uint32
}

func newTally(n int) *tally { return &tally{counts: make([]uint32, n)} }

func (t *tally) add(code uint32) {
	if t.counts[code] == 0 {
		t.met = append(t.met, code)
	}
	t.counts[code]++
}

func (t *tally) reset() {
	for _, code := range t.met {
		t.counts[code] = 0
	}
	t.met = t.met[:0]
}

// facetMax is how many values of one facet a search counts out.
const facetMax = 50

// top are the most frequent values, ties in their order; empty ones are left
// out.
func top(list []snapshot.Count) []snapshot.Count {
	slices.SortFunc(list, func(a, b snapshot.Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	return slices.Clip(list[:min(len(list), facetMax)])
}

func (c *column) top(counts []int) []snapshot.Count {
	out := []snapshot.Count{}
	for code, n := range counts {
		if n > 0 && code > 0 {
			out = append(out, snapshot.Count{Value: c.values[code], Count: n})
		}
	}
	return top(out)
}

// top picks by count alone first: a register has many thousand tags.
func (l *lists) top(t *tally) []snapshot.Count {
	codes := t.met
	if len(codes) > facetMax {
		slices.SortFunc(codes, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(t.counts[b], t.counts[a]), cmp.Compare(l.values[a], l.values[b]))
		})
		codes = codes[:facetMax]
	}
	out := make([]snapshot.Count, 0, len(codes))
	for _, code := range codes {
		if v := l.values[code]; v != "" {
			out = append(out, snapshot.Count{Value: v, Count: int(t.counts[code])})
		}
	}
	return top(out)
}
