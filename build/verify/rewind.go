package verify

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// past tells whether a pause is over that began at an instant, or whether the
// clock went back behind it.
func past(began, now time.Time, pause time.Duration) bool {
	return now.Before(began) || now.Sub(began) >= pause
}

// rewind brings back what a clock wrote that ran ahead: no time in the timetable
// is further away than the cadence, or the longest pause that a host may ask for.
// A run of named entries leaves the others alone: its cadence need not be theirs.
func (r *Runner) rewind(ctx context.Context, sel Selection) error {
	if len(sel.Entries) > 0 {
		return nil
	}
	now := r.now()
	latest := now.Add(max(r.cadence(), maxRetryAfter) + catalog.ClockSlack)
	var survey time.Time
	if r.Surveyor != nil {
		survey = now.Add(cmp.Or(r.SurveyEvery, DefaultSurveyEvery) + catalog.ClockSlack)
	}
	n := int64(0)
	err := r.Store.Update(ctx, func(tx catalog.Tx) (err error) {
		n, err = tx.Probes().Rewind(ctx, now, latest, survey)
		return err
	})
	if err != nil {
		return ignoreEnd(ctx, fmt.Errorf("bring the timetable back: %w", err))
	}
	if n > 0 && r.Log != nil {
		r.Log.Warn("probes were put off by a clock that ran ahead; they are due now", "changed", n)
	}
	return nil
}
