package engine

import (
	"slices"
	"strings"
	"testing"
)

var playgrounds = []doc{
	{"Playgrounds of Ghent", "en", "All of them"},
	{"Playgrounds of Namur", "en", "A list"},
	{"Defibrillators in Ghent", "en", strings.Repeat("Where they hang, who looks after them and when they were tried last. ", 4) + "Some hang at playgrounds."},
	{"Playgrounds in Flanders", "en", "Overview"},
	{"Playgrounds of Belgium", "en", "A list"},
	{"Playgrounds of Paris 2019", "en", "A list"},
}

// TestPlaces orders by the matter, and by where: the place and what lies in it, the region around it,
// the country, and elsewhere.
func TestPlaces(t *testing.T) {
	e := index(t, playgrounds...)
	for _, c := range []struct {
		query string
		want  []uint32
	}{
		{"playgrounds Ghent", []uint32{0, 3, 4}}, {"speeltuinen Gent", []uint32{0, 3, 4}}, {"playgrounds Flanders", []uint32{3, 0, 4}}, {"plaines de jeux Wallonie", []uint32{1, 4}},
		{"playgrounds Leuven", []uint32{3, 4}}, {"playgrounds Paris", []uint32{5}}, {"playgrounds Belgium", []uint32{4}},
	} {
		got, hits := found(t, e, c.query)
		if len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) {
			t.Errorf("%s finds %v, want %v first", c.query, got, c.want)
		}
		if at, last := slices.Index(got, 1), slices.Index(got, 2); last >= 0 && at > last {
			t.Errorf("%s: what only names playgrounds comes before those of elsewhere: %v", c.query, got)
		}
		if len(hits.Corrections) > 0 || hits.Placed != (c.query != "playgrounds Belgium") {
			t.Errorf("%s: corrected %v, of a place %v", c.query, hits.Corrections, hits.Placed)
		}
		hits.Release()
	}
	if got, hits := found(t, e, `playgrounds "Ghent"`); slices.Contains(got, 3) || hits.Placed {
		t.Errorf("a quoted place finds %v", got)
	}
}

// TestAPlaceWithoutTheMatter is better than nothing.
func TestAPlaceWithoutTheMatter(t *testing.T) {
	got, hits := found(t, index(t, playgrounds...), "xylophone Ghent")
	if slices.Sort(got); !slices.Equal(got, []uint32{0, 2}) || !hits.Some {
		t.Errorf("found %v, some: %v", got, hits.Some)
	}
}

// TestYears need not occur, and count where they do.
func TestYears(t *testing.T) {
	e := index(t, playgrounds...)
	if got, _ := found(t, e, "playgrounds 2019"); len(got) < 5 || got[0] != 5 {
		t.Errorf("a year finds %v", got)
	}
	for q, want := range map[string][]uint32{"2019": {5}, `playgrounds "2019"`: {5}} {
		if got, _ := found(t, e, q); len(got) == 0 || got[0] != want[0] {
			t.Errorf("%s finds %v", q, got)
		}
	}
}

// TestCompoundsOfConcepts asks for both things that a compound names.
func TestCompoundsOfConcepts(t *testing.T) {
	e := index(t, doc{"Taxes of towns", "en", "Businesses"}, doc{"Revenue of the tax on dogs", "en", ""}, doc{"Dogs", "en", "Toilets"}, doc{"Taxes", "en", ""})
	if got, _ := found(t, e, "Hundesteuer"); len(got) == 0 || got[0] != 1 {
		t.Errorf("Hundesteuer finds %v", got)
	}
}
