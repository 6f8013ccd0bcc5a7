package snapshot

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/assay-register/assay/render/catalog"
)

// postings tells by number what lines can share, and who has it. It holds
// numbers only: to compare them costs a tenth of comparing text, and the
// collector need not look at them.
type postings struct {
	// tags and concepts are those of each line, in the order of the line, places
	// where it belongs.
	tags, concepts lists
	places         []place
	// counts are how many listed lines have a tag, points what it weighs.
	counts []int32
	points []uint8
	// tagged, identified and placed are who has a tag, a concept, an institution
	// or a host, in the order of names.
	tagged, identified lists
	placed             [2]lists
	// named is the place of each line in the order of names.
	named []int32
	// predecessors, servers and served are the reverse of Successor, Serves and ServedBy, behind
	// the ordinal plus one.
	predecessors, servers, served lists
	merged                        map[string][]Tombstone
	// serving sums up, by the ordinal, what serves it (Beside).
	serving map[int32]uint64

	scratch sync.Pool
	// recent holds what was found last, by the end of the ordinal.
	recent [64]atomic.Pointer[near]
}

// place is the institution, host and country of a line, and the type that it
// can replace; 0 is none.
type place [4]int32

// shares tells whether two lines have the k-th in common.
func (p *place) shares(other *place, k int) bool { return p[k] != 0 && p[k] == other[k] }

const (
	placeInstitution = iota
	placeHost
	placeCountry
	placeType
)

// lists are lists of numbers, one behind the other; that at k begins at from[k]
// and ends where the next one begins.
type lists struct{ from, items []int32 }

func (l *lists) of(k int32) []int32 { return l.items[l.from[k]:l.from[k+1]] }

// add puts the numbers of texts behind the others.
func (l *lists) add(n numbering, texts []string) {
	for _, t := range texts {
		l.items = append(l.items, n.of(t))
	}
	l.from = append(l.from, int32(len(l.items)))
}

// numbering counts texts from 1 in the order in which they come; "" is 0.
type numbering map[string]int32

func (n numbering) of(text string) int32 {
	i, ok := n[text]
	if !ok {
		i = int32(len(n))
		n[text] = i
	}
	return i
}

// group lists who has each of n numbers, in the order of the ordinals and at
// most so many of them; 0 nobody has.
func group(n, most int, ordinals []int32, has func(ordinal int32) []int32) lists {
	room := make([]int32, n)
	for _, i := range ordinals {
		for _, k := range has(i) {
			if k > 0 && int(room[k]) < most {
				room[k]++
			}
		}
	}
	// While the lists are filled, from[k+1] is the next place in that at k; in
	// the end it is where the list ends.
	g := lists{from: make([]int32, n+1)}
	total := int32(0)
	for k := range room {
		g.from[k+1] = total
		total += room[k]
	}
	g.items = make([]int32, total)
	for _, i := range ordinals {
		for _, k := range has(i) {
			if room[k] > 0 {
				room[k]--
				g.items[g.from[k+1]] = i
				g.from[k+1]++
			}
		}
	}
	return g
}

func (c *Catalog) postings() *postings {
	c.once.Do(func() {
		p := &postings{}
		c.number(p)
		c.tie(p)
		p.scratch.New = func() any {
			return &scratch{seen: make([]uint8, len(c.Lines)), own: make([]uint8, len(p.points))}
		}
		c.related = p
	})
	return c.related
}

