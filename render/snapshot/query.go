package snapshot

import (
	"cmp"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// Query narrows and orders a list. Filters AND together, the values of one
// filter OR together, but all Tags must be carried (decisions §3). Empty
// fields do not narrow, except Status: none means ACTIVE.
type Query struct {
	Types        []catalog.EntryType
	Public       *bool
	Countries    []string
	InstTypes    []catalog.InstitutionType
	Institutions []string
	Tags         []string
	States       []catalog.VerificationState
	Statuses     []catalog.Status
	FreeAccess   []catalog.FreeAccessClass
	Auth         []catalog.AuthType
	Rights       []catalog.AccessRights
	Tiers        []catalog.MQATier
	Maturities   []catalog.Maturity
	Formats      []string
	Langs        []string
	Licenses     []string
	Themes       []string
	// Since and Until are a period; what covers a part of it fits. Zero is an open end.
	Since, Until time.Time
	// Series are ids; [Catalog.Resolve] makes keys of them.
	Series       []string
	keys         map[uint64]bool
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
	if len(q.Statuses) == 0 {
		q.Statuses = []catalog.Status{catalog.StatusActive}
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

// Resolve finds the series that a query names; one that does not exist has no
// members.
func (c *Catalog) Resolve(q Query) Query {
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

// Matches tells whether the values of a line fit the filters. Unlike [Catalog.List]
// it takes no Statuses for all.
func (q *Query) Matches(l *Line) bool {
	return one(q.Statuses, l.Status) && one(q.Types, l.Type) && one(q.Countries, l.Country) &&
		one(q.InstTypes, l.InstType) && one(q.Institutions, l.InstitutionID) && one(q.States, l.State) &&
		one(q.FreeAccess, l.FreeAccess) && one(q.Auth, l.Auth) && one(q.Rights, l.Rights) && one(q.Tiers, l.Tier) &&
		one(q.Maturities, l.Maturity) && one(q.Langs, l.Lang) && any1(q.Formats, l.Formats) &&
		one(q.Licenses, l.LicenseID) && any1(q.Themes, l.Themes) && q.covers(l) &&
		all(q.Tags, l.Tags) && (q.Public == nil || *q.Public == l.Public) &&
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

func one[T ~string](wanted []T, have T) bool {
	return len(wanted) == 0 || slices.Contains(wanted, have)
}

func any1(wanted, have []string) bool {
	return len(wanted) == 0 || slices.ContainsFunc(have, func(s string) bool { return slices.Contains(wanted, s) })
}

func all(wanted, have []string) bool {
	return !slices.ContainsFunc(wanted, func(s string) bool { return !slices.Contains(have, s) })
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
