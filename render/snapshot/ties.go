package snapshot

import "slices"

// TieKind names how two entries are tied by a fact.
type TieKind string

// Kinds of ties, in the order in which they are listed.
const (
	TieSuccessor   TieKind = "successor"
	TiePredecessor TieKind = "predecessor"
	TieServes      TieKind = "serves"
	TieServedBy    TieKind = "served_by"
	TieDuplicate   TieKind = "possible_duplicate"
	TieInstitution TieKind = "same_institution"
	TieHost        TieKind = "same_host"
)

// tiesMax bounds the ties of one kind.
const tiesMax = 10

// Tie is a fact that links an entry to another one.
type Tie struct {
	Kind    TieKind
	Ordinal int32
}

// Relations returns the facts that tie the entry at the ordinal to others:
// succession, service and dataset, the same institution, the same host. The
// last two are bounded to the entries whose names come next to its own; the host
// adds those of other institutions. The list is shared with other callers.
func (c *Catalog) Relations(ordinal int) []Tie { return c.near(ordinal).ties }

// ties finds the relations of the entry.
func (c *Catalog) ties(ordinal int) []Tie {
	p, self := c.postings(), &c.Lines[ordinal]
	kinds := [...]struct {
		kind TieKind
		list []int32
	}{
		{TieSuccessor, c.ordinals(self.Successor)},
		{TiePredecessor, p.predecessors.of(int32(ordinal) + 1)},
		{TieServes, both(c.ordinals(self.Serves...), p.served.of(int32(ordinal)+1))},
		{TieServedBy, both(p.servers.of(int32(ordinal)+1), c.ordinals(self.ServedBy...))},
		{TieDuplicate, c.ordinals(self.MayBe...)},
		{TieInstitution, c.placedAround(ordinal, placeInstitution)},
		{TieHost, c.placedAround(ordinal, placeHost)},
	}
	total := 0
	for i := range kinds {
		total += min(tiesMax, len(kinds[i].list))
	}
	out := make([]Tie, 0, total)
	for i := range kinds {
		n := 0
		for _, other := range kinds[i].list {
			if int(other) == ordinal || kinds[i].kind == TieHost && p.places[ordinal].shares(&p.places[other], placeInstitution) {
				continue
			}
			if n < tiesMax {
				out = append(out, Tie{kinds[i].kind, other})
				n++
			}
		}
	}
	return out
}

// placedAround are those next to the entry that share its institution or host.
func (c *Catalog) placedAround(ordinal, k int) []int32 {
	p := c.postings()
	return p.around(p.placed[k].of(p.places[ordinal][k]), ordinal, tiesMax+1)
}

// both are the entries of two lists, each once.
func both(a, b []int32) []int32 {
	if len(b) == 0 {
		return a
	}
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// ordinals are those of ids, which may be empty or unknown.
func (c *Catalog) ordinals(ids ...string) []int32 {
	var out []int32
	for _, id := range ids {
		if id == "" {
			continue
		}
		if i := c.ByID(id); i >= 0 {
			out = append(out, int32(i))
		}
	}
	return out
}

// MergedFrom returns the tombstones of the entries that became part of this one.
func (c *Catalog) MergedFrom(id string) []Tombstone {
	return c.postings().merged[id]
}
