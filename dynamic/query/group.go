package query

import (
	"cmp"
	"math"
	"slices"
)

// Bounds of a group, in codes: what is counted of it fits the first cache of a processor, and
// so does what is known of the pairs while it grows.
const (
	groupMax = 4096
	pairsMax = 1 << 22
)

// group has one code of each entry for what it has of several dimensions, so that a result is
// counted and judged once for all of them.
type group struct {
	codes []uint16
	// size is how many codes there are.
	size int
	// of are the places of the columns.
	of []int
}

// numbered is a column, its place, and the set of each entry.
type numbered struct {
	*column
	place int
	sets  []uint16
}

// groupsOf puts columns into few groups, those with the fewest sets together.
func groupsOf(all []column, list []numbered) (groups []*group) {
	slices.SortStableFunc(list, func(a, b numbered) int { return cmp.Compare(len(a.column.sets.ends), len(b.column.sets.ends)) })
	for _, x := range list {
		if slices.ContainsFunc(groups, func(g *group) bool { return g.take(all, x) }) {
			continue
		}
		x.in = &group{codes: x.sets, size: len(x.column.sets.ends), of: []int{x.place}}
		groups = append(groups, x.in)
	}
	return groups
}

// take adds a column to the group, unless there would be too many codes.
func (g *group) take(all []column, x numbered) bool {
	n := len(x.column.sets.ends)
	if g.size*n > pairsMax {
		return false
	}
	const none = math.MaxUint16
	pairs, met := make([]uint16, g.size*n), make([]uint32, 0, groupMax)
	for i := range pairs {
		pairs[i] = none
	}
	codes := make([]uint16, len(x.sets))
	for i, number := range x.sets {
		pair := uint32(g.codes[i])*uint32(n) + uint32(number)
		if pairs[pair] == none {
			if len(met) == groupMax {
				return false
			}
			pairs[pair] = uint16(len(met))
			met = append(met, pair)
		}
		codes[i] = pairs[pair]
	}
	own, other := make([]uint16, len(met)), make([]uint16, len(met))
	for code, pair := range met {
		own[code], other[code] = uint16(pair/uint32(n)), uint16(pair%uint32(n))
	}
	for _, k := range g.of {
		all[k].each(own)
	}
	x.each(other)
	x.in = g
	g.codes, g.size, g.of = codes, len(met), append(g.of, x.place)
	return true
}
