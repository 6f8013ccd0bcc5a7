package snapshot

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// Query narrows and orders a list. Filters AND together, the values of one
// filter OR together, but all tags must be carried (decisions §3). Empty
// fields do not narrow, except the status: none means ACTIVE.
type Query struct {
	// Where has the wanted values by the name of their [Dimension].
	Where map[string][]string
	// Since and Until are a period; what covers a part of it fits. Zero is an open end.
	Since, Until time.Time
	// Series are ids; [Catalog.Resolve] makes keys of them.
	Series []string
	keys   map[uint64]bool
	// where is Where as Resolve prepared it.
	where        []condition
	UpdatedSince time.Time
	// Among narrows to the ordinals for which it is true, e.g. those that a
	// search found; nil narrows nothing.
	Among func(ordinal int32) bool
	Sort  SortKey
	Desc  bool
	// Collapse keeps of each series the entry that comes first.
	Collapse bool
}

// SortKey is what a list is ordered by.
type SortKey string

// Sort keys of the list (specification, "Query parameters of the list").
const (
	SortName     SortKey = "name"
	SortCreated  SortKey = "created_at"
	SortVerified SortKey = "last_verified_at"
	SortLatency  SortKey = "p50_latency_ms"
	SortRanking  SortKey = "ranking_score"
)

// SortKeys lists the sort keys in their documented order.
func SortKeys() []SortKey {
	return []SortKey{SortName, SortCreated, SortVerified, SortLatency, SortRanking}
}

// List returns the ordinals of the entries that match, in order.
func (c *Catalog) List(q Query) []int32 {
	if len(q.Where[ByStatus]) == 0 {
		q.Where = maps.Clone(q.Where)
		if q.Where == nil {
			q.Where = map[string][]string{}
		}
		q.Where[ByStatus] = []string{string(catalog.StatusActive)}
		q.where = nil
	}
	q = c.Resolve(q)
	var out []int32
	for _, i := range c.permutation(q.Sort, q.Desc) {
		if q.Matches(&c.Lines[i]) && (q.Among == nil || q.Among(i)) {
			out = append(out, i)
		}
	}
	if q.Collapse {
		return c.Collapse(out)
	}
	return out
}

// Resolve prepares a query for Matches and finds the series that it names; one that does
// not exist has no members.
func (c *Catalog) Resolve(q Query) Query {
	if q.where == nil {
		q.where = q.conditions()
	}
	if len(q.Series) == 0 || q.keys != nil {
		return q
	}
	q.keys = map[uint64]bool{}
	for _, id := range q.Series {
		if s := c.SeriesByID(id); s != nil {
			q.keys[c.Lines[s.Members[0]].Member.Key] = true
		}
	}
	return q
}

// Matches tells whether the values of a line fit the filters of a query that was resolved.
// Unlike [Catalog.List] it takes no status for all.
func (q *Query) Matches(l *Line) bool {
	for i := range q.where {
		if !q.where[i].of.fits(l, q.where[i].wanted) {
			return false
		}
	}
	return q.MatchesRest(l)
}

// Rest tells whether a query has conditions besides those on dimensions.
func (q *Query) Rest() bool {
	return !q.Since.IsZero() || !q.Until.IsZero() || len(q.Series) > 0 || !q.UpdatedSince.IsZero()
}

// MatchesRest is Matches for these.
func (q *Query) MatchesRest(l *Line) bool {
	return q.covers(l) &&
		(len(q.Series) == 0 || l.Member != nil && q.keys[l.Member.Key]) &&
		(q.UpdatedSince.IsZero() || l.Updated >= q.UpdatedSince.Unix())
}

// covers tells whether the data covers a part of the period that is asked for. Of an entry
// whose period is not stated nobody knows.
func (q *Query) covers(l *Line) bool {
	if q.Since.IsZero() && q.Until.IsZero() {
		return true
	}
	if !q.Since.IsZero() && !q.Until.IsZero() && q.Until.Before(q.Since) {
		return false
	}
	return (l.From != 0 || l.To != 0) &&
		(q.Until.IsZero() || l.From == 0 || l.From <= q.Until.Unix()) &&
		(q.Since.IsZero() || l.To == 0 || l.To >= q.Since.Unix())
}

// permutation is the order of all lines by a key, computed once per snapshot.
// Unknown values come last in both directions; ties are broken by id.
func (c *Catalog) permutation(key SortKey, desc bool) []int32 {
	if key == "" {
		key, desc = SortRanking, true
	}
	type name struct {
		key  SortKey
		desc bool
	}
	if p, ok := c.sorted.Load(name{key, desc}); ok {
		return p.([]int32)
	}
	order := c.every()
	compare := c.comparison(key)
	slices.SortFunc(order, func(a, b int32) int {
		r, unknown := compare(a, b)
		if desc && !unknown {
			r = -r
		}
		if r != 0 {
			return r
		}
		return cmp.Compare(a, b)
	})
	c.sorted.Store(name{key, desc}, order)
	return order
}

// comparison returns the ascending comparison of a key, and whether an unknown
// value decided it.
func (c *Catalog) comparison(key SortKey) func(a, b int32) (int, bool) {
	compare := func(a, b *Line) (int, bool) { return cmp.Compare(a.Ranking, b.Ranking), false }
	switch key {
	case SortName:
		names := c.sortNames()
		return func(a, b int32) (int, bool) { return cmp.Compare(names[a], names[b]), false }
	case SortCreated:
		compare = numbers(func(l *Line) int64 { return l.Created }, 0)
	case SortVerified:
		compare = numbers(func(l *Line) int64 { return l.Verified }, 0)
	case SortLatency:
		compare = numbers(func(l *Line) int64 { return int64(l.P50) }, -1)
	}
	return func(a, b int32) (int, bool) { return compare(&c.Lines[a], &c.Lines[b]) }
}

// sortNames are the folded names. A snapshot that was read does not keep them,
// because they are long and used once.
func (c *Catalog) sortNames() []string {
	names := make([]string, len(c.Lines))
	for i := range c.Lines {
		if names[i] = c.Lines[i].Sort; names[i] == "" {
			names[i] = search.Fold(c.Lines[i].Name)
		}
	}
	return names
}

func numbers(get func(*Line) int64, unknown int64) func(a, b *Line) (int, bool) {
	return func(a, b *Line) (int, bool) {
		x, y := get(a), get(b)
		switch {
		case x == unknown && y == unknown:
			return 0, true
		case x == unknown:
			return 1, true
		case y == unknown:
			return -1, true
		}
		return cmp.Compare(x, y), false
	}
}
