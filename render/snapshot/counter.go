package snapshot

import (
	"slices"
	"sync"
)

// Counter counts values of dimensions over many selections of a catalog: it knows by number
// what each line has, four bytes for each value.
type Counter struct {
	columns []column
	rooms   sync.Pool
}

// column is a dimension: what each line has of it, and the values by their numbers.
type column struct {
	of     *Dimension
	has    lists
	values []string
}

// Counter makes a counter of the dimensions with these names.
func (c *Catalog) Counter(names ...string) *Counter {
	k := &Counter{}
	most := 0
	for i := range dimensions {
		d := &dimensions[i]
		if !d.Counted || !slices.Contains(names, d.Name) {
			continue
		}
		numbers, col := numbering{"": 0}, column{of: d, values: []string{""}}
		col.has.from = make([]int32, 1, len(c.Lines)+1)
		var room [1]string
		for n := range c.Lines {
			col.has.add(numbers, d.Values(&c.Lines[n], room[:0]))
		}
		col.values = make([]string, len(numbers))
		for v, n := range numbers {
			col.values[n] = v
		}
		most = max(most, len(numbers))
		k.columns = append(k.columns, col)
	}
	k.rooms.New = func() any { return &tallied{counts: make([]int32, most)} }
	return k
}

// tallied is room for one count; all counts are 0 when it is not in use.
type tallied struct{ counts, seen []int32 }

// Facets counts the values of the selected ordinals, as those of the catalog do.
func (k *Counter) Facets(selected []int32) Facets {
	var f Facets
	t := k.rooms.Get().(*tallied)
	defer k.rooms.Put(t)
	for i := range k.columns {
		c := &k.columns[i]
		*c.of.Counts(&f) = c.tally(t, selected)
	}
	return f
}

func (c *column) tally(t *tallied, selected []int32) []Count {
	t.seen = t.seen[:0]
	for _, i := range selected {
		for _, v := range c.has.of(i) {
			if v == 0 {
				continue
			}
			if t.counts[v]++; t.counts[v] == 1 {
				t.seen = append(t.seen, v)
			}
		}
	}
	out := make([]Count, len(t.seen))
	for n, v := range t.seen {
		out[n] = Count{c.values[v], int(t.counts[v])}
		t.counts[v] = 0
	}
	return mostFrequent(out)
}
