package score

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/catalog"
)

// published are the values that an answer shows, as a stranger reads them.
type published struct {
	axes                    [5]float64
	verification, freshness float64
	public                  bool
	// popularity is nil where it is unknown.
	popularity *float64
}

func publish(r *Result) published {
	p := published{verification: r.Verification.Float(), public: r.PublicSector}
	for i, a := range r.Axes {
		if a.Known {
			p.axes[i] = a.Value.Float()
		}
	}
	if r.FreshnessKnown {
		p.freshness = r.Freshness.Float()
	}
	if r.PopularityKnown {
		v := r.Popularity.Float()
		p.popularity = &v
	}
	return p
}

// mean is the weighted mean, half up to a tenth. The values are decimals, so
// what a binary sum is short of an exact half is given back.
func mean(weights, values []float64) float64 {
	sum, total := 0.0, 0.0
	for i, w := range weights {
		sum += w * values[i]
		total += w
	}
	return math.Round(sum/total*10+1e-7) / 10
}

func (p *published) mqa() float64 { return mean([]float64{25, 25, 20, 15, 15}, p.axes[:]) }

func (p *published) trust() float64 {
	v := p.axes
	v[1] = p.verification
	return mean([]float64{25, 25, 20, 15, 15}, v[:])
}

func (p *published) ranking() float64 {
	a := p.axes
	if p.public {
		return mean([]float64{35, 25, 15, 15, 10}, []float64{a[0], a[1], p.freshness, a[2], a[4]})
	}
	if p.popularity != nil {
		return mean([]float64{30, 25, 20, 15, 10}, []float64{a[1], *p.popularity, p.freshness, a[2], a[4]})
	}
	return mean([]float64{30, 20, 15, 10}, []float64{a[1], p.freshness, a[2], a[4]})
}

func sameTotals(t *rapid.T, r *Result) {
	p := publish(r)
	if r.MQA.Float() != p.mqa() || r.Trust.Float() != p.trust() || r.Ranking.Float() != p.ranking() {
		t.Fatalf("mqa %s trust %s ranking %s, recomputed %v %v %v from %+v", r.MQA, r.Trust, r.Ranking, p.mqa(), p.trust(), p.ranking(), p)
	}
}

func TestTotalsFollowFromPublishedAxes(t *testing.T) {
	states := rapid.SampledFrom(catalog.VerificationStates())
	tenths := rapid.IntRange(0, 1000)
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			r := Result{PublicSector: rapid.Bool().Draw(t, "public"), State: states.Draw(t, "state")}
			for i := range r.Axes {
				r.Axes[i] = Axis{ID: axes[i].id, Weight: axes[i].weight, Known: rapid.IntRange(0, 9).Draw(t, "known") > 0, Value: Tenths(tenths.Draw(t, "value"))}
			}
			in := bare(catalog.TypeAPI)
			if rapid.Bool().Draw(t, "dated") {
				in.entry().SourceModifiedAt = day.AddDate(0, 0, -rapid.IntRange(0, 2000).Draw(t, "age"))
			}
			if rapid.Bool().Draw(t, "counted") {
				in.Row.Uses = &catalog.Uses{Watches: rapid.IntRange(0, 900).Draw(t, "watches"), Proxied: rapid.IntRange(0, 900).Draw(t, "proxied")}
			}
			r.setTotals(in)
			sameTotals(t, &r)
		}
	})
}

func TestTotalsOfWholeInputs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			in := drawInput(t)
			r := Of(in)
			sameTotals(t, &r)
			for _, a := range r.Axes {
				if a.Value < 0 || a.Value > 1000 {
					t.Fatalf("axis %s is %s", a.ID, a.Value)
				}
				points := Tenths(0)
				for _, f := range a.Findings {
					points += f.Points
				}
				if a.ID != AxisMetadata && len(a.Findings) > 0 && a.Known && points != a.Value {
					t.Fatalf("axis %s is %s, its findings give %s", a.ID, a.Value, points)
				}
			}
		}
	})
}

func drawInput(t *rapid.T) *Input {
	kind := rapid.SampledFrom(catalog.EntryTypes()).Draw(t, "type")
	in := bare(kind)
	for i := range steps {
		for _, r := range rules {
			if r.ID != steps[i].rule || !r.applies(kind) || !rapid.Bool().Draw(t, r.ID) {
				continue
			}
			if steps[i].given != nil {
				steps[i].given(in)
			}
			steps[i].then(in)
		}
	}
	e := in.entry()
	for _, r := range signalRules {
		switch rapid.IntRange(0, 2).Draw(t, "signal") {
		case 0:
			e.Signals = append(e.Signals, catalog.Signal{Kind: r.kind})
		case 1:
			e.Signals = append(e.Signals, catalog.Signal{Kind: r.kind, Held: true})
		}
	}
	for range rapid.IntRange(0, 7).Draw(t, "checks") {
		in.Row.Checks = append(in.Row.Checks, catalog.Check{At: day, Up: rapid.Bool().Draw(t, "up"), LatencyMS: rapid.IntRange(0, 900).Draw(t, "ms")})
	}
	if rapid.Bool().Draw(t, "checked") {
		in.Row.State = &catalog.CheckState{State: rapid.SampledFrom(catalog.VerificationStates()).Draw(t, "state")}
	}
	if rapid.Bool().Draw(t, "licensed") {
		e.LicenseID, in.Licence = openData.ID, openData
	}
	e.ThirdParty = rapid.Bool().Draw(t, "third party")
	return in
}

