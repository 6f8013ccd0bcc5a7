package verify_test

import (
	"testing"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// trail makes checks six hours apart: U up, D down, H the whole host down, a
// blank none.
func trail(text string) (checks []catalog.Check) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i, letter := range text {
		if letter != ' ' {
			checks = append(checks, catalog.Check{EntryID: "e", At: at.Add(time.Duration(i) * cadence), Up: letter == 'U', HostDown: letter == 'H'})
		}
	}
	return checks
}

func TestRetrace(t *testing.T) {
	for _, c := range []struct {
		name, checks string
		// known tells that the checks are the whole history.
		known bool
		want  verify.Retraced
	}{
		{"none", "", true, verify.Retraced{}},
		{"the first verdict", "UUUU", true, verify.Retraced{}},
		{"two failures", "UDDUDDU", true, verify.Retraced{}},
		{"false at once", "UDDDU", true, verify.Retraced{Changes: 2, Failing: 1, FalseFailing: 1}},
		{"a real outage", "UDDDDU", true, verify.Retraced{Changes: 2, Failing: 1}},
		{"not followed yet", "UDDD", true, verify.Retraced{Changes: 1}},
		{"followed by the host's failure", "UDDDHU", true, verify.Retraced{Changes: 2, Failing: 1, FalseFailing: 1}},
		{"new and false", "DDDU", true, verify.Retraced{Changes: 1, Failing: 1, FalseFailing: 1}},
		{"failing since before", "DDDDU", false, verify.Retraced{Changes: 1}},
		{"failing before or just now", "DU", false, verify.Retraced{}},
		{"stale after 72 hours", "U            U", true, verify.Retraced{Changes: 2}},
		{"stale behind a dead host", "UHHHHHHHHHHHHHU", true, verify.Retraced{Changes: 2}},
	} {
		checks := trail(c.checks)
		state := &catalog.CheckState{CreatedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		if c.known && len(checks) > 0 {
			state.CreatedAt = checks[0].At
		}
		if got := verify.Retrace(checks, state); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
