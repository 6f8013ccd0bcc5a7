package wire

import (
	"strings"
	"time"

	"github.com/assay-register/assay/render/snapshot"
)

var tieLabels = map[snapshot.TieKind][2]string{
	snapshot.TieSuccessor:   {"Successor", "takes the place of this entry"},
	snapshot.TiePredecessor: {"Predecessor", "was deprecated in favour of this entry"},
	snapshot.TieServes:      {"Serves", "a dataset that this service serves"},
	snapshot.TieServedBy:    {"Served by", "a service that serves this dataset"},
	snapshot.TieDuplicate:   {"Possibly the same", "may be the same thing in another catalogue"},
	snapshot.TieInstitution: {"Same institution", "published by the same institution"},
	snapshot.TieHost:        {"Same host", "served from the same host"},
}

// NewRelations lists the facts that tie an entry to others, and the latest
// change among what is shown.
func NewRelations(c *snapshot.Catalog, ordinal int) (Relations, time.Time) {
	self := &c.Lines[ordinal]
	ties := c.Relations(ordinal)
	out := Relations{EntryID: self.ID, Items: make([]Relation, 0, len(ties)), MergedFrom: []Tombstone{}}
	changed := self.Published
	for _, t := range ties {
		l := &c.Lines[t.Ordinal]
		text := tieLabels[t.Kind]
		out.Items = append(out.Items, Relation{string(t.Kind), text[0], NewRef(l), text[1]})
		changed = max(changed, l.Shown)
	}
	for _, t := range c.MergedFrom(self.ID) {
		out.MergedFrom = append(out.MergedFrom, NewTombstone(t))
		changed = max(changed, t.At.Unix())
	}
	series, at := newEntrySeries(c, ordinal)
	out.Series, changed = series, max(changed, at)
	return out, time.Unix(changed, 0)
}

// NewTombstone is the public shape of a tombstone.
func NewTombstone(t snapshot.Tombstone) Tombstone {
	return Tombstone{t.ID, t.Slug, list(t.FormerSlugs), t.Reason, null(t.Successor), t.At.UTC().Format(time.RFC3339)}
}

// NewRelated writes neighbours with their reasons, and the latest change among
// what is shown (snapshot.Line, Shown).
func NewRelated(c *snapshot.Catalog, ordinal int, neighbours []snapshot.Neighbour) (Related, time.Time) {
	self := &c.Lines[ordinal]
	out := Related{EntryID: self.ID, Items: make([]RelatedEntry, 0, len(neighbours))}
	changed := self.Published
	for i := range neighbours {
		n := &neighbours[i]
		l := &c.Lines[n.Ordinal]
		out.Items = append(out.Items, RelatedEntry{n.Points, Reasons{
			list(n.Tags), list(n.Concepts), n.SameInstitution, n.SameHost, n.SameCountry, reasonText(n),
		}, NewRef(l)})
		changed = max(changed, l.Shown)
	}
	return out, time.Unix(changed, 0)
}

func reasonText(n *snapshot.Neighbour) string {
	var parts []string
	if len(n.Tags) > 0 {
		parts = append(parts, "shares the tags "+strings.Join(n.Tags, ", "))
	}
	if len(n.Concepts) > 0 {
		parts = append(parts, "has fields in common: "+strings.Join(n.Concepts, ", "))
	}
	if n.SameInstitution {
		parts = append(parts, "same institution")
	}
	if n.SameHost {
		parts = append(parts, "same host")
	}
	if n.SameCountry {
		parts = append(parts, "same country")
	}
	return strings.Join(parts, "; ")
}
