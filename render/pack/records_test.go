package pack

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 33, 5000} {
		list := make([]record, n)
		for i := range list {
			for k := range list[i] {
				if i%3 == 0 || k > 4 { // many are equal for a while, or altogether
					list[i][k] = byte(rng.IntN(1 + k))
				}
			}
		}
		want := slices.Clone(list)
		slices.SortFunc(want, compareRecords)
		if sortRecords(list, 0); !slices.Equal(list, want) {
			t.Errorf("%d records are not sorted", n)
		}
	}
}
