package query

import (
	"fmt"
	"slices"
	"testing"

	"github.com/assay-register/assay/render/snapshot"
)

// results are some with a publisher, a title and a score each, best first.
func results(lines []snapshot.Line, scores ...float32) []result {
	s, out := &Snapshot{Catalog: &snapshot.Catalog{Lines: lines}}, make([]result, len(lines))
	for i := range out {
		out[i] = result{s, uint32(i), scores[i], 0}
	}
	slices.SortStableFunc(out, func(a, b result) int { return worse(b, a) })
	return out
}

// TestFirstResultsAreSpread: where others fit nearly as well, the first ten are not of one
// publisher; who fits much better stays before them.
func TestFirstResultsAreSpread(t *testing.T) {
	var lines []snapshot.Line
	var scores []float32
	add := func(publisher, title string, n int, score float32) {
		for i := range n {
			lines = append(lines, snapshot.Line{Traits: &snapshot.Traits{InstitutionID: publisher}, ID: fmt.Sprintf("%s-%s-%03d", publisher, title, i)})
			scores = append(scores, score)
		}
	}
	add("town", "first names", 40, 0.9) // a list of each year
	add("office", "water", 1, 0.88)
	for i := range 6 {
		add("institute", "report "+string(rune('a'+i)), 1, 0.86)
	}
	add("elsewhere", "first names", 1, 0.84)
	add("nobody", "something else", 5, 0.3)
	list := results(lines, scores...)
	before := slices.Clone(list)
	spread(list, false)
	publishers := map[string]int{}
	for i := range list[:spreadTo] {
		publishers[list[i].line().InstitutionID]++
	}
	if list[0] != before[0] {
		t.Errorf("the best one is not first: %v", list[0].line().ID)
	}
	if n := publishers["town"]; n < 1 || n > 4 || publishers["institute"] < 3 || publishers["office"] != 1 || publishers["elsewhere"] != 1 || publishers["nobody"] != 0 {
		t.Errorf("the first ten are of %v", publishers)
	}
	if slices.SortFunc(list, func(a, b result) int { return worse(b, a) }); !slices.Equal(list, before) {
		t.Error("a result was lost")
	}
}

// TestTheBestAreNotSpreadAway: a result that fits much better than all others keeps its place,
// and so does what comes after the first ten.
func TestTheBestAreNotSpreadAway(t *testing.T) {
	var lines []snapshot.Line
	var scores []float32
	for i := range 30 {
		lines = append(lines, snapshot.Line{Traits: &snapshot.Traits{InstitutionID: "town"}, ID: fmt.Sprintf("%03d", i)})
		scores = append(scores, 1-float32(i)/30)
	}
	lines = append(lines, snapshot.Line{Traits: &snapshot.Traits{InstitutionID: "elsewhere"}, ID: "other"})
	scores = append(scores, 0.05)
	list := results(lines, scores...)
	spread(list, false)
	for i := range list {
		if i > 0 && list[i].score > list[i-1].score {
			t.Fatalf("%s stands behind %s", list[i].line().ID, list[i-1].line().ID)
		}
	}
}

// TestAPlaceIsNotSpreadAway: where a place was asked for, what its publisher has stays before that of
// others, which is of elsewhere.
func TestAPlaceIsNotSpreadAway(t *testing.T) {
	var lines []snapshot.Line
	var scores []float32
	for i := range 6 {
		lines = append(lines, snapshot.Line{Traits: &snapshot.Traits{InstitutionID: "town"}, ID: fmt.Sprintf("%03d", i)})
		scores = append(scores, 0.9)
	}
	lines = append(lines, snapshot.Line{Traits: &snapshot.Traits{InstitutionID: "elsewhere"}, ID: "other"})
	scores = append(scores, 0.8)
	for placed, want := range map[bool]bool{true: true, false: false} {
		list := results(lines, scores...)
		spread(list, placed)
		if last := list[6].line().ID == "other"; last != want {
			t.Errorf("of a place %v: the last one is %s", placed, list[6].line().ID)
		}
	}
}
