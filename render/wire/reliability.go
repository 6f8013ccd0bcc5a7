package wire

import (
	"time"

	"github.com/assay-register/assay/render/snapshot"
)

// Reliability is an active reliability target and how it stands.
type Reliability struct {
	ID string `json:"id"`
	// Availability is the promised success share in percent.
	Availability float64 `json:"availability"`
	WindowDays   int     `json:"window_days"`
	// Since is the first day of the window.
	Since  string `json:"since"`
	Checks int    `json:"checks"`
	Up     int    `json:"up"`
	// Measured is the success share in the window in percent, rounded down to
	// 0.01, null without checks.
	Measured *float64 `json:"measured"`
	// Spent is the part of the allowed failures that have happened, in percent.
	Spent  *float64 `json:"error_budget_spent_percent"`
	Met    *bool    `json:"met"`
	Reason string   `json:"reason"`
	SetAt  *string  `json:"set_at"`
}

func newReliability(s *snapshot.Scored) []Reliability {
	out := []Reliability{}
	for i := range s.Result.Budgets {
		b := &s.Result.Budgets[i]
		r := Reliability{ID: b.Target.ID, Availability: b.Target.Availability, WindowDays: b.Target.WindowDays,
			Since: b.Since.Format(time.DateOnly), Checks: b.Checks, Up: b.Up, Reason: b.Target.Reason, SetAt: stamp(b.Target.UpdatedAt)}
		if b.Checks > 0 {
			measured, spent, met := float64(b.Measured)/100, b.Spent.Float(), b.Met
			r.Measured, r.Spent, r.Met = &measured, &spent, &met
		}
		out = append(out, r)
	}
	return out
}
