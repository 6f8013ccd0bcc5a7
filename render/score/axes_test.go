package score

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/catalog"
)

func TestAvailabilityWindow(t *testing.T) {
	since := day.AddDate(0, 0, -30)
	check := func(at time.Time, up bool) catalog.Check { return catalog.Check{At: at, Up: up, LatencyMS: 10} }
	for _, c := range []struct {
		name   string
		checks []catalog.Check
		known  bool
		value  Tenths
	}{
		{"none", nil, false, 0},
		{"too old", []catalog.Check{check(since.Add(-time.Second), true)}, false, 0},
		{"the first instant", []catalog.Check{check(since, true)}, true, 1000},
		{"the snapshot's own day", []catalog.Check{check(day.Add(20*time.Hour), true)}, true, 1000},
		{"old ones do not count", []catalog.Check{check(since.Add(-time.Hour), false), check(since, true), check(day, true)}, true, 1000},
		{"one of three", []catalog.Check{check(since, true), check(day, false), check(day, false)}, true, 250},
		{"two of three", []catalog.Check{check(since, true), check(day, true), check(day, false)}, true, 500},
		{"all down", []catalog.Check{check(day, false)}, true, 0},
	} {
		in := bare(catalog.TypeAPI)
		in.Row.Checks = c.checks
		r := Of(in)
		if a := r.Axes[1]; a.Known != c.known || a.Value != c.value {
			t.Errorf("%s: %s, known %t", c.name, a.Value, a.Known)
		}
	}
}

// A share is rounded down to a step, which it reaches exactly.
func TestAvailabilitySteps(t *testing.T) {
	for _, c := range []struct {
		up, all int
		value   Tenths
	}{
		{120, 120, 1000}, {119, 120, 990}, {99, 100, 990}, {989, 1000, 980}, {98, 100, 980}, {97, 100, 950}, {95, 100, 950}, {19, 21, 900},
		{89, 100, 750}, {3, 4, 750}, {74, 100, 500}, {1, 2, 500}, {49, 100, 250}, {1, 4, 250}, {24, 100, 0}, {0, 9, 0},
	} {
		checks := make([]catalog.Check, c.all)
		for i := range checks {
			checks[i] = catalog.Check{At: day.Add(time.Duration(i) * time.Second), Up: i < c.up}
		}
		a := availability(checks)
		if a.Value != c.value || (a.Findings[0].Outcome == Met) != (c.up == c.all) {
			t.Errorf("%d of %d checks: %s, %s", c.up, c.all, a.Value, a.Findings[0].Outcome)
		}
	}
}

// A period of checks ends with the last one, so that a day without any moves nothing.
func TestWindowEndsWithTheLastCheck(t *testing.T) {
	var checks []catalog.Check
	for d := -29; d <= 0; d++ {
		checks = append(checks, catalog.Check{At: day.AddDate(0, 0, d), Up: d > -29, LatencyMS: 1})
	}
	for later, want := range map[int]int{0: 30, 1: 30, 30: 30, 31: 0} {
		if got := len(Window(checks, day.AddDate(0, 0, later))); got != want {
			t.Errorf("%d days after the last check %d of them count, want %d", later, got, want)
		}
	}
	if got := CheckedDay(checks, nil, day.AddDate(0, 0, 9)); !got.Equal(day) {
		t.Errorf("the strip ends on %s", got)
	}
	sums := []catalog.CheckDay{{Day: day.AddDate(0, 0, -50).Format(time.DateOnly)}}
	if got := CheckedDay(nil, sums, day); !got.Equal(day.AddDate(0, 0, -50)) {
		t.Errorf("with sums only the strip ends on %s", got)
	}
}

// The window moves by whole days: the hour of the snapshot changes nothing.
func TestAvailabilityByDay(t *testing.T) {
	for d := range 40 {
		in := bare(catalog.TypeAPI)
		in.Row.Checks = []catalog.Check{{At: day.AddDate(0, 0, -d), Up: true}}
		r := Of(in)
		if known := r.Axes[1].Known; known != (d <= 30) {
			t.Errorf("a check %d days ago: known %t", d, known)
		}
	}
}

func TestLatenciesAreNearestRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.SliceOfN(rapid.IntRange(1, 5000), 1, 60).Draw(t, "ms")
		checks := []catalog.Check{{Up: false, LatencyMS: 1}, {Up: true}}
		for _, v := range ms {
			checks = append(checks, catalog.Check{Up: true, LatencyMS: v})
		}
		slices.Sort(ms)
		rank := func(percent int) int {
			for n := 1; ; n++ {
				if 100*n >= percent*len(ms) {
					return ms[n-1]
				}
			}
		}
		p50, p95 := Latencies(checks)
		if *p50 != rank(50) || *p95 != rank(95) {
			t.Fatalf("p50 %d p95 %d of %v", *p50, *p95, ms)
		}
	})
	if p50, p95 := Latencies([]catalog.Check{{Up: false, LatencyMS: 3}, {Up: true}}); p50 != nil || p95 != nil {
		t.Error("latencies without a successful check")
	}
}

func TestLicenceAxis(t *testing.T) {
	with := func(change func(*catalog.Licence)) *catalog.Licence {
		l := *openData
		change(&l)
		return &l
	}
	for _, c := range []struct {
		name, id, raw string
		licence       *catalog.Licence
		want          Tenths
	}{
		{"none", "", "", nil, 0},
		{"said to be unspecified", "UNSPECIFIED", "notspecified", &catalog.Licence{ID: "UNSPECIFIED"}, 0},
		{"unspecified and no text", "UNSPECIFIED", "", nil, 0},
		{"a text", "", "free for all", nil, 500},
		{"an id that the table lacks", "X-1", "", nil, 0},
		{"an id that the table lacks, with the text", "X-1", "free for all", nil, 500},
		{"open with address", "CC-BY-4.0", "", openData, 1000},
		{"open without address", "CC-BY-4.0", "", with(func(l *catalog.Licence) { l.URL = "" }), 750},
		{"not open", "X", "", with(func(l *catalog.Licence) { l.Open = catalog.RightNo }), 750},
		{"openness unknown", "X", "", with(func(l *catalog.Licence) { l.Open = catalog.RightUnknown }), 750},
		{"commercial use undetermined", "X", "", with(func(l *catalog.Licence) { l.CommercialUse = catalog.RightUnknown }), 750},
		{"redistribution undetermined", "X", "", with(func(l *catalog.Licence) { l.Redistribution = "" }), 750},
		{"attribution undetermined", "X", "", with(func(l *catalog.Licence) { l.AttributionRequired = "" }), 750},
		{"share-alike undetermined", "X", "", with(func(l *catalog.Licence) { l.ShareAlike = "" }), 750},
	} {
		in := bare(catalog.TypeDataset)
		in.entry().LicenseID, in.entry().LicenseRaw, in.Licence = c.id, c.raw, c.licence
		r := Of(in)
		a := r.Axes[3]
		if !a.Known || a.Value != c.want || a.Note == "" {
			t.Errorf("%s: %s, %q", c.name, a.Value, a.Note)
		}
		f := a.Findings[0]
		if raised := mqaOf(withAxis(&r, 3, 1000)) - r.MQA; f.Gain != raised || (f.Advice == "") != (c.want == 1000) {
			t.Errorf("%s: advice %q gains %s, want %s", c.name, f.Advice, f.Gain, raised)
		}
	}
}

func withAxis(r *Result, i int, v Tenths) *Result {
	raised := *r
	raised.Axes[i].Value, raised.Axes[i].Known = v, true
	return &raised
}

func mqaOf(r *Result) Tenths { return mqa.total(r.input) }

