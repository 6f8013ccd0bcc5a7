package score

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// rungSteps meet the rungs above the first, one each.
var rungSteps = []func(*Input){
	func(in *Input) { in.Row.State = &catalog.CheckState{State: catalog.StateVerified} },
	func(in *Input) { profile(in).Fields = append(profile(in).Fields, catalog.ProfileField{Name: "code"}) },
	func(in *Input) { in.entry().AuthType = catalog.AuthNone },
	func(in *Input) {
		profile(in).Fields = append(profile(in).Fields, catalog.ProfileField{Name: "country", Concept: "ISO 3166", Matches: true})
	},
	func(in *Input) { in.Row.Evidence = []catalog.Evidence{{}, {Kept: true}} },
	func(in *Input) {
		in.Row.Targets = []catalog.Target{{Availability: 90, WindowDays: 7}, {Availability: 99.5, WindowDays: 30, Active: true}}
	},
}

func apiInput() *Input {
	in := bare(catalog.TypeAPI)
	in.entry().API.BaseURL = "https://api.example.org"
	return in
}

func TestLadderIsCumulative(t *testing.T) {
	in := apiInput()
	for i, level := range catalog.Maturities() {
		if i > 0 {
			rungSteps[i-1](in)
		}
		l := Of(in).Maturity
		if l.Level.Level != level || l.Level.Index != i+1 || l.Level.Coverage != (i >= 3) {
			t.Errorf("after %d steps the level is %+v", i, l.Level)
		}
		want := catalog.Maturity("")
		if i < 6 {
			want = catalog.Maturities()[i+1]
		}
		if l.BlockedBy != want {
			t.Errorf("%s is blocked by %q, want %q", level, l.BlockedBy, want)
		}
		for j, r := range l.Rungs {
			if r.Reached != (j <= i) || r.Level != catalog.Maturities()[j] || r.Evidence == "" || r.Criterion == "" || r.Label == "" || r.Meaning == "" {
				t.Errorf("after %d steps rung %d is %+v", i, j, r)
			}
		}
	}
}

func TestLadderBlocked(t *testing.T) {
	for missing := range rungSteps {
		in := apiInput()
		for i, step := range rungSteps {
			if i != missing {
				step(in)
			}
		}
		l := Of(in).Maturity
		at := missing
		// Without a verified state nothing is live, and a field with an
		// identifier is a field: these rungs are met or missed together.
		if l.Level.Index != at+1 && missing != 1 {
			t.Errorf("without rung %d the level is %s", missing+2, l.Level.Level)
		}
		if want := catalog.Maturities()[missing+1]; l.BlockedBy != want && missing != 1 {
			t.Errorf("without rung %d the ladder is blocked by %s", missing+2, l.BlockedBy)
		}
		if missing == 1 && l.BlockedBy != "" {
			t.Errorf("an identified field is a profiled field, blocked by %s", l.BlockedBy)
		}
		if !l.Rungs[5].Met && missing != 4 {
			t.Errorf("without rung %d, rung 6 is not met by itself", missing+2)
		}
	}
}

func TestRungsNeedTheirFacts(t *testing.T) {
	for name, c := range map[string]struct {
		rung   int
		change func(*Input)
	}{
		"a stale state":            {1, func(in *Input) { in.Row.State = &catalog.CheckState{State: catalog.StateStale} }},
		"an empty profile":         {2, func(in *Input) { profile(in).Status = "unsupported" }},
		"values that do not match": {4, func(in *Input) { profile(in).Fields = []catalog.ProfileField{{Name: "c", Concept: "LEI"}} }},
		"a match without concept":  {4, func(in *Input) { profile(in).Fields = []catalog.ProfileField{{Name: "c", Matches: true}} }},
		"evidence not kept":        {5, func(in *Input) { in.Row.Evidence = []catalog.Evidence{{}} }},
		"an inactive target":       {6, func(in *Input) { in.Row.Targets = []catalog.Target{{Availability: 99}} }},
	} {
		in := apiInput()
		c.change(in)
		if Of(in).Maturity.Rungs[c.rung].Met {
			t.Errorf("%s meets rung %d", name, c.rung+1)
		}
	}
}