func TestTotalCountsUnknownAsZero(t *testing.T) {
	f := Formula{Terms: []Term{{string(AxisLicence), 50}, {string(AxisAgent), 50}, {"popularity", 0}}}
	r := Result{Axes: [5]Axis{{ID: AxisLicence, Value: 1000}, {ID: AxisAgent, Value: 1000, Known: true}}}
	if got := f.total(r.input); got != 500 {
		t.Errorf("total = %s", got)
	}
	r = Of(bare(catalog.TypeAPI))
	for i, known := range [5]bool{true, false, true, true, true} {
		if r.Axes[i].Known != known {
			t.Errorf("axis %s of an entry that was never checked: known %t", r.Axes[i].ID, r.Axes[i].Known)
		}
	}
}

func TestTotalRoundsHalfUp(t *testing.T) {
	for _, c := range []struct{ value, want Tenths }{{1, 0}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 2}, {10, 3}} {
		f := Formula{Terms: []Term{{"a", 25}, {"b", 75}}}
		if got := f.total(func(input string) Tenths { return map[string]Tenths{"a": c.value}[input] }); got != c.want {
			t.Errorf("a quarter of %s is %s, want %s", c.value, got, c.want)
		}
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		part, whole int
		want        Tenths
	}{{0, 0, 0}, {0, 3, 0}, {1, 3, 333}, {2, 3, 667}, {3, 3, 1000}, {1, 13, 77}, {12, 13, 923}, {1, 2000, 1}, {1, 2001, 0}, {1, 16, 63}} {
		if got := share(c.part, c.whole); got != c.want {
			t.Errorf("share(%d, %d) = %s, want %s", c.part, c.whole, got, c.want)
		}
	}
}

func TestTierOf(t *testing.T) {
	for mqa, want := range map[Tenths]catalog.MQATier{
		0: catalog.TierUnranked, 1: catalog.TierPoor, 399: catalog.TierPoor, 400: catalog.TierFair, 599: catalog.TierFair,
		600: catalog.TierGood, 799: catalog.TierGood, 800: catalog.TierExcellent, 1000: catalog.TierExcellent,
	} {
		if got := TierOf(mqa); got != want {
			t.Errorf("TierOf(%s) = %s, want %s", mqa, got, want)
		}
	}
}

func TestFreshness(t *testing.T) {
	for _, c := range []struct {
		days        int
		maintenance string
		freshness   Tenths
	}{
		{0, "1.0000", 1000}, {1, "1.0000", 1000}, {6, "1.0000", 1000}, {7, "0.9734", 973}, {30, "0.8909", 891},
		{89, "0.8909", 891}, {90, "0.7071", 707}, {180, "0.5000", 500}, {360, "0.5000", 500}, {365, "0.2452", 245}, {729, "0.2452", 245},
		{1459, "0.0601", 60}, {3600, "0.0036", 4}, {-1, "1.0000", 1000}, {-400, "1.0000", 1000},
	} {
		in := bare(catalog.TypeDataset)
		in.entry().SourceModifiedAt = day.AddDate(0, 0, -c.days).Add(23 * 3600e9)
		r := Of(in)
		if r.Maintenance != c.maintenance || r.Freshness != c.freshness || !r.FreshnessKnown {
			t.Errorf("%d days: %s, %s, known %t; want %s, %s", c.days, r.Maintenance, r.Freshness, r.FreshnessKnown, c.maintenance, c.freshness)
		}
	}
	if r := Of(bare(catalog.TypeDataset)); r.FreshnessKnown || r.Freshness != 0 || r.Maintenance != "0.0000" {
		t.Errorf("no date: %+v", r.Freshness)
	}
}

// Freshness is a hundred times the four published decimals, half up.
func TestFreshnessFollowsFromMaintenance(t *testing.T) {
	for days := range 4000 {
		r := Result{}
		r.setFreshness(day.AddDate(0, 0, -days), day)
		n := 0
		for _, c := range r.Maintenance {
			if c != '.' {
				n = n*10 + int(c-'0')
			}
		}
		if want := Tenths((n + 5) / 10); r.Freshness != want {
			t.Errorf("%d days: maintenance %s gives freshness %s, want %s", days, r.Maintenance, r.Freshness, want)
		}
		step := 0
		for _, s := range AgeSteps() {
			if s <= days {
				step = s
			}
		}
		if since := day.AddDate(0, 0, step-days); !r.FreshSince.Equal(since) {
			t.Errorf("%d days: the value holds since %s, want %s", days, r.FreshSince, since)
		}
		if exact := math.Pow(2, -float64(step)/180); math.Abs(float64(n)/10000-exact) > 0.00005+1e-12 {
			t.Errorf("%d days: maintenance %s, exactly %f", days, r.Maintenance, exact)
		}
	}
}

func TestTenths(t *testing.T) {
	for v, want := range map[Tenths]string{0: "0.0", 1: "0.1", 999: "99.9", 1000: "100.0", -15: "-1.5"} {
		if v.String() != want {
			t.Errorf("%d tenths are %s", int(v), v)
		}
	}
}
