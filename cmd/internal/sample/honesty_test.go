package sample

import (
	"maps"
	"math"
	"slices"
	"testing"
	"time"
)

// figures are the honesty figures, recomputed from the published checks.
type figures struct {
	changes, failing, untrue int
	days                     map[string]bool
}

// retrace applies the published rules to the published checks of an entry: a
// success verifies, three failures in a row fail, 72 h without a success make
// stale; a failure of the whole host counts for nothing.
func (f *figures) retrace(checks page) {
	items := checks.pages("items")
	slices.Reverse(items)
	if len(items) == 0 {
		return
	}
	began := items[0].text("at")
	whole := checks.text("latest_check", "created_at") >= began
	state, failures, certain := "UNVERIFIED", 0, false
	success := instant(began)
	become := func(next string) bool {
		changed := state != next
		if changed && certain {
			f.changes++
		}
		state = next
		return changed
	}
	for i, c := range items {
		f.days[c.text("at")[:10]] = true
		if at := instant(c.text("at")); state != "FAILING" && at.Sub(success) >= 72*time.Hour {
			become("STALE")
		}
		switch {
		case c.yes("host_down"):
		case c.yes("up"):
			failures, success = 0, instant(c.text("at"))
			become("VERIFIED")
			certain = true
		default:
			if failures++; failures == 3 && become("FAILING") {
				if certain || whole {
					f.ended(items[i+1:])
				}
				certain = true
			}
		}
	}
}

// lastDays counts the days with checks among as many up to the last of them.
func (f *figures) lastDays(among int) (n int) {
	last, _ := time.Parse(time.DateOnly, slices.Max(slices.Collect(maps.Keys(f.days))))
	first := last.AddDate(0, 0, 1-among).Format(time.DateOnly)
	for day := range f.days {
		if day >= first {
			n++
		}
	}
	return n
}

func (f *figures) ended(later []page) {
	for _, c := range later {
		if c.yes("host_down") {
			continue
		}
		f.failing++
		if c.yes("up") {
			f.untrue++
		}
		return
	}
}

func instant(text string) time.Time {
	t, _ := time.Parse(time.RFC3339, text)
	return t
}

// checkHonesty recomputes the register's own figures.
func checkHonesty(t *testing.T, s site, ids []string) {
	t.Helper()
	status, summary := s.read("/api/v1/status"), s.read("/api/v1/catalog/summary")
	f := figures{days: map[string]bool{}}
	asOf := instant(status.text("as_of"))
	var ages []float64
	within := 0
	for _, id := range ids {
		checks := s.read("/api/v1/entries/" + id + "/checks")
		f.retrace(checks)
		e := s.read("/api/v1/entries/" + id)
		if last := e.text("last_verified_at"); last != "" && e.text("status") == "ACTIVE" {
			age := math.Max(0, asOf.Sub(instant(last)).Hours())
			ages = append(ages, age)
			if age <= status.num("figures", "cadence_hours") {
				within++
			}
		}
	}
	slices.Sort(ages)
	days := f.lastDays(30)
	want := map[string]float64{
		"observed_days": float64(days), "failing_verdicts": float64(f.failing), "false_failing_verdicts": float64(f.untrue),
		"state_changes_per_day":          math.Round(10*float64(f.changes)/float64(days)) / 10,
		"false_failing_percent":          float64(halfUp(int64(f.untrue), int64(f.failing))) / 10,
		"median_verdict_age_hours":       math.Round(100*ages[(len(ages)-1)/2]) / 100,
		"checked_within_cadence_percent": float64(halfUp(int64(within), int64(status.num("figures", "checkable")))) / 10,
	}
	for name, v := range want {
		if status.num("figures", name) != v || summary.num("honesty", name) != v {
			t.Errorf("%s is published as %v and %v, recomputed %v", name, status.num("figures", name), summary.num("honesty", name), v)
		}
	}
	if traced := status.num("figures", "fields_with_provenance_percent"); f.changes < 10 || f.failing < 1 || traced < 50 || traced > 100 {
		t.Errorf("%d changes, %d failing, %v %% traced: too little to be seen", f.changes, f.failing, traced)
	}
	t.Log(status.at("figures"))
}
