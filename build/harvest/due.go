package harvest

import (
	"cmp"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// retryFailed is how long after a failure a source is due again, unless its
// schedule is shorter.
const retryFailed = time.Hour

// DueAt is when a source is to be harvested next, given its last run: the zero
// time for at once. last is nil for a source that was never harvested. What was
// killed, which shows when its lease has run out, or was told to stop is due at
// once; what failed after an hour, unless it was read to its end and brought
// nothing.
func DueAt(s *catalog.Source, last *catalog.HarvestRun, now time.Time) (time.Time, error) {
	every, err := catalog.ParseSchedule(s.Schedule)
	switch {
	case err != nil:
		return time.Time{}, fmt.Errorf("source %s: %w", cmp.Or(s.Key, s.ID), err)
	case last == nil || interrupted(last):
		return time.Time{}, nil
	case last.State == catalog.RunRunning:
		if last.Held(now) {
			return last.LeaseUntil, nil
		}
		return time.Time{}, nil
	case last.State == catalog.RunFailed && !broughtNothing(last), last.State == catalog.RunPartial:
		return believed(last.FinishedAt, now).Add(min(every, retryFailed)), nil
	}
	began := believed(last.StartedAt, now)
	if began.IsZero() {
		began = believed(last.FinishedAt, now)
	}
	return began.Add(every), nil
}

// believed is a time of a run, zero for one that a clock made which ran ahead.
func believed(at, now time.Time) time.Time {
	if at.Sub(now) > catalog.ClockSlack {
		return time.Time{}
	}
	return at
}

// interrupted tells whether a run ended because its process was told to stop.
func interrupted(r *catalog.HarvestRun) bool {
	n := len(r.Errors)
	return (r.State == catalog.RunFailed || r.State == catalog.RunPartial) && n > 0 && r.Errors[n-1].Code == string(CodeInterrupted)
}
