package query

import (
	"slices"
	"sync"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// columns hold by ordinal what results are narrowed and counted by. A
// line is large and its neighbours lie far away; a column fits the caches of a
// processor.
type columns struct {
	// of are the columns of the dimensions, in their order.
	of     []column
	active []bool
	// boost is what the score of an entry is multiplied by.
	boost    []float32
	counters sync.Pool
}

// column has the values of each entry as codes. Where each has one value at most, code 0
// is none, and there are no ends.
type column struct {
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
	dimensions := snapshot.Dimensions()
	out.of = make([]column, len(dimensions))
	for k := range dimensions {
		out.of[k] = newColumn(c, &dimensions[k])
	}
	out.counters.New = func() any { return newCounter(out) }
	return out
}

func newColumn(c *snapshot.Catalog, d *snapshot.Dimension) column {
	col := column{codes: make([]uint32, 0, len(c.Lines)), values: []string{""}, known: map[string]uint32{}}
	if !d.Single() {
		col.ends = make([]uint32, len(c.Lines))
	}
	var room [1]string
	for i := range c.Lines {
		values := d.Values(&c.Lines[i], room[:0])
		for _, v := range values {
			col.codes = append(col.codes, col.code(v))
		}
		switch {
		case col.ends != nil:
			col.ends[i] = uint32(len(col.codes))
		case len(values) == 0:
			col.codes = append(col.codes, 0)
		}
	}
	return col
}

// code is that of a value.
func (c *column) code(value string) uint32 {
	code, ok := c.known[value]
	if !ok {
		code = uint32(len(c.values))
		c.known[value], c.values = code, append(c.values, value)
	}
	return code
}

// at are the codes of an entry.
func (c *column) at(i uint32) []uint32 {
	if c.ends == nil {
		return c.codes[i : i+1]
	}
	from := uint32(0)
	if i > 0 {
		from = c.ends[i-1]
	}
	return c.codes[from:c.ends[i]]
}

// filter narrows ordinals by the conditions of a request. What has a column is
// looked up there; the rest is asked of the line.
type filter struct {
	c      *columns
	lines  []snapshot.Line
	active bool
	wanted []wanted
	rest   *snapshot.Query
}

// wanted is a condition on a column: one of the codes that fit, or all of some.
type wanted struct {
	in   *column
	fits []bool
	all  []uint32
}

// filter prepares the conditions of a query that was resolved.
func (s *Snapshot) filter(q snapshot.Query) *filter {
	f := &filter{c: s.columns(), lines: s.Lines, active: len(q.Where[snapshot.ByStatus]) == 0}
	dimensions := snapshot.Dimensions()
	for k := range dimensions {
		if values := q.Where[dimensions[k].Name]; len(values) > 0 {
			f.wanted = append(f.wanted, want(&f.c.of[k], dimensions[k].All, values))
		}
	}
	if q.Rest() {
		f.rest = &q
	}
	return f
}

func want(in *column, all bool, values []string) wanted {
	w := wanted{in: in}
	if !all {
		w.fits = make([]bool, len(in.values))
	}
	for _, v := range values {
		code, known := in.known[v]
		switch {
		case all && !known:
			return wanted{in: in, fits: make([]bool, len(in.values))} // nobody has them all
		case all:
			w.all = append(w.all, code)
		case known:
			w.fits[code] = true
		}
	}
	return w
}

// fitsOne tells whether an entry fits the condition.
func (w *wanted) fitsOne(i uint32) bool {
	have := w.in.at(i)
	if w.fits != nil {
		return slices.ContainsFunc(have, func(code uint32) bool { return w.fits[code] })
	}
	return !slices.ContainsFunc(w.all, func(code uint32) bool { return !slices.Contains(have, code) })
}

// plain tells that a filter has no conditions but its default.
func (f *filter) plain() bool { return len(f.wanted) == 0 && f.rest == nil }

// fits tells whether an entry fits all conditions.
func (f *filter) fits(i uint32) bool {
	if f.active && !f.c.active[i] {
		return false
	}
	for k := range f.wanted {
		if !f.wanted[k].fitsOne(i) {
			return false
		}
	}
	return f.rest == nil || f.rest.MatchesRest(&f.lines[i])
}
