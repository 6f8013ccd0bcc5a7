package harvest

import (
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

const (
	// everyDay is the schedule of a source that has none.
	everyDay = 24 * time.Hour
	// retryFailed is how long after a failure a source is due again, unless
	// its schedule is shorter.
	retryFailed = time.Hour
	// shortest is the shortest schedule.
	shortest = time.Minute
)

var schedules = map[string]time.Duration{"": everyDay, "hourly": time.Hour, "daily": everyDay, "weekly": 7 * everyDay, "monthly": 30 * everyDay}

// ParseSchedule reads how long after a run the next one is due: hourly, daily,
// weekly, monthly, or a duration of Go of at least a minute.
func ParseSchedule(s string) (time.Duration, error) {
	if d, ok := schedules[s]; ok {
		return d, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < shortest {
		return 0, fmt.Errorf("schedule %q: use hourly, daily, weekly, monthly, or a duration such as 36h", s)
	}
	return d, nil
}

// DueAt is when a source is to be harvested next, given its last run: the zero
// time for at once. last is nil for a source that was never harvested. What was
// killed is due at once, what failed after an hour, unless it was read to its end
// and brought nothing.
func DueAt(s *catalog.Source, last *catalog.HarvestRun) (time.Time, error) {
	every, err := ParseSchedule(s.Schedule)
	switch {
	case err != nil:
		return time.Time{}, fmt.Errorf("source %s: %w", first(s.Key, s.ID), err)
	case last == nil, last.State == catalog.RunRunning:
		return time.Time{}, nil
	case last.State == catalog.RunFailed && !broughtNothing(last), last.State == catalog.RunPartial:
		return last.FinishedAt.Add(min(every, retryFailed)), nil
	}
	return last.StartedAt.Add(every), nil
}