func TestOfficialnessAxis(t *testing.T) {
	held := catalog.Signal{Kind: catalog.SignalDomain, Held: true, EvidenceURL: "https://example.org/proof"}
	failed := catalog.Signal{Kind: catalog.SignalGithub}
	for _, c := range []struct {
		name    string
		change  func(*Input)
		public  bool
		known   bool
		value   Tenths
		basis   catalog.OfficialnessBasis
		outcome map[string]Outcome
	}{
		{"nobody vouches", func(*Input) {}, false, true, 500, catalog.OfficialNot, nil},
		{"signals without an institution", func(in *Input) { in.entry().Signals = []catalog.Signal{held} }, false, true, 500, catalog.OfficialNot, nil},
		{"an institution, never tried", func(in *Input) { in.Institution = ministry }, true, false, 0, catalog.OfficialInherited, nil},
		{"an official source", func(in *Input) { in.Source = &catalog.Source{Official: "national catalogue"} }, true, false, 0, catalog.OfficialInherited, nil},
		{"an unofficial source", func(in *Input) { in.Source = &catalog.Source{} }, false, true, 500, catalog.OfficialNot, nil},
		{"run by someone else", func(in *Input) { in.Institution, in.entry().ThirdParty = ministry, true }, false, true, 500, catalog.OfficialNot, nil},
		{"one of two held", func(in *Input) { in.Institution, in.entry().Signals = ministry, []catalog.Signal{held, failed} }, true, true, 400,
			catalog.OfficialInherited, map[string]Outcome{"officialness.domain_verification": Met, "officialness.github_organisation": NotMet, "officialness.portal_backlink": Unknown}},
		{"tried and failed", func(in *Input) { in.Institution, in.entry().Signals = ministry, []catalog.Signal{failed} }, true, true, 0, catalog.OfficialInherited, nil},
	} {
		in := bare(catalog.TypeAPI)
		c.change(in)
		r := Of(in)
		a := r.Axes[0]
		if r.PublicSector != c.public || a.Known != c.known || a.Value != c.value || r.Basis != c.basis {
			t.Errorf("%s: public %t, axis %s known %t, basis %s", c.name, r.PublicSector, a.Value, a.Known, r.Basis)
		}
		for id, want := range c.outcome {
			if _, f := finding(t, &r, id); f.Outcome != want {
				t.Errorf("%s: %s is %s", c.name, id, f.Outcome)
			}
		}
	}
}

func TestConfidence(t *testing.T) {
	weights := map[catalog.SignalKind]int{catalog.SignalDomain: 40, catalog.SignalBacklink: 25, catalog.SignalGithub: 20, catalog.SignalReciprocal: 10, catalog.SignalPolicy: 5}
	kinds := []catalog.SignalKind{catalog.SignalPolicy, catalog.SignalDomain, catalog.SignalReciprocal, catalog.SignalBacklink, catalog.SignalGithub}
	for mask := range 1 << len(kinds) {
		var signals []catalog.Signal
		want := 0
		for i, k := range kinds {
			if mask>>i&1 == 1 {
				want += weights[k]
			}
			signals = append(signals, catalog.Signal{Kind: k, Held: mask>>i&1 == 1}, catalog.Signal{Kind: k, Held: mask>>i&1 == 1})
		}
		if got := Confidence(signals); got != want {
			t.Errorf("signals %05b give %d, want %d", mask, got, want)
		}
	}
	if got := Confidence([]catalog.Signal{{Kind: "another", Held: true}}); got != 0 {
		t.Errorf("an unknown signal gives %d", got)
	}
}

func TestProof(t *testing.T) {
	held := func(kinds ...catalog.SignalKind) []catalog.Signal {
		out := []catalog.Signal{{Kind: catalog.SignalPolicy}}
		for _, k := range kinds {
			out = append(out, catalog.Signal{Kind: k, Held: true})
		}
		return out
	}
	for _, c := range []struct {
		signals []catalog.Signal
		want    string
	}{
		{nil, ""},
		{held(), "No proof signal held."},
		{held(catalog.SignalBacklink), "Proved because a known portal lists it."},
		{held(catalog.SignalBacklink, catalog.SignalDomain),
			"Proved because its host is under an official domain of the institution and a known portal lists it."},
		{held(catalog.SignalGithub, catalog.SignalBacklink, catalog.SignalDomain),
			"Proved because its host is under an official domain of the institution, a known portal lists it and its repository belongs to the institution's GitHub organisation."},
	} {
		if got := Proof(c.signals); got != c.want {
			t.Errorf("Proof = %q, want %q", got, c.want)
		}
	}
	if got := Proof(held(catalog.SignalReciprocal, catalog.SignalPolicy)); strings.Count(got, " and ") != 1 {
		t.Errorf("Proof = %q", got)
	}
}

