package catalog

import (
	"fmt"
	"time"
)

const (
	// everyDay is the schedule of a source that has none.
	everyDay = 24 * time.Hour
	// shortest is the shortest schedule.
	shortest = time.Minute
)

var schedules = map[string]time.Duration{"": everyDay, "hourly": time.Hour, "daily": everyDay, "weekly": 7 * everyDay, "monthly": 30 * everyDay}

// ParseSchedule reads how long after a run of a source the next one is due:
// hourly, daily, weekly, monthly, or a duration of Go of at least a minute.
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
