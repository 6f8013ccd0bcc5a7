package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// MonthsShown is how many months reliability looks back. A month is told when it is over, so that
// no page moves with each check.
const MonthsShown = 12

// Month is how reliable sources were in a month of UTC.
type Month struct {
	// Month is YYYY-MM.
	Month string
	// Checks counts all but the failed ones of outages within maintenance that was announced before, Up
	// those that were answered. Those of a host that was down count too: a reader does not ask whose
	// fault it is.
	Checks, Up int
	// Outages are those that began in it, Minutes how long sources were out, both without
	// maintenance that was announced before.
	Outages, Minutes int
}

// Answered is the share of the checks that were answered in percent, rounded down to 0.01.
func (m *Month) Answered() float64 {
	if m.Checks == 0 {
		return 0
	}
	return float64(m.Up*10000/m.Checks) / 100
}

// monthsOf are the complete months of a row before a day, oldest first, packed.
func monthsOf(row *catalog.Row, day time.Time) string {
	end := day.AddDate(0, 0, 1-day.Day())
	first := end.AddDate(0, -MonthsShown, 0)
	var list []Month
	at := func(name string) *Month {
		if n := len(list); n > 0 && list[n-1].Month == name {
			return &list[n-1]
		}
		list = append(list, Month{Month: name})
		return &list[len(list)-1]
	}
	days := score.Days(row)
	for i := range days {
		d := &days[i]
		if d.Day >= first.Format(time.DateOnly) && d.Day < end.Format(time.DateOnly) {
			m := at(d.Day[:7])
			m.Checks, m.Up = m.Checks+d.Checks, m.Up+d.Up
		}
	}
	windows := catalog.Windows(row.Said)
	for k := range list {
		m := &list[k]
		from, err := time.Parse("2006-01", m.Month)
		if err != nil {
			continue
		}
		until := from.AddDate(0, 1, 0)
		for i := range row.Incidents {
			x := &row.Incidents[i]
			if !x.From.Before(from) && x.From.Before(until) {
				if x.Planned(windows) {
					m.Checks -= min(x.Failures, m.Checks-m.Up)
				} else {
					m.Outages++
				}
			}
			m.Minutes += int(x.Unplanned(windows, from, until) / time.Minute)
		}
	}
	return packMonths(list)
}

func packMonths(list []Month) string {
	var b strings.Builder
	for i := range list {
		m := &list[i]
		fmt.Fprintf(&b, "%s:%d:%d:%d:%d;", m.Month, m.Checks, m.Up, m.Outages, m.Minutes)
	}
	return b.String()
}

// Reliability sums up the complete months of the entries at the ordinals, oldest first.
func (c *Catalog) Reliability(ordinals []int32) []Month {
	sums := map[string]Month{}
	for _, o := range ordinals {
		for part := range strings.SplitSeq(strings.TrimSuffix(c.Lines[o].Months, ";"), ";") {
			name, rest, ok := strings.Cut(part, ":")
			if !ok {
				continue
			}
			m := sums[name]
			m.Month = name
			for _, to := range []*int{&m.Checks, &m.Up, &m.Outages, &m.Minutes} {
				var number string
				number, rest, _ = strings.Cut(rest, ":")
				n, _ := strconv.Atoi(number) // packMonths wrote it
				*to += n
			}
			sums[name] = m
		}
	}
	out := make([]Month, 0, len(sums))
	for _, m := range sums {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b Month) int { return strings.Compare(a.Month, b.Month) })
	return out
}
