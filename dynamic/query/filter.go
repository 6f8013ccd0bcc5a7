package query

import (
	"slices"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// filter narrows ordinals by the conditions of requests. What has a column is
// looked up there; the rest is asked of the line.
type filter struct {
	lines []snapshot.Line
	// grouped are the conditions on dimensions in groups, wanted those on others.
	grouped []grouped
	wanted  []wanted
	rest    []snapshot.Query
}

// grouped are the codes of a group that fit all conditions on it.
type grouped struct {
	in   *group
	fits []bool
}

// wanted is a condition on a column: one of the codes that fit, or all of some.
type wanted struct {
	in   *column
	fits []bool
	all  []uint32
}

// filter prepares the conditions of queries that were resolved, all of which must hold. Where
// none is on the status, active entries fit.
func (s *Snapshot) filter(queries ...snapshot.Query) *filter {
	f, c, dimensions, any := &filter{lines: s.Lines}, s.columns(), snapshot.Dimensions(), false
	for _, q := range queries {
		for k := range dimensions {
			if values := q.Where[dimensions[k].Name]; len(values) > 0 {
				f.narrow(want(&c.of[k], dimensions[k].All, values))
			}
		}
		any = any || len(q.Where[snapshot.ByStatus]) > 0
		if q.Rest() {
			f.rest = append(f.rest, q)
		}
	}
	if !any {
		f.narrow(want(c.status, false, []string{string(catalog.StatusActive)}))
	}
	return f
}

// narrow adds a condition.
func (f *filter) narrow(w wanted) {
	in := w.in.in
	if in == nil {
		f.wanted = append(f.wanted, w)
		return
	}
	at := slices.IndexFunc(f.grouped, func(g grouped) bool { return g.in == in })
	if at < 0 {
		at = len(f.grouped)
		f.grouped = append(f.grouped, grouped{in, slices.Repeat([]bool{true}, in.size)})
	}
	fits := f.grouped[at].fits
	for code := range fits {
		fits[code] = fits[code] && w.fit(w.in.sets.at(uint32(code)))
	}
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

// fit tells whether an entry with these codes fits the condition.
func (w *wanted) fit(have []uint32) bool {
	if w.fits != nil {
		return slices.ContainsFunc(have, func(code uint32) bool { return w.fits[code] })
	}
	return !slices.ContainsFunc(w.all, func(code uint32) bool { return !slices.Contains(have, code) })
}

// fits tells whether an entry fits all conditions.
func (f *filter) fits(i uint32) bool {
	for k := range f.grouped {
		if g := &f.grouped[k]; !g.fits[g.in.codes[i]] {
			return false
		}
	}
	for k := range f.wanted {
		if w := &f.wanted[k]; !w.fit(w.in.sets.at(i)) {
			return false
		}
	}
	for k := range f.rest {
		if !f.rest[k].MatchesRest(&f.lines[i]) {
			return false
		}
	}
	return true
}
