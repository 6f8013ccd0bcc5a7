package snapshot

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

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

	// tagIDs are the tags of each line as numbers, in ascending order; those
	// of the line at i lie between tagsFrom[i] and tagsFrom[i+1]. points are
	// the weights of the tags by number. Entries are compared by them, because
	// comparing numbers costs a tenth of comparing text.
	tagIDs, tagsFrom []int32
	points           []int32
	// places are the institution, host and country of each line, and the type
	// that it can replace, as numbers, 0 for none.
	places  [][4]int32
	scratch sync.Pool
	// recent holds the neighbours found last, by the end of the ordinal.
	recent [64]atomic.Pointer[near]
}

// Places of a line.
const (
	placeInstitution = iota
	placeHost
	placeCountry
	placeType
)

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
			if t.Reason == ReasonMerged {
				p.merged[t.Successor] = append(p.merged[t.Successor], t)
			}
		}
		c.number(p)
		c.related = p
	})
	return c.related
}

// number fills the numbers of tags and places.
func (c *Catalog) number(p *postings) {
	tags, places := map[string]int32{}, [4]map[string]int32{{"": 0}, {"": 0}, {"": 0}, {"": 0}}
	p.tagsFrom, p.places = make([]int32, 1, len(c.Lines)+1), make([][4]int32, len(c.Lines))
	for i := range c.Lines {
		l := &c.Lines[i]
		from := len(p.tagIDs)
		for _, t := range l.Tags {
			id, ok := tags[t]
			if !ok {
				id = int32(len(tags))
				tags[t] = id
				p.points = append(p.points, int32(tagPoints(p.tagCount[t], len(c.Order))))
			}
			p.tagIDs = append(p.tagIDs, id)
		}
		slices.Sort(p.tagIDs[from:])
		p.tagsFrom = append(p.tagsFrom, int32(len(p.tagIDs)))
		replaces := string(l.Type)
		if l.State == catalog.StateFailing {
			replaces = ""
		}
		for k, name := range [4]string{l.InstitutionID, l.Host, l.Country, replaces} {
			id, ok := places[k][name]
			if !ok {
				id = int32(len(places[k]))
				places[k][name] = id
			}
			p.places[i][k] = id
		}
	}
	p.scratch.New = func() any { return &scratch{seen: make([]uint32, len(c.Lines))} }
}

func (p *postings) tagsOf(i int32) []int32 { return p.tagIDs[p.tagsFrom[i]:p.tagsFrom[i+1]] }

// scratch is what one search needs and the next one uses again.
type scratch struct {
	// seen holds for each line the number of the last search that found it.
	seen   []uint32
	search uint32
	found  []candidate
}

// candidate is someone who shares something with an entry.
type candidate struct{ ordinal, points int32 }

// add takes those of a list that are not found yet, but not the entry itself.
func (s *scratch) add(self int, list []int32) {
	for _, i := range list {
		if s.seen[i] != s.search && int(i) != self {
			s.seen[i] = s.search
			s.found = append(s.found, candidate{ordinal: i})
		}
	}
}

// Related returns the entries closest to the one at the ordinal: those that
// share rare tags, the institution, canonical identifiers or the host. The list
// is shared with other callers.
func (c *Catalog) Related(ordinal int) []Neighbour { return c.near(ordinal).related }

// Alternatives returns entries that could serve instead: the same type, a
// shared topic, from another place, and not failing. The list is shared with
// other callers.
func (c *Catalog) Alternatives(ordinal int) []Neighbour { return c.near(ordinal).instead }

// near are the neighbours of an entry.
type near struct {
	ordinal          int
	related, instead []Neighbour
}

// near finds the neighbours of the entry, or remembers them: the page and the
// documents of an entry ask one after the other.
func (c *Catalog) near(ordinal int) *near {
	recent := &c.postings().recent
	slot := &recent[ordinal%len(recent)]
	if n := slot.Load(); n != nil && n.ordinal == ordinal {
		return n
	}
	related, instead := c.closest(ordinal, relatedMax)
	n := &near{ordinal, c.explained(related, ordinal), c.explained(instead, ordinal)}
	slot.Store(n)
	return n
}

