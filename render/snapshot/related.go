package snapshot

import (
	"cmp"
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// Bounds of the search for related entries: an entry is compared with at most
// tagsMax × postingMax others, never with all. Of a common tag the entries
// ranked best are taken.
const (
	tagsMax    = 12
	postingMax = 64
	relatedMax = 10
)

// Neighbour is another entry with the reasons why it is close.
type Neighbour struct {
	Ordinal int32
	// Points is the sum of the reasons' weights.
	Points int
	// Tags are the shared ones; the flags say what else is shared.
	Tags            []string
	SameInstitution bool
	SameHost        bool
	SameCountry     bool
	Concepts        []string
}

// postings lists, for what entries can share, who has it, best ranked first.
type postings struct {
	tag, institution, host, concept map[string][]int32
	tagCount                        map[string]int
	// predecessors and servers are the reverse of Successor and Serves.
	predecessors, servers map[string][]int32
	merged                map[string][]Tombstone
}

func (c *Catalog) postings() *postings {
	c.once.Do(func() {
		p := &postings{
			tag: map[string][]int32{}, institution: map[string][]int32{}, host: map[string][]int32{}, concept: map[string][]int32{},
			tagCount: map[string]int{}, predecessors: map[string][]int32{}, servers: map[string][]int32{}, merged: map[string][]Tombstone{},
		}
		put := func(m map[string][]int32, key string, i int32) {
			if key != "" && len(m[key]) < postingMax {
				m[key] = append(m[key], i)
			}
		}
		for _, i := range c.Order {
			l := &c.Lines[i]
			put(p.institution, l.InstitutionID, i)
			put(p.host, l.Host, i)
			for _, t := range l.Tags {
				p.tagCount[t]++
				put(p.tag, t, i)
			}
			for _, t := range l.Concepts {
				put(p.concept, t, i)
			}
		}
		for i := range c.Lines {
			put(p.predecessors, c.Lines[i].Successor, int32(i))
			for _, id := range c.Lines[i].Serves {
				put(p.servers, id, int32(i))
			}
		}
		for _, t := range c.Gone {
			if t.Successor != "" {
				p.merged[t.Successor] = append(p.merged[t.Successor], t)
			}
		}
		c.related = p
	})
	return c.related
}

// Related returns the entries closest to the one at the ordinal: those that
// share rare tags, the institution, canonical identifiers or the host.
func (c *Catalog) Related(ordinal int) []Neighbour {
	found := c.candidates(ordinal, false)
	return top(found)
}

// Alternatives returns entries that could serve instead: the same type, a
// shared topic, from another place, and not failing.
func (c *Catalog) Alternatives(ordinal int) []Neighbour {
	self := &c.Lines[ordinal]
	found := slices.DeleteFunc(c.candidates(ordinal, true), func(n Neighbour) bool {
		l := &c.Lines[n.Ordinal]
		return l.Type != self.Type || len(n.Tags) == 0 || n.SameHost || l.State == catalog.StateFailing
	})
	return top(found)
}

func top(found []Neighbour) []Neighbour {
	slices.SortFunc(found, func(a, b Neighbour) int {
		if r := cmp.Compare(b.Points, a.Points); r != 0 {
			return r
		}
		return cmp.Compare(a.Ordinal, b.Ordinal)
	})
	return found[:min(len(found), relatedMax)]
}

// candidates collects everyone who shares something with the entry.
func (c *Catalog) candidates(ordinal int, topicOnly bool) []Neighbour {
	p, self := c.postings(), &c.Lines[ordinal]
	found := make([]Neighbour, 0, 64)
	at := make(map[int32]int, 128)
	touch := func(i int32) *Neighbour {
		k, ok := at[i]
		if !ok {
			k = len(found)
			at[i] = k
			found = append(found, Neighbour{Ordinal: i})
		}
		return &found[k]
	}
	for _, t := range rarest(self.Tags, p.tagCount) {
		for _, i := range p.tag[t] {
			if int(i) != ordinal {
				touch(i)
			}
		}
	}
	if !topicOnly {
		for _, list := range [][]int32{p.institution[self.InstitutionID], p.host[self.Host]} {
			for _, i := range list {
				if int(i) != ordinal {
					touch(i)
				}
			}
		}
		for _, t := range self.Concepts {
			for _, i := range p.concept[t] {
				if int(i) != ordinal {
					touch(i)
				}
			}
		}
	}
	for k := range found {
		c.explain(&found[k], self, p)
	}
	return found
}

// rarest returns up to tagsMax tags, the least common first.
func rarest(tags []string, count map[string]int) []string {
	out := slices.Clone(tags)
	slices.SortFunc(out, func(a, b string) int {
		if r := cmp.Compare(count[a], count[b]); r != 0 {
			return r
		}
		return cmp.Compare(a, b)
	})
	return out[:min(len(out), tagsMax)]
}

// explain weighs what two entries share. A tag weighs more the fewer entries
// carry it.
func (c *Catalog) explain(n *Neighbour, self *Line, p *postings) {
	l := &c.Lines[n.Ordinal]
	for _, t := range self.Tags {
		if _, ok := slices.BinarySearch(l.Tags, t); ok {
			n.Tags = append(n.Tags, t)
			n.Points += tagPoints(p.tagCount[t], len(c.Order))
		}
	}
	if self.InstitutionID != "" && self.InstitutionID == l.InstitutionID {
		n.SameInstitution = true
		n.Points += 30
	}
	if self.Host != "" && self.Host == l.Host {
		n.SameHost = true
		n.Points += 20
	}
	if self.Country != "" && self.Country == l.Country {
		n.SameCountry = true
		n.Points += 5
	}
	for _, t := range self.Concepts {
		if slices.Contains(l.Concepts, t) {
			n.Concepts = append(n.Concepts, t)
			n.Points += 25
		}
	}
}

// tagPoints is 10 for a tag that most entries carry and up to 50 for a rare
// one: ten more for each time the share falls to a tenth.
func tagPoints(count, total int) int {
	points := 10
	for n := count * 10; n <= total && points < 50; n *= 10 {
		points += 10
	}
	return points
}
