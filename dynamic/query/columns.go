package query

import (
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
	kind, country, instType, state              column
	access, rights, tier, license, lang, bodies column
	tags, formats, themes                       lists
	active                                      []bool
	// boost is what the score of an entry is multiplied by.
	boost    []float32
	counters sync.Pool
}

// column is one value for each entry as a code; code 0 is no value.
type column struct {
	codes  []uint16
	values []string
	known  map[string]uint16
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
	out.kind = newColumn(c, func(l *snapshot.Line) string { return string(l.Type) })
	out.country = newColumn(c, func(l *snapshot.Line) string { return l.Country })
	out.instType = newColumn(c, func(l *snapshot.Line) string { return string(l.InstType) })
	out.state = newColumn(c, func(l *snapshot.Line) string { return string(l.State) })
	out.tags = newLists(c, func(l *snapshot.Line) []string { return l.Tags })
	out.formats = newLists(c, func(l *snapshot.Line) []string { return l.Formats })
	out.access = newColumn(c, func(l *snapshot.Line) string { return string(l.FreeAccess) })
	out.rights = newColumn(c, func(l *snapshot.Line) string { return string(l.Rights) })
	out.tier = newColumn(c, func(l *snapshot.Line) string { return string(l.Tier) })
	out.license = newColumn(c, func(l *snapshot.Line) string { return l.LicenseID })
	out.lang = newColumn(c, func(l *snapshot.Line) string { return l.Lang })
	out.bodies = newColumn(c, func(l *snapshot.Line) string { return l.InstitutionID })
	out.themes = newLists(c, func(l *snapshot.Line) []string { return l.Themes })
	out.counters.New = func() any { return newCounter(out) }
	return out
}

func newColumn(c *snapshot.Catalog, get func(*snapshot.Line) string) column {
	col := column{codes: make([]uint16, len(c.Lines)), values: []string{""}, known: map[string]uint16{"": 0}}
	for i := range c.Lines {
		v := get(&c.Lines[i])
		code, ok := col.known[v]
		if !ok && len(col.values) <= math.MaxUint16 {
			code = uint16(len(col.values))
			col.known[v], col.values = code, append(col.values, v)
		}
		col.codes[i] = code
	}
	return col
}

func newLists(c *snapshot.Catalog, get func(*snapshot.Line) []string) lists {
	col := lists{ends: make([]uint32, len(c.Lines)), known: map[string]uint32{}}
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
	f.allow(&f.c.access, texts(q.FreeAccess))
	f.allow(&f.c.rights, texts(q.Rights))
	f.allow(&f.c.tier, texts(q.Tiers))
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
	q.FreeAccess, q.Rights, q.Tiers = nil, nil, nil
	if q.Public != nil || len(q.Statuses) > 0 || len(q.Institutions) > 0 || len(q.Auth) > 0 || len(q.Licenses) > 0 || len(q.Themes) > 0 ||
		!q.Since.IsZero() || !q.Until.IsZero() || len(q.Maturities) > 0 || len(q.Langs) > 0 || len(q.Series) > 0 || !q.UpdatedSince.IsZero() {
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

// plain tells that a filter has no conditions but its default.
func (f *filter) plain() bool {
	return !f.impossible && !f.formats && len(f.allowed) == 0 && len(f.tags) == 0 && f.rest == nil
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