// closest returns those closest to the entry and, of those who share a topic,
// the best ones to take its place, each up to a limit.
func (c *Catalog) closest(ordinal, limit int) (related, instead []candidate) {
	p := c.postings()
	s := p.scratch.Get().(*scratch)
	defer p.scratch.Put(s)
	topical := c.collect(s, p, ordinal)
	related = make([]candidate, 0, min(limit, len(s.found))+1)
	for i, n := range s.found {
		shared := c.weigh(&n, ordinal, p)
		related = enter(related, n, limit)
		if shared && i < topical && c.replaces(n.ordinal, ordinal, p) {
			instead = enter(instead, n, limit)
		}
	}
	return related, instead
}

func (c *Catalog) explained(list []candidate, ordinal int) []Neighbour {
	out := make([]Neighbour, len(list))
	for k, n := range list {
		out[k] = Neighbour{Ordinal: n.ordinal, Points: int(n.points)}
		c.explain(&out[k], &c.Lines[ordinal])
	}
	return out
}

// enter puts a candidate at its place in the list of the best: more points
// first, ties by ordinal.
func enter(best []candidate, n candidate, limit int) []candidate {
	k := len(best)
	for k > 0 && (n.points > best[k-1].points || n.points == best[k-1].points && n.ordinal < best[k-1].ordinal) {
		k--
	}
	if k == limit {
		return best
	}
	best = slices.Insert(best, k, n)
	return best[:min(len(best), limit)]
}

// collect finds everyone who shares something with the entry; the first ones,
// whose number it returns, share a topic.
func (c *Catalog) collect(s *scratch, p *postings, ordinal int) (topical int) {
	self := &c.Lines[ordinal]
	s.found = s.found[:0]
	if s.search++; s.search == 0 {
		clear(s.seen)
		s.search = 1
	}
	for _, t := range rarest(self.Tags, p.tagCount) {
		s.add(ordinal, p.tag[t])
	}
	topical = len(s.found)
	s.add(ordinal, p.institution[self.InstitutionID])
	s.add(ordinal, p.host[self.Host])
	for _, t := range self.Concepts {
		s.add(ordinal, p.concept[t])
	}
	return topical
}

// replaces tells whether the entry at other could serve instead of that at
// ordinal, so far as their tags do not decide it.
func (c *Catalog) replaces(other int32, ordinal int, p *postings) bool {
	its, own := &p.places[other], &p.places[ordinal]
	sameType := its[placeType] != 0 && its[placeType] == own[placeType]
	if own[placeType] == 0 { // it is failing itself
		sameType = its[placeType] != 0 && c.Lines[other].Type == c.Lines[ordinal].Type
	}
	return sameType && (its[placeHost] == 0 || its[placeHost] != own[placeHost])
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

// Weights of what two entries share besides tags.
const (
	institutionPoints = 30
	hostPoints        = 20
	countryPoints     = 5
	conceptPoints     = 25
)

// weigh adds up what a candidate shares with the entry at the ordinal, and
// tells whether a tag is among it. A tag weighs more the fewer entries carry
// it.
func (c *Catalog) weigh(n *candidate, ordinal int, p *postings) bool {
	a, b := p.tagsOf(int32(ordinal)), p.tagsOf(n.ordinal)
	shared := false
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n.points += p.points[a[0]]
			shared = true
			a, b = a[1:], b[1:]
		}
	}
	own, its := &p.places[ordinal], &p.places[n.ordinal]
	for k, points := range [3]int32{placeInstitution: institutionPoints, placeHost: hostPoints, placeCountry: countryPoints} {
		if own[k] != 0 && own[k] == its[k] {
			n.points += points
		}
	}
	for _, t := range c.Lines[ordinal].Concepts {
		if slices.Contains(c.Lines[n.ordinal].Concepts, t) {
			n.points += conceptPoints
		}
	}
	return shared
}

// explain names what a neighbour shares with the entry.
func (c *Catalog) explain(n *Neighbour, self *Line) {
	l := &c.Lines[n.Ordinal]
	for _, t := range self.Tags {
		if slices.Contains(l.Tags, t) {
			n.Tags = append(n.Tags, t)
		}
	}
	n.SameInstitution = self.InstitutionID != "" && self.InstitutionID == l.InstitutionID
	n.SameHost = self.Host != "" && self.Host == l.Host
	n.SameCountry = self.Country != "" && self.Country == l.Country
	for _, t := range self.Concepts {
		if slices.Contains(l.Concepts, t) {
			n.Concepts = append(n.Concepts, t)
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
