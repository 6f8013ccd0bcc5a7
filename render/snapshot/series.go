package snapshot

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/series"
)

// Members that a series needs: one that a source states needs two that are listed,
// one that the register derives three with different periods or versions
// (decisions-2 §E).
const (
	statedMin  = 2
	derivedMin = 3
)

// Membership is what a line says of the series that it may be in.
type Membership struct {
	// Key names the series, 0 for none: a hash of what its members share.
	Key uint64 `json:"key,string"`
	// Stated tells that the source names the series; else the register derives it.
	Stated bool `json:"stated,omitempty"`
	// Title is what the source calls a stated series.
	Title string `json:"title,omitempty"`
	// EntryID is the entry of a stated series, "" where it has none.
	EntryID string        `json:"entry_id,omitempty"`
	Period  series.Period `json:"period,omitzero"`
	Version string        `json:"version,omitempty"`
}

// Series are datasets of one publisher that differ by what they are about in time,
// or that their source puts into a series.
type Series struct {
	// ID is a UUIDv5 of what the members share.
	ID string
	// Stated tells that the source names it; else the register derived it from the
	// titles.
	Stated bool
	Title  string
	// Lang is the language of Title.
	Lang    string
	EntryID string
	// Members are the ordinals of the listed members in order of their periods.
	Members []int32
}

// membership is the series that an entry may be in, nil for none.
func membership(e *catalog.Entry) *Membership {
	title := series.Split(e.Name)
	m := &Membership{Period: series.Of(e), Version: title.Version}
	if e.Dataset != nil {
		m.Version = cmp.Or(e.Dataset.Version, m.Version)
	}
	for _, r := range e.Relations {
		if r.Kind == catalog.RelationSeries && r.Ref+r.EntryID != "" {
			m.Key, m.Stated, m.Title, m.EntryID = hash64("stated|"+cmp.Or(r.Ref, r.EntryID)), true, r.Title, r.EntryID
			return m
		}
	}
	publisher := cmp.Or(e.InstitutionID, e.PublisherName)
	if e.Type != catalog.TypeDataset || publisher == "" || title.Stem == "" || m.Period.IsZero() && m.Version == "" {
		return nil
	}
	m.Key = hash64("derived|" + publisher + "|" + title.Stem)
	return m
}

// inSeries is the number of a series and a member of it.
type inSeries struct {
	key     uint64
	ordinal int32
}

// Series are all series of the snapshot, by id. The list is shared with other
// callers.
func (c *Catalog) Series() []Series {
	c.grouping.Do(c.group)
	return c.groups
}

// SeriesOf is the series of the entry at the ordinal, nil for none.
func (c *Catalog) SeriesOf(ordinal int) *Series {
	c.grouping.Do(c.group)
	if c.member == nil || c.member[ordinal] == 0 {
		return nil
	}
	return &c.groups[c.member[ordinal]-1]
}

// SeriesByID is the series with an id, nil for none.
func (c *Catalog) SeriesByID(id string) *Series {
	list := c.Series()
	if i, ok := slices.BinarySearchFunc(list, id, func(s Series, id string) int { return strings.Compare(s.ID, id) }); ok {
		return &list[i]
	}
	return nil
}

// Collapse keeps of each series the entry that comes first.
func (c *Catalog) Collapse(ordinals []int32) []int32 {
	seen := map[*Series]bool{}
	out := make([]int32, 0, len(ordinals))
	for _, i := range ordinals {
		if s := c.SeriesOf(int(i)); s != nil {
			if seen[s] {
				continue
			}
			seen[s] = true
		}
		out = append(out, i)
	}
	return out
}

// group finds the series: those that share a key stand beside each other once they
// are sorted, so that the work grows with the entries only.
func (c *Catalog) group() {
	var all []inSeries
	for i := range c.Lines {
		if l := &c.Lines[i]; l.Member != nil && l.Listed() {
			all = append(all, inSeries{l.Member.Key, int32(i)})
		}
	}
	slices.SortFunc(all, func(a, b inSeries) int {
		return cmp.Or(cmp.Compare(a.key, b.key), c.compareMembers(a.ordinal, b.ordinal))
	})
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].key == all[0].key {
			n++
		}
		if s, ok := c.seriesOf(all[:n]); ok {
			c.groups = append(c.groups, s)
		}
		all = all[n:]
	}
	slices.SortFunc(c.groups, func(a, b Series) int { return strings.Compare(a.ID, b.ID) })
	if len(c.groups) > 0 {
		c.member = make([]int32, len(c.Lines))
	}
	for n := range c.groups {
		for _, i := range c.groups[n].Members {
			c.member[i] = int32(n + 1)
		}
	}
}

func (c *Catalog) compareMembers(a, b int32) int {
	x, y := c.Lines[a].Member, c.Lines[b].Member
	return cmp.Or(x.Period.Compare(y.Period), strings.Compare(x.Version, y.Version), cmp.Compare(a, b))
}

// seriesOf makes a series of those that share a key; false if they are too few, or
// do not differ.
func (c *Catalog) seriesOf(list []inSeries) (Series, bool) {
	first, different := c.Lines[list[0].ordinal].Member, 1
	s := Series{ID: catalog.NewID("series", strconv.FormatUint(list[0].key, 16)), Stated: first.Stated}
	for i, x := range list {
		m := c.Lines[x.ordinal].Member
		if prev := c.Lines[list[max(i-1, 0)].ordinal].Member; m.Period != prev.Period || m.Version != prev.Version {
			different++
		}
		s.Members = append(s.Members, x.ordinal)
		s.Title, s.EntryID = cmp.Or(s.Title, m.Title), cmp.Or(s.EntryID, m.EntryID)
	}
	if s.Stated && len(list) < statedMin || !s.Stated && different < derivedMin {
		return s, false
	}
	newest := &c.Lines[list[len(list)-1].ordinal]
	if i := c.ByID(s.EntryID); s.EntryID != "" && i >= 0 {
		newest, s.Title = &c.Lines[i], c.Lines[i].Name
	}
	s.Lang = newest.Lang
	s.Title = cmp.Or(s.Title, series.Split(newest.Name).Rest, newest.Name)
	return s, true
}