// number fills the numbers of tags, concepts and places, and who has them.
func (c *Catalog) number(p *postings) {
	tags, concepts := numbering{"": 0}, numbering{"": 0}
	places := [4]numbering{{"": 0}, {"": 0}, {"": 0}, {"": 0}}
	p.tags.from, p.concepts.from = make([]int32, 1, len(c.Lines)+1), make([]int32, 1, len(c.Lines)+1)
	p.places = make([]place, len(c.Lines))
	for i := range c.Lines {
		l := &c.Lines[i]
		p.tags.add(tags, l.Tags)
		p.concepts.add(concepts, l.Concepts)
		replaces := string(l.Type)
		if l.State == catalog.StateFailing {
			replaces = ""
		}
		for k, name := range [4]string{l.InstitutionID, l.Host, l.Country, replaces} {
			p.places[i][k] = places[k].of(name)
		}
	}
	p.counts, p.points = make([]int32, len(tags)), make([]uint8, len(tags))
	for _, i := range c.Order {
		for _, t := range p.tags.of(i) {
			p.counts[t]++
		}
	}
	for t, count := range p.counts {
		p.points[t] = uint8(tagPoints(int(count), len(c.Order)))
	}
	listed := c.name(p)
	p.tagged, p.identified = group(len(tags), len(listed), listed, p.tags.of), group(len(concepts), len(listed), listed, p.concepts.of)
	for k := range p.placed {
		p.placed[k] = group(len(places[k]), len(listed), listed, func(i int32) []int32 { return p.places[i][k : k+1] })
	}
}

// ByName is the order of all lines by their names, and the place of each in it.
func (c *Catalog) ByName() (order, places []int32) {
	order = c.permutation(SortName, false)
	c.naming.Do(func() {
		c.named = make([]int32, len(order))
		for at, i := range order {
			c.named[i] = int32(at)
		}
	})
	return order, c.named
}

// NameRanks are the ranks of the lines in the order of names; lines that are named alike, but for case and accents, share one.
func (c *Catalog) NameRanks() []int32 {
	order, _ := c.ByName()
	c.ranking.Do(func() {
		names := c.sortNames()
		c.alike = make([]int32, len(order))
		for at, i := range order[min(1, len(order)):] {
			before := order[at]
			c.alike[i] = c.alike[before]
			if names[i] != names[before] {
				c.alike[i]++
			}
		}
	})
	return c.alike
}

// name fills the places in the order of names, and lists the listed lines in it.
func (c *Catalog) name(p *postings) (listed []int32) {
	order, places := c.ByName()
	p.named, listed = places, make([]int32, 0, len(c.Order))
	for _, i := range order {
		if c.Lines[i].Listed() {
			listed = append(listed, i)
		}
	}
	return listed
}

// around are those of a list whose names come next to that of the entry at an ordinal, which
// may be among them: as many as are wanted, half of them before it. So an entry that
// changes is shown by a few others, however many have what it has, and what is
// named alike stands together.
func (p *postings) around(list []int32, ordinal, wanted int) []int32 {
	at, _ := slices.BinarySearchFunc(list, p.named[ordinal], func(i, own int32) int { return cmp.Compare(p.named[i], own) })
	from := max(0, min(at-wanted/2, len(list)-wanted))
	return list[from:min(from+wanted, len(list))]
}

// away is how far two entries are from each other in the order of names.
func (p *postings) away(a, b int32) int32 {
	if d := p.named[a] - p.named[b]; d >= 0 {
		return d
	}
	return p.named[b] - p.named[a]
}

// tie fills what leads back from an entry to those that name it.
func (c *Catalog) tie(p *postings) {
	every := c.every()
	p.predecessors = group(len(every)+1, postingMax, every, func(i int32) []int32 { return c.behind(c.Lines[i].Successor) })
	p.servers = group(len(every)+1, postingMax, every, func(i int32) []int32 { return c.behind(c.Lines[i].Serves...) })
	p.served = group(len(every)+1, postingMax, every, func(i int32) []int32 { return c.behind(c.Lines[i].ServedBy...) })
	p.merged, p.serving = map[string][]Tombstone{}, c.reverse()
	for _, t := range c.Gone {
		if t.Reason == ReasonMerged {
			p.merged[t.Successor] = append(p.merged[t.Successor], t)
		}
	}
}

// behind are the ordinals of ids, plus one.
func (c *Catalog) behind(ids ...string) []int32 {
	list := c.ordinals(ids...)
	for k := range list {
		list[k]++
	}
	return list
}
