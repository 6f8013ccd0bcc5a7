package score

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Forever is the last day of what no passing of days changes.
var Forever = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// Lasts is the last UTC day on which the same rows are judged as on the day of the input: the
// judgement of an entry moves with the days only when its age reaches a step, when its checks
// leave a window, or when uses do.
func Lasts(in *Input, r *Result) time.Time {
	last := ChecksLast(in.Row.Checks, in.Day)
	within := func(day time.Time) { last = Earlier(last, day) }
	if modified := in.entry().SourceModifiedAt; !modified.IsZero() {
		from := modified.UTC().Truncate(24 * time.Hour)
		for _, step := range ageSteps {
			if next := from.AddDate(0, 0, step); next.After(in.Day) {
				within(next.AddDate(0, 0, -1))
				break
			}
		}
	}
	if len(r.Days) > 0 && len(r.Budgets) > 0 {
		within(r.CheckedDay.AddDate(0, 0, WindowDays))
	}
	if u := in.Row.Uses; in.Row.Ahead || u != nil && u.Sum() > 0 {
		within(in.Day)
	}
	if last.Before(in.Day) {
		return in.Day // what has left its window moves every day
	}
	return last
}

// ChecksLast is the last UTC day on which checks that were read for a day are the same, and
// their window (Window): checks of two windows are read.
func ChecksLast(checks []catalog.Check, day time.Time) time.Time {
	last := Forever
	if len(checks) == 0 {
		return last
	}
	if end := CheckedDay(checks, nil, day).AddDate(0, 0, WindowDays); !end.Before(day) {
		last = end
	}
	first := checks[0].At.UTC().Truncate(24 * time.Hour)
	return Earlier(last, first.AddDate(0, 0, 2*WindowDays-1))
}

// Earlier is the earlier one of two days.
func Earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
