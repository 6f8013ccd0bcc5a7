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

// Since is the beginning of the window of checks that count on a day.
func Since(day time.Time) time.Time { return day.AddDate(0, 0, -WindowDays) }

func recentChecks(in *Input) []catalog.Check {
	since := Since(in.Day)
	checks := in.Row.Checks
	for i := range checks {
		if !checks[i].At.Before(since) {
			return checks[i:]
		}
	}
	return nil
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
	f := Finding{Rule: ruleAvailability, Meaning: "Share of the checks of the last 30 days that succeeded.",
		Max: 1000, Points: share(up, len(checks)), Outcome: met(up == len(checks)), Field: "latest_check",
		Evidence: fmt.Sprintf("%d of %d checks", up, len(checks))}
	return Axis{Known: true, Value: f.Points, Note: f.Evidence + " succeeded", Findings: []Finding{f}}
}

// latencies are the nearest-rank 50th and 95th percentile of the successful
// checks, in milliseconds.
func latencies(checks []catalog.Check) (p50, p95 *int) {
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
