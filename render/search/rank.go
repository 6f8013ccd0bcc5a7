package search

import (
	"cmp"
	"slices"
	"strings"
)

// ranked is the place of a term among others, with its first bytes as a number:
// by that most terms are told apart.
type ranked struct {
	head  uint64
	place int32
}

func rank(term string, place int) ranked {
	head := uint64(0)
	for i := range 8 {
		head <<= 8
		if i < len(term) {
			head |= uint64(term[i])
		}
	}
	return ranked{head, int32(place)}
}

// sortRanked sorts places by the bytes of their terms.
func sortRanked(order []ranked, term func(place int32) string) {
	slices.SortFunc(order, func(a, b ranked) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return strings.Compare(term(a.place), term(b.place))
	})
}
