package snapshot

// TieKind names how two entries are tied by a fact.
type TieKind string

// Kinds of ties, in the order in which they are listed.
const (
	TieSuccessor   TieKind = "successor"
	TiePredecessor TieKind = "predecessor"
	TieServes      TieKind = "serves"
	TieServedBy    TieKind = "served_by"
	TieInstitution TieKind = "same_institution"
	TieHost        TieKind = "same_host"
)

// tiesMax bounds the ties of one kind.
const tiesMax = 20

// Tie is a fact that links an entry to another one.
type Tie struct {
	Kind    TieKind
	Ordinal int32
}

// Relations returns the facts that tie the entry at the ordinal to others:
// succession, service and dataset, the same institution, the same host. The
// last two are bounded to the entries ranked best.
func (c *Catalog) Relations(ordinal int) []Tie {
	p, self := c.postings(), &c.Lines[ordinal]
	var out []Tie
	add := func(kind TieKind, list []int32) {
		n := 0
		for _, i := range list {
			if int(i) != ordinal && n < tiesMax {
				out = append(out, Tie{kind, i})
				n++
			}
		}
	}
	add(TieSuccessor, c.ordinals(self.Successor))
	add(TiePredecessor, p.predecessors[self.ID])
	add(TieServes, c.ordinals(self.Serves...))
	add(TieServedBy, p.servers[self.ID])
	add(TieInstitution, p.institution[self.InstitutionID])
	add(TieHost, p.host[self.Host])
	return out
}

func (c *Catalog) ordinals(ids ...string) []int32 {
	var out []int32
	for _, id := range ids {
		if i := c.ByID(id); id != "" && i >= 0 {
			out = append(out, int32(i))
		}
	}
	return out
}

// MergedFrom returns the tombstones of the entries that became part of this one.
func (c *Catalog) MergedFrom(id string) []Tombstone {
	return c.postings().merged[id]
}
