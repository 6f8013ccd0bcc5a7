package score

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// TestMethodologyNamesEveryFinding: what the methodology lists is what entries
// are judged by, with the points that findings have at most.
func TestMethodologyNamesEveryFinding(t *testing.T) {
	listed := map[string]Explained{}
	for _, m := range Methodology() {
		if _, twice := listed[m.ID]; twice || m.Meaning == "" || m.Field == "" || m.Source == "" || len(m.Points) == 0 {
			t.Errorf("rule %s: %+v", m.ID, m)
		}
		listed[m.ID] = m
	}
	found := map[string]bool{}
	for _, kind := range catalog.EntryTypes() {
		in := bare(kind)
		in.Institution = ministry
		in.Row.Checks = []catalog.Check{{At: day, Up: true}}
		r := Of(in)
		for _, a := range r.Axes {
			for _, f := range a.Findings {
				m := listed[f.Rule]
				found[f.Rule] = true
				if m.Axis != a.ID || m.Meaning != f.Meaning || pointsFor(m, kind) != f.Max {
					t.Errorf("%s for %s: finding %+v, methodology %+v", f.Rule, kind, f, m)
				}
			}
		}
	}
	if len(found) != len(listed) {
		t.Errorf("%d rules are listed, %d judge", len(listed), len(found))
	}
}

func pointsFor(m Explained, kind catalog.EntryType) Tenths {
	for _, p := range m.Points {
		if p.Type == kind {
			return p.Points
		}
	}
	return -1
}

func TestMethodologyIsComplete(t *testing.T) {
	if len(MachineFormats()) != len(machineFormats) || len(LadderText()) != 7 || len(Bands()) != 4 || len(Formulas()) != 4 {
		t.Error("a table of the methodology is cut")
	}
	for _, a := range Axes() {
		if a.Label == "" || a.Meaning == "" || a.Weight == 0 {
			t.Errorf("axis %+v", a)
		}
	}
	for _, c := range []struct {
		r     Result
		terms int
	}{{Result{PublicSector: true}, 5}, {Result{PopularityKnown: true}, 5}, {Result{}, 4}} {
		if list := FormulasOf(&c.r); len(list) != 3 || list[2].Score != "ranking_score" || len(list[2].Terms) != c.terms {
			t.Errorf("formulas %+v", list)
		}
	}
	for i, want := range []int{100, 100, 100, 100} {
		sum := 0
		for _, term := range Formulas()[i].Terms {
			sum += term.Weight
		}
		if sum != want {
			t.Errorf("formula %d weighs %d, want %d", i, sum, want)
		}
	}
}

// Every rule says when it is met, and every condition is of a rule.
func TestConditionsAreOfRules(t *testing.T) {
	told := map[string]bool{}
	for _, r := range Methodology() {
		told[r.ID] = true
		if r.Condition == "" {
			t.Errorf("%s has no condition", r.ID)
		}
		if _, ok := conditions[r.ID]; !ok && r.Axis != AxisOfficialness {
			t.Errorf("%s is not among the conditions", r.ID)
		}
	}
	for id := range conditions {
		if !told[id] {
			t.Errorf("no rule is called %s", id)
		}
	}
}
