package snapshot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Holding is an institution with the ordinals of its visible entries, of which
// Listed are in lists.
type Holding struct {
	Institution *catalog.Institution
	Ordinals    []int32
	Listed      int
}

// State is what the register knows of the institution.
func (h *Holding) State() catalog.InstitutionState {
	return cmp.Or(h.Institution.State, catalog.InstitutionKnown)
}

// Holdings are the institutions that have a visible entry, those with the most
// listed entries first, ties by id.
func (c *Catalog) Holdings() []Holding {
	byID := map[string]*Holding{}
	for i := range c.Lines {
		l := &c.Lines[i]
		inst := c.Institutions[l.InstitutionID]
		if inst == nil || !catalog.IsID(inst.ID) {
			continue
		}
		h := byID[inst.ID]
		if h == nil {
			h = &Holding{Institution: inst}
			byID[inst.ID] = h
		}
		h.Ordinals = append(h.Ordinals, int32(i))
		if l.Listed() {
			h.Listed++
		}
	}
	out := make([]Holding, 0, len(byID))
	for _, h := range byID {
		out = append(out, *h)
	}
	slices.SortFunc(out, func(a, b Holding) int {
		return cmp.Or(cmp.Compare(b.Listed, a.Listed), strings.Compare(a.Institution.ID, b.Institution.ID))
	})
	return out
}
