package query

import (
	"cmp"

	"github.com/assay-register/assay/render/snapshot"
)

// counter counts the values of results by their codes, of every dimension.
type counter struct {
	c *columns
	// entries are to be counted: by one column after the other, which then stays in the caches.
	entries []uint32
	// group are the counts of the codes of one group, all those of values.
	group []uint32
	all   []tally
	// seen has for each code the last series that had it, of those that were counted.
	seen   [][]uint32
	series uint32
}

func newCounter(c *columns) *counter {
	n := &counter{c: c, all: make([]tally, len(c.of)), group: make([]uint32, groupMax)}
	for k := range n.all {
		n.all[k] = newTally(len(c.of[k].values))
	}
	return n
}

// reset makes a counter fit for the next answer.
func (n *counter) reset() {
	for k := range n.all {
		n.all[k].reset()
	}
	for k := range n.seen {
		clear(n.seen[k])
	}
	n.entries, n.series = n.entries[:0], 0
}

// add notes that the values of an entry of the columns count.
func (n *counter) add(i uint32) { n.entries = append(n.entries, i) }

// count counts the values of the entries that were noted.
func (n *counter) count() {
	for _, g := range n.c.groups {
		for _, i := range n.entries {
			n.group[g.codes[i]]++
		}
		for code, times := range n.group[:g.size] {
			if times > 0 {
				n.spread(g, uint32(code), times)
			}
		}
		clear(n.group)
	}
	for _, k := range n.c.wide {
		sets, t := &n.c.of[k].sets, &n.all[k]
		for _, i := range n.entries {
			for _, code := range sets.at(i) {
				t.add(code, 1)
			}
		}
	}
	n.entries = n.entries[:0]
}

// spread counts what a code of a group stands for.
func (n *counter) spread(g *group, code, times uint32) {
	for _, d := range g.of {
		for _, v := range n.c.of[d].sets.at(code) {
			n.all[d].add(v, times)
		}
	}
}

// addSeries counts each value that one of the entries of a series has once: so many rows
// has a collapsed list that is narrowed to it.
func (n *counter) addSeries(list []result) {
	if n.seen == nil {
		n.seen = make([][]uint32, len(n.all))
		for k := range n.seen {
			n.seen[k] = make([]uint32, len(n.c.of[k].values))
		}
	}
	n.series++
	for k := range n.all {
		for _, x := range list {
			for _, code := range n.c.of[k].at(x.ordinal) {
				if n.seen[k][code] != n.series {
					n.seen[k][code] = n.series
					n.all[k].add(code, 1)
				}
			}
		}
	}
}

// addLine counts the values of an entry that has no place in the columns.
func (n *counter) addLine(l *snapshot.Line) {
	dimensions := snapshot.Dimensions()
	var room [1]string
	for k := range dimensions {
		for _, v := range dimensions[k].Values(l, room[:0]) {
			n.all[k].addValue(n.c.of[k].known, v)
		}
	}
}

// facets are the counts, of each dimension so many values at most.
func (n *counter) facets(most int) snapshot.Facets {
	n.count()
	var f snapshot.Facets
	dimensions := snapshot.Dimensions()
	for k := range dimensions {
		if d := &dimensions[k]; d.Counted {
			*d.Counts(&f) = n.all[k].top(n.c.of[k].values, most)
		}
	}
	return f
}

// tally counts codes of which most do not occur, and values without a code.
type tally struct {
	counts []uint32
	met    []uint32
	others map[string]int
}

func newTally(n int) tally { return tally{counts: make([]uint32, n)} }

func (t *tally) add(code, times uint32) {
	if t.counts[code] == 0 {
		t.met = append(t.met, code)
	}
	t.counts[code] += times
}

func (t *tally) addValue(known map[string]uint32, value string) {
	if code, ok := known[value]; ok {
		t.add(code, 1)
		return
	}
	if t.others == nil {
		t.others = map[string]int{}
	}
	t.others[value]++
}

func (t *tally) reset() {
	for _, code := range t.met {
		t.counts[code] = 0
	}
	t.met, t.others = t.met[:0], nil
}

// facetMax is how many values of one facet a search counts out.
const facetMax = 50

// top are the most frequent values; no value is not counted.
func (t *tally) top(values []string, most int) []snapshot.Count {
	best := topK[snapshot.Count]{n: most, compare: rarer, heap: []snapshot.Count{}}
	for _, code := range t.met {
		if v := values[code]; v != "" {
			best.add(snapshot.Count{Value: v, Count: int(t.counts[code])})
		}
	}
	for v, n := range t.others {
		best.add(snapshot.Count{Value: v, Count: n})
	}
	return best.sorted()
}

// rarer orders counts from the last to the first: ties by value.
func rarer(a, b snapshot.Count) int {
	return cmp.Or(cmp.Compare(a.Count, b.Count), cmp.Compare(b.Value, a.Value))
}
