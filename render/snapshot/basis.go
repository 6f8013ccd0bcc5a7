package snapshot

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// Sums are hashes by which a build tells that documents of several entries stay as they are. They
// are not part of the snapshot.
type Sums struct {
	// All is one of all that the register shows of the entry, Face one of what the pages of others may
	// show, Row one of what lists may; 0 is not known.
	All, Face, Row uint64
}

// SumUp fills the sums of a line that is complete: rows is a hash of the rows of the tables
// that the entry is judged by, about one of what lists show of its text.
func (l *Line) SumUp(rows, about uint64) error {
	all, traits := *l, *l.Traits
	all.Traits, all.Item, all.Checked = &traits, Span{}, 0
	a, err := json.Marshal(&all)
	if err != nil {
		return fmt.Errorf("sum of entry %s: %w", l.ID, err)
	}
	// What only the entry's own documents show, what finds neighbours and is named by Beside, and
	// what counts values (Facets).
	all.Digest, all.Cells, all.Changed, all.Updated, all.ContentChanged, all.Verified = "", Cells{}, 0, 0, 0, 0
	all.P50, all.Gained, all.Ranking, all.Trust, all.Confidence, all.Created = 0, 0, 0, 0, 0, 0
	all.Tags, all.Concepts, all.HVD, all.Places, all.Allows, all.Frequency = nil, nil, nil, nil, nil, ""
	all.Months = ""
	all.From, all.To, all.Download, all.Public, all.Maturity, all.Capability, all.Auth = 0, 0, false, false, "", "", ""
	f, err := json.Marshal(&all)
	if err != nil {
		return fmt.Errorf("sum of entry %s: %w", l.ID, err)
	}
	l.Sums.All = xxhash.Sum64(binary.BigEndian.AppendUint64(a, rows))
	f = binary.BigEndian.AppendUint64(f, rows)
	l.Sums.Face, l.Sums.Row = xxhash.Sum64(f), xxhash.Sum64(binary.BigEndian.AppendUint64(f, about))
	return nil
}

// Basis sums up what a document shows. Its zero value is empty.
type Basis struct {
	b       []byte
	unknown bool
}

// Text adds a text.
func (b *Basis) Text(list ...string) {
	for _, s := range list {
		b.b = append(binary.AppendUvarint(b.b, uint64(len(s))), s...)
	}
}

// Number adds numbers.
func (b *Basis) Number(list ...int) {
	for _, n := range list {
		b.b = binary.AppendVarint(b.b, int64(n))
	}
}

// Flag adds what holds or not.
func (b *Basis) Flag(list ...bool) {
	for _, f := range list {
		n := 0
		if f {
			n = 1
		}
		b.Number(n)
	}
}

// Add adds a hash of something; 0 tells that it is not known, nor then the whole.
func (b *Basis) Add(sum uint64) {
	b.unknown = b.unknown || sum == 0
	b.b = binary.BigEndian.AppendUint64(b.b, sum)
}

// Sum is the hash of all that was added, 0 where it is not known.
func (b *Basis) Sum() uint64 {
	if b.unknown {
		return 0
	}
	return max(1, xxhash.Sum64(b.b))
}

// Beside sums up what documents show of the entry at an ordinal and of those that the snapshot sets
// beside it: relations, related entries, alternatives, its series, what it serves and what serves it.
func (c *Catalog) Beside(ordinal int) Basis {
	l := &c.Lines[ordinal]
	b := Basis{b: make([]byte, 0, 1<<10)}
	b.Add(l.Sums.All)
	ties := c.Relations(ordinal)
	b.Number(len(ties))
	for _, t := range ties {
		b.Text(string(t.Kind))
		b.Add(c.Lines[t.Ordinal].Sums.Face)
	}
	for _, list := range [][]Neighbour{c.Related(ordinal), c.Alternatives(ordinal)} {
		b.Number(len(list))
		for i := range list {
			b.neighbour(c, &list[i])
		}
	}
	for _, t := range c.MergedFrom(l.ID) {
		b.Text(fmt.Sprint(t))
	}
	b.series(c, ordinal)
	for _, i := range c.ordinals(l.Serves...) {
		b.Add(c.Lines[i].Sums.Face)
	}
	b.b = binary.BigEndian.AppendUint64(b.b, c.postings().serving[int32(ordinal)])
	return b
}

func (b *Basis) neighbour(c *Catalog, n *Neighbour) {
	b.Flag(n.SameInstitution, n.SameHost, n.SameCountry)
	b.Number(n.Points, len(n.Tags), len(n.Concepts))
	b.Text(n.Tags...)
	b.Text(n.Concepts...)
	b.Add(c.Lines[n.Ordinal].Sums.Face)
}

// series adds the series of the entry: all of its members with the first one, beside which its own
// document lies.
func (b *Basis) series(c *Catalog, ordinal int) {
	s := c.SeriesOf(ordinal)
	b.Flag(s != nil)
	if s == nil {
		return
	}
	b.Text(s.ID, s.Title, s.Lang, s.EntryID)
	b.Flag(s.Stated)
	at := slices.Index(s.Members, int32(ordinal))
	b.Number(len(s.Members), at)
	for _, near := range []int{0, at - 1, at + 1} {
		if near >= 0 && near < len(s.Members) {
			b.Add(c.Lines[s.Members[near]].Sums.Face)
		}
	}
	if i := c.ByID(s.EntryID); s.EntryID != "" && i >= 0 {
		b.Add(c.Lines[i].Sums.Face)
	}
	if at == 0 {
		for _, i := range s.Members {
			b.Add(c.Lines[i].Sums.Face)
		}
	}
}

// reverse sums up, for each entry that others serve, what is shown of these.
func (c *Catalog) reverse() map[int32]uint64 {
	sums := map[int32]uint64{}
	for i := range c.Lines {
		for _, of := range c.ordinals(c.Lines[i].Serves...) {
			sums[of] += c.Lines[i].Sums.All
		}
	}
	return sums
}
