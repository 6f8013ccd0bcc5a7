package score

import (
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// UptimeDays is the period of the long uptime that checks show.
const UptimeDays = 90

// SumDay sums up the checks of one entry on one UTC day; there is at least
// one. Latencies are nearest-rank percentiles of the checks that succeeded.
func SumDay(checks []catalog.Check) catalog.CheckDay {
	d := catalog.CheckDay{EntryID: checks[0].EntryID, Day: checks[0].At.UTC().Format(time.DateOnly), Checks: len(checks)}
	for i := range checks {
		if checks[i].Up {
			d.Up++
		}
	}
	p50, p95 := Latencies(checks)
	if p50 != nil {
		d.P50MS, d.P95MS = *p50, *p95
	}
	return d
}

// Days are the daily sums of an entry, oldest first: those that are stored and
// those of the checks that are still kept one by one. Where a day has both,
// the one of more checks counts, as in the store.
func Days(row *catalog.Row) []catalog.CheckDay {
	out := slices.Clone(row.Days)
	add := func(d catalog.CheckDay) {
		i, found := slices.BinarySearchFunc(out, d, func(a, b catalog.CheckDay) int {
			return strings.Compare(a.Day, b.Day)
		})
		switch {
		case !found:
			out = slices.Insert(out, i, d)
		case d.Checks > out[i].Checks:
			out[i] = d
		}
	}
	for first := 0; first < len(row.Checks); {
		end := first + 1
		for end < len(row.Checks) && sameDay(row.Checks[first].At, row.Checks[end].At) {
			end++
		}
		add(SumDay(row.Checks[first:end]))
		first = end
	}
	return out
}

func sameDay(a, b time.Time) bool {
	return a.UTC().Truncate(24 * time.Hour).Equal(b.UTC().Truncate(24 * time.Hour))
}

// Uptime is the share of the checks that succeeded on the days from a day on,
// in percent rounded half up to 0.1; false without checks.
func Uptime(days []catalog.CheckDay, since time.Time) (uptime Tenths, known bool) {
	up, all := count(days, since)
	return share(up, all), all > 0
}

func count(days []catalog.CheckDay, since time.Time) (up, all int) {
	first := since.UTC().Format(time.DateOnly)
	for i := range days {
		if days[i].Day >= first {
			up += days[i].Up
			all += days[i].Checks
		}
	}
	return up, all
}
