package score

import (
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// WindowDays is the period that availability and latencies are taken over
// (decisions §5, "Verification").
const WindowDays = 30

// Since is the beginning of a window of checks that ends with a day.
func Since(day time.Time) time.Time { return day.AddDate(0, 0, -WindowDays) }

// CheckedDay is the UTC day with which the periods of checks end: that of the last check,
// as a day without one tells nothing new; the given day without any check.
func CheckedDay(checks []catalog.Check, days []catalog.CheckDay, day time.Time) time.Time {
	if n := len(checks); n > 0 {
		return checks[n-1].At.UTC().Truncate(24 * time.Hour)
	}
	if n := len(days); n > 0 {
		if last, err := time.Parse(time.DateOnly, days[n-1].Day); err == nil {
			return last
		}
	}
	return day
}

// budgetDay is the day with which the window of a target ends: that of the last check, or
// the present one where that is too long ago to keep a promise. Before any check it is the
// day on which the target was set, so that it stays.
func budgetDay(t *catalog.Target, r *Result, day time.Time) time.Time {
	switch {
	case len(r.Days) == 0:
		return t.UpdatedAt.UTC().Truncate(24 * time.Hour)
	case r.CheckedDay.Before(Since(day)):
		return day
	}
	return r.CheckedDay
}

// Window are the checks that count on a day: those of the WindowDays up to the last one,
// none once that one is as long ago.
func Window(checks []catalog.Check, day time.Time) []catalog.Check {
	last := CheckedDay(checks, nil, day)
	if last.Before(Since(day)) {
		return nil
	}
	since := Since(last)
	for i := range checks {
		if !checks[i].At.Before(since) {
			return checks[i:]
		}
	}
	return nil
}

// availabilitySteps are the shares, in percent, that availability is rounded down to, best
// first. A share of 120 checks moves with nearly every one of them; a step moves when the
// source has become better or worse. The exact share stands beside the checks.
var availabilitySteps = []int{100, 99, 98, 95, 90, 75, 50, 25, 0}

func stepMeaning(step int) string {
	switch step {
	case 100:
		return "every check of the last 30 days succeeded"
	case 0:
		return fmt.Sprintf("less than %d %% of the checks of the last 30 days succeeded", availabilitySteps[len(availabilitySteps)-2])
	}
	return fmt.Sprintf("at least %d %% of the checks of the last 30 days succeeded", step)
}

// availabilityLevels are the outcomes of the rule, best first.
func availabilityLevels() []Level {
	out := make([]Level, len(availabilitySteps))
	for i, step := range availabilitySteps {
		out[i] = Level{Tenths(10 * step), stepMeaning(step)}
	}
	return out
}

func availability(checks []catalog.Check) Axis {
	if len(checks) == 0 {
		return Axis{Note: "never checked in the last 30 days"}
	}
	up := 0
	for i := range checks {
		if checks[i].Up {
			up++
		}
	}
	step := availabilitySteps[slices.IndexFunc(availabilitySteps, func(step int) bool { return 100*up >= step*len(checks) })]
	f := Finding{Rule: ruleAvailability, Meaning: meaningAvailability,
		Max: 1000, Points: Tenths(10 * step), Outcome: met(up == len(checks)), Field: "latest_check", Evidence: stepMeaning(step)}
	return Axis{Known: true, Value: f.Points, Note: f.Evidence, Findings: []Finding{f}}
}

// Latencies are the nearest-rank 50th and 95th percentile of the successful
// checks, in milliseconds.
func Latencies(checks []catalog.Check) (p50, p95 *int) {
	var ms []int
	for i := range checks {
		if checks[i].Up && checks[i].LatencyMS > 0 {
			ms = append(ms, checks[i].LatencyMS)
		}
	}
	if len(ms) == 0 {
		return nil, nil
	}
	slices.Sort(ms)
	at := func(percent int) *int {
		v := ms[(percent*len(ms)+99)/100-1]
		return &v
	}
	return at(50), at(95)
}
