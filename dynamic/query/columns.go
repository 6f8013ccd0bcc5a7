package query

import (
	"sync"

	"github.com/assay-register/assay/render/snapshot"
)

// columns hold by ordinal what results are narrowed and counted by. A
// line is large and its neighbours lie far away; a column fits the caches of a
// processor.
type columns struct {
	// of are the columns of the dimensions, in their order.
	of     []column
	status *column
	// groups have one code for what an entry has of several dimensions.
	groups []*group
	// wide are the places of the columns that are in none.
	wide []int
	// boost is what the score of an entry is multiplied by.
	boost    []float32
	counters sync.Pool
}

// column has the values of a dimension as codes, of which 0 is none.
type column struct {
	// in is the group that the dimension is in, nil for one of too many different values.
	in *group
	// sets are the codes that each code of the group stands for, or those of each entry.
	sets   sets
	values []string
	known  map[string]uint32
}

// sets are lists of codes.
type sets struct{ ends, codes []uint32 }

func (s *sets) add(codes ...uint32) {
	s.codes = append(s.codes, codes...)
	s.ends = append(s.ends, uint32(len(s.codes)))
}

func (s *sets) at(i uint32) []uint32 {
	from := uint32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.codes[from:s.ends[i]]
}

// boostMax is what the best ranking score adds to the score of a result, as a
// share of it.
const boostMax = 0.25

func newColumns(c *snapshot.Catalog) *columns {
	n := len(c.Lines)
	out := &columns{boost: make([]float32, n)}
	for i := range c.Lines {
		out.boost[i] = float32(1 + boostMax*c.Lines[i].Ranking.Float()/100)
	}
	dimensions := snapshot.Dimensions()
	out.of = make([]column, len(dimensions))
	var small []numbered
	for k := range dimensions {
		if numbers := newColumn(c, &dimensions[k], &out.of[k]); numbers != nil {
			small = append(small, numbered{&out.of[k], k, numbers})
		} else {
			out.wide = append(out.wide, k)
		}
		if dimensions[k].Name == snapshot.ByStatus {
			out.status = &out.of[k]
		}
	}
	out.groups = groupsOf(out.of, small)
	out.counters.New = func() any { return newCounter(out) }
	return out
}

// newColumn codes the values of a dimension. It returns for each entry the number of the set
// of values that it has, nil where there are too many sets for a group: then the column
// has those of each entry.
func newColumn(c *snapshot.Catalog, d *snapshot.Dimension, col *column) (numbers []uint16) {
	col.values, col.known = []string{""}, map[string]uint32{}
	numbers = make([]uint16, len(c.Lines))
	known := map[string]uint16{}
	var codes []uint32
	var key []byte
	var room [1]string
	for i := range c.Lines {
		values := d.Values(&c.Lines[i], room[:0])
		codes, key = codes[:0], key[:0]
		for _, v := range values {
			code := col.code(v)
			codes, key = append(codes, code), append(key, byte(code), byte(code>>8), byte(code>>16), byte(code>>24))
		}
		if numbers == nil {
			col.sets.add(codes...)
			continue
		}
		number, ok := known[string(key)]
		if !ok && len(known) == groupMax {
			col.each(numbers[:i])
			col.sets.add(codes...)
			numbers = nil
			continue
		}
		if !ok {
			number = uint16(len(known))
			known[string(key)] = number
			col.sets.add(codes...)
		}
		numbers[i] = number
	}
	return numbers
}

// each lays the sets out by entry.
func (c *column) each(numbers []uint16) {
	was := c.sets
	c.sets = sets{}
	for _, n := range numbers {
		c.sets.add(was.at(uint32(n))...)
	}
}

// code is that of a value.
func (c *column) code(value string) uint32 {
	code, ok := c.known[value]
	if !ok {
		code = uint32(len(c.values))
		c.known[value], c.values = code, append(c.values, value)
	}
	return code
}

// at are the codes of an entry.
func (c *column) at(i uint32) []uint32 {
	if c.in != nil {
		i = uint32(c.in.codes[i])
	}
	return c.sets.at(i)
}
