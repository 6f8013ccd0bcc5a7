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
	latest, survey := r.horizon(now)
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

// horizon is how far away the next probe and the next closer look, zero where none
// is taken, can be.
func (r *Runner) horizon(now time.Time) (due, survey time.Time) {
	due = now.Add(max(r.cadence(), maxRetryAfter) + catalog.ClockSlack)
	if r.Surveyor != nil {
		survey = now.Add(cmp.Or(r.SurveyEvery, DefaultSurveyEvery) + catalog.ClockSlack)
	}
	return due, survey
}

// bring puts a note's next times right if the clock went back while its probe was
// under way: the timetable may have been brought back before it is stored.
func (r *Runner) bring(n *note, now time.Time) {
	due, survey := r.horizon(now)
	if n.probe.DueAt.After(due) || n.probe.FailedAt.After(due) {
		n.probe.DueAt, n.probe.FailedAt = now, time.Time{}
	}
	if !survey.IsZero() && n.probe.SurveyAt.After(survey) {
		n.probe.SurveyAt = now
	}
	if n.freeAt.After(due) {
		n.freeAt = now.Add(r.Prober.Gap())
	}
	if n.downSince.After(due) {
		n.downSince, n.failingAt = time.Time{}, time.Time{}
	}
}
