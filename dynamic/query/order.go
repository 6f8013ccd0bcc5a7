package query

import (
	"cmp"
	"iter"
	"slices"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
)

// Key is one of the things that a selection is ordered by.
type Key struct {
	// Compare tells which of two entries comes first; nil for the one whose name does, without
	// regard to case and accents.
	Compare func(a, b *snapshot.Line) int
	Desc    bool
}

// ordering compares entries by the first key that tells them apart, nil for no keys.
func (s *Snapshot) ordering(keys []Key) func(a, b result) int {
	if len(keys) == 0 {
		return nil
	}
	compare := make([]func(a, b result) int, len(keys))
	for i, k := range keys {
		compare[i] = s.comparison(k)
	}
	return func(a, b result) int {
		for _, by := range compare {
			if r := by(a, b); r != 0 {
				return r
			}
		}
		return 0
	}
}

func (s *Snapshot) comparison(k Key) func(a, b result) int {
	ascending := func(a, b result) int { return k.Compare(a.line(), b.line()) }
	if k.Compare == nil {
		ascending = s.byName()
	}
	if k.Desc {
		return func(a, b result) int { return ascending(b, a) }
	}
	return ascending
}

// byName compares names, those of entries that changed since the snapshot letter by letter. It serves one selection.
func (s *Snapshot) byName() func(a, b result) int {
	ranks, folded := s.NameRanks(), map[*snapshot.Line]string{}
	fold := func(r *result) string {
		l := r.line()
		text, ok := folded[l]
		if !ok {
			text = search.Fold(l.Name)
			folded[l] = text
		}
		return text
	}
	return func(a, b result) int {
		if a.in == s && b.in == s {
			return cmp.Compare(ranks[a.ordinal], ranks[b.ordinal])
		}
		return cmp.Compare(fold(&a), fold(&b))
	}
}

// sortBy orders ordinals of the snapshot; those that no key tells apart stay as they are.
func (s *Snapshot) sortBy(keys []Key, list []int32) {
	if len(keys) == 0 {
		return
	}
	if keys[0].Compare == nil {
		ranks := s.NameRanks()
		for run := range byRank(list, ranks, keys[0].Desc) {
			s.sortBy(keys[1:], run)
		}
		return
	}
	order := s.ordering(keys)
	slices.SortStableFunc(list, func(a, b int32) int {
		return order(result{in: s, ordinal: uint32(a)}, result{in: s, ordinal: uint32(b)})
	})
}

// byRank orders ordinals by their ranks, by counting them, and gives the runs of one rank.
func byRank(list, ranks []int32, desc bool) iter.Seq[[]int32] {
	rank := func(i int32) int32 {
		if desc {
			return int32(len(ranks)) - 1 - ranks[i]
		}
		return ranks[i]
	}
	ends := make([]int32, len(ranks)+1) // of the ranks before each, then of each
	for _, i := range list {
		ends[rank(i)+1]++
	}
	for r := range ranks {
		ends[r+1] += ends[r]
	}
	for _, i := range slices.Clone(list) {
		at := &ends[rank(i)]
		list[*at] = i
		*at++
	}
	return func(yield func([]int32) bool) {
		from := int32(0)
		for _, end := range ends {
			if end > from && !yield(list[from:end:end]) {
				return
			}
			from = end
		}
	}
}
