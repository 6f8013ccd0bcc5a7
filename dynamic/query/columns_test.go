package query

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/dynamic/query/engine"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// drawn are lines with random values of all kinds of dimensions: few, many, several, none. There
// are so many that their tags are in no group and some groups are full.
func drawn(rng *rand.Rand, n int) *Snapshot {
	one := func(many int) string { return fmt.Sprint("v", rng.IntN(many)) }
	several := func(most, many int) (out []string) {
		for i := range rng.IntN(most + 1) {
			out = append(out, fmt.Sprint("v", i*many+rng.IntN(many)))
		}
		return out
	}
	c := &snapshot.Catalog{Lines: make([]snapshot.Line, n), Outages: &snapshot.Outages{}}
	for i := range c.Lines {
		c.Lines[i] = snapshot.Line{Traits: &snapshot.Traits{Status: pick(rng, catalog.Statuses()), Type: pick(rng, catalog.EntryTypes()), Country: one(40), InstitutionID: one(5000), State: pick(rng, catalog.VerificationStates()), Rights: catalog.AccessRights(one(3)), Tier: pick(rng, catalog.MQATiers()), Lang: one(20), LicenseID: one(30), Public: rng.IntN(2) == 0, Download: rng.IntN(3) == 0, Formats: several(3, 8), Themes: several(2, 13), Places: several(2, 200), Allows: several(3, 1)}, ID: fmt.Sprintf("%06d", i),

			Tags: several(5, 300), Updated: int64(rng.IntN(100))}
		if rng.IntN(5) == 0 {
			c.Lines[i].Country, c.Lines[i].InstitutionID = "", ""
		}
	}
	return newSnapshot(c, engine.NewGate(1))
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// Columns narrow and count as the lines themselves do.
func TestColumnsAreThoseOfTheLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := drawn(rng, 12_000)
	c := s.columns()
	if len(c.wide) == 0 || len(c.groups) < 2 || len(c.groups)+len(c.wide) == len(c.of) {
		t.Fatalf("%d groups and %d columns in none: that shows nothing", len(c.groups), len(c.wide))
	}
	for range 60 {
		q := snapshot.Query{Where: map[string][]string{}}
		for range rng.IntN(4) {
			d := pick(rng, snapshot.Dimensions())
			var room [1]string
			values := d.Values(&s.Lines[rng.IntN(len(s.Lines))], room[:])
			for _, v := range append(values[:min(len(values), 2)], []string{"none", "v1"}[:rng.IntN(3)]...) {
				q.Where[d.Name] = append(q.Where[d.Name], v)
			}
		}
		fits := s.filter(s.Resolve(q), s.Resolve(snapshot.Query{})).fits
		counts := c.counters.Get().(*counter)
		var want, got []int32
		for i := range s.Lines {
			if fits(uint32(i)) {
				got = append(got, int32(i))
				counts.add(uint32(i))
			}
		}
		for _, i := range s.List(q) {
			want = append(want, i)
		}
		if len(want) != len(got) {
			t.Fatalf("%v: %d entries, want %d", q.Where, len(got), len(want))
		}
		if d := cmp.Diff(s.Facets(want), counts.facets(snapshot.FacetMax)); d != "" {
			t.Fatalf("%v: %s", q.Where, d)
		}
		counts.reset()
		c.counters.Put(counts)
	}
}