func TestBasis(t *testing.T) {
	n := func(v int) *int { return &v }
	for _, c := range []struct {
		public     bool
		confidence *int
		id         string
		want       catalog.OfficialnessBasis
	}{
		{false, n(100), "i", catalog.OfficialNot}, {true, n(80), "i", catalog.OfficialProven}, {true, n(79), "i", catalog.OfficialInherited},
		{true, n(80), "", catalog.OfficialInherited}, {true, nil, "i", catalog.OfficialInherited}, {true, n(100), "i", catalog.OfficialProven},
	} {
		if got := Basis(c.public, c.confidence, c.id); got != c.want {
			t.Errorf("Basis(%+v) = %s", c, got)
		}
	}
}

func TestScope(t *testing.T) {
	for _, c := range []struct {
		kind    catalog.InstitutionType
		country string
		want    catalog.GeographicScope
	}{
		{catalog.InstMunicipality, "GR", catalog.ScopeLocal}, {catalog.InstRegion, "GR", catalog.ScopeLocal},
		{catalog.InstGovernment, "GR", catalog.ScopeNational}, {catalog.InstAgency, "EU", catalog.ScopeEuropean},
		{catalog.InstInternational, "", catalog.ScopeEuropean}, {catalog.InstInternational, "UN", catalog.ScopeEuropean},
		{catalog.InstStatistics, "", catalog.ScopeUnknown},
	} {
		in := bare(catalog.TypeAPI)
		in.Institution = &catalog.Institution{Type: c.kind, CountryCode: c.country}
		if got := Of(in).Scope; got != c.want {
			t.Errorf("%s of %q: %s", c.kind, c.country, got)
		}
	}
	if got := Of(bare(catalog.TypeAPI)).Scope; got != catalog.ScopeUnknown {
		t.Errorf("no institution: %s", got)
	}
}

// follow returns the entry's result after taking the advice of a rule.
func follow(in *Input, s *step) Result {
	if s.given != nil {
		s.given(in)
	}
	s.then(in)
	return Of(in)
}

// Gain is what the axis of the rule really brings when the advice is followed,
// all else being equal.
func TestAdviceBringsItsGain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		in.Row.State = &catalog.CheckState{State: catalog.StateVerified}
		before := Of(in)
		var open []*step
		for i := range steps {
			s := &steps[i]
			for _, a := range before.Axes {
				for _, f := range a.Findings {
					if f.Rule == s.rule && f.Outcome != Met && s.given == nil {
						open = append(open, s)
					}
				}
			}
		}
		if len(open) == 0 {
			t.Skip("nothing to advise")
		}
		s := rapid.SampledFrom(open).Draw(t, "step")
		i, f := finding(t, &before, s.rule)
		after := follow(in, s)
		flipped := 0
		for j := range before.Axes[i].Findings {
			if before.Axes[i].Findings[j].Outcome != Met && after.Axes[i].Findings[j].Outcome == Met {
				flipped++
			}
		}
		if flipped != 1 {
			t.Skip("the step meets more than one rule of the axis")
		}
		if want := mqaOf(withAxis(&before, i, after.Axes[i].Value)) - before.MQA; f.Gain != want {
			t.Fatalf("%s promises %s, brings %s", s.rule, f.Gain, want)
		}
		elsewhere := false
		for j := range before.Axes {
			elsewhere = elsewhere || j != i && (before.Axes[j].Value != after.Axes[j].Value || before.Axes[j].Known != after.Axes[j].Known)
		}
		if !elsewhere && f.Gain != after.MQA-before.MQA {
			t.Fatalf("%s promises %s, mqa_score moves by %s", s.rule, f.Gain, after.MQA-before.MQA)
		}
	})
}
