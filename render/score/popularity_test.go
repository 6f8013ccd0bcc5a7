package score

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func TestPopularity(t *testing.T) {
	before := -1
	for _, c := range []struct{ uses, want int }{
		{0, 0}, {1, 1003}, {9, 3333}, {99, 6667}, {499, 8997}, {998, 9999}, {999, 10000}, {1_000_000, 10000},
	} {
		got := Popularity(catalog.Uses{Watches: c.uses / 3, Citations: c.uses / 3, Proxied: c.uses - 2*(c.uses/3)})
		if got != c.want || got < before {
			t.Errorf("%d uses are worth %d, want %d", c.uses, got, c.want)
		}
		before = got
	}
}

// TestPopularityIsUnknownOrCounted: official data have none, a register that
// counts nothing knows none, and a use never lowers a ranking.
func TestPopularityIsUnknownOrCounted(t *testing.T) {
	in := bare(catalog.TypeAPI)
	in.entry().ThirdParty = true
	rank := func(uses *catalog.Uses) Result {
		in.Row.Uses = uses
		return Of(in)
	}
	silent, none, some := rank(nil), rank(&catalog.Uses{}), rank(&catalog.Uses{Citations: 9})
	if silent.PopularityKnown || silent.PopularityScore != "0.0000" {
		t.Errorf("nothing counted: %+v", silent)
	}
	if !none.PopularityKnown || none.PopularityScore != "0.0000" || !some.PopularityKnown || some.PopularityScore != "0.3333" || some.Popularity != 333 {
		t.Errorf("%s and %s", none.PopularityScore, some.PopularityScore)
	}
	if some.Ranking <= none.Ranking {
		t.Errorf("9 uses rank %s, none %s", some.Ranking, none.Ranking)
	}
	in.entry().ThirdParty = false
	in.Institution = &catalog.Institution{}
	if official := rank(&catalog.Uses{Citations: 9}); official.PopularityKnown || official.PopularityScore != "0.0000" {
		t.Errorf("official: %+v", official)
	}
}
