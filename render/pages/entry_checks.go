package pages

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/assay-register/assay/templates/entry"
)

// stretchesShown is how many runs of days that look the same stand on a page.
const stretchesShown = 40

// stripDays is how many days the strip of checks shows.
const stripDays = 90

// dayChecks are the checks of one UTC day.
type dayChecks struct {
	checks, up int
	p50        int
}

// Kinds of a day on the strip.
const (
	dayUp = iota
	dayPart
	dayDown
	dayNone
)

func (d *dayChecks) kind() int {
	switch {
	case d.checks == 0:
		return dayNone
	case d.up == d.checks:
		return dayUp
	case d.up > 0:
		return dayPart
	}
	return dayDown
}

// checkDays sums the checks of the last days up to the snapshot's, oldest
// first: from the stored sums, and from the checks themselves where they are
// more complete.
func (v *view) checkDays() (days [stripDays]dayChecks, any bool) {
	last := v.Result.CheckedDay
	at := func(day time.Time) int { return stripDays - 1 - int(last.Sub(day).Hours()/24) }
	for i := range v.Row.Days {
		d := &v.Row.Days[i]
		day, err := time.Parse(time.DateOnly, d.Day)
		if n := at(day); err == nil && n >= 0 && n < stripDays {
			days[n] = dayChecks{d.Checks, d.Up, d.P50MS}
		}
	}
	var own [stripDays]dayChecks
	var room [4 * stripDays]latency
	latencies := room[:0]
	for i := range v.Row.Checks {
		c := &v.Row.Checks[i]
		n := at(c.At.UTC().Truncate(24 * time.Hour))
		if n < 0 || n >= stripDays {
			continue
		}
		own[n].checks++
		if c.Up {
			own[n].up++
			if c.LatencyMS > 0 {
				latencies = append(latencies, latency{n, c.LatencyMS})
			}
		}
	}
	medians(&own, latencies)
	for n := range days {
		if own[n].checks > days[n].checks {
			days[n] = own[n]
		}
		any = any || days[n].checks > 0
	}
	return days, any
}

// latency is how long a check took that succeeded on a day of the strip.
type latency struct{ day, ms int }

// medians gives each day the lower middle of its latencies.
func medians(days *[stripDays]dayChecks, list []latency) {
	slices.SortFunc(list, func(a, b latency) int { return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.ms, b.ms)) })
	for from := 0; from < len(list); {
		day, to := list[from].day, from
		for to < len(list) && list[to].day == day {
			to++
		}
		days[day].p50 = list[(from+to-1)/2].ms
		from = to
	}
}

// median is the lower middle of a list in any order, 0 for none.
func median(list []int) int {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[(len(list)-1)/2]
}

// percent is a share with one decimal that is 100 only if nothing is missing.
func percent(part, whole int) string {
	if whole == 0 {
		return "0"
	}
	return formatFloat(math.Floor(float64(part)*1000/float64(whole))/10, -1)
}

func formatFloat(v float64, decimals int) string {
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// checks are the strip, the latency and the stretches of 90 days, nil without a check.
func (v *view) checks() *entry.Checks {
	days, any := v.checkDays()
	if !any {
		return nil
	}
	last := v.Result.CheckedDay
	first := slices.IndexFunc(days[:], func(d dayChecks) bool { return d.checks > 0 })
	out := &entry.Checks{From: last.AddDate(0, 0, first+1-stripDays), To: last, Days: strip(&days), Stretches: stretches(last, &days)}
	out.Left = max(0, len(out.Stretches)-v.most(stretchesShown))
	out.Stretches = out.Stretches[:len(out.Stretches)-out.Left]
	for _, d := range days {
		out.All, out.Up = out.All+d.checks, out.Up+d.up
	}
	out.Share = math.Floor(float64(out.Up)*1000/float64(out.All)) / 10
	latencyLine(out, &days)
	return out
}

// strip are the days of each kind as the path of a picture, equal days beside each other in one
// piece; a day that was not checked is low, so that it differs by more than its colour, and so is one
// that was partly down.
func strip(days *[stripDays]dayChecks) (paths [4]string) {
	tops := [4]string{"0", "8", "16", "26"}
	for n := 0; n < stripDays; {
		kind, to := days[n].kind(), n+1
		for to < stripDays && days[to].kind() == kind {
			to++
		}
		paths[kind] += "M" + strconv.Itoa(n*8) + " " + tops[kind] + "h" + strconv.Itoa((to-n)*8-2) + "V32h-" + strconv.Itoa((to-n)*8-2) + "z"
		n = to
	}
	return paths
}

// latencyLine draws the daily median.
func latencyLine(out *entry.Checks, days *[stripDays]dayChecks) {
	var all []int
	for _, d := range days {
		if d.p50 > 0 {
			all = append(all, d.p50)
		}
	}
	if len(all) < 2 {
		return
	}
	out.Most, out.Least = slices.Max(all), slices.Min(all)
	out.Middle = median(all)
	var b []byte
	lastX, lastY := 0, 0
	for n, d := range days {
		if d.p50 == 0 {
			continue
		}
		x, y := n*8+3, int(math.Round(60-56*float64(d.p50)/float64(out.Most)))
		b = appendStep(b, x-lastX, y-lastY)
		lastX, lastY = x, y
	}
	out.Line = string(b)
}

// appendStep leads a path on by a relative step, its first one from the origin.
func appendStep(path []byte, dx, dy int) []byte {
	switch {
	case len(path) == 0:
		path = append(path, 'M')
	case bytes.IndexByte(path, 'l') < 0:
		path = append(path, 'l')
	default:
		path = append(path, ' ')
	}
	path = strconv.AppendInt(path, int64(dx), 10)
	if dy >= 0 {
		path = append(path, ' ')
	}
	return strconv.AppendInt(path, int64(dy), 10)
}

// stretches joins the days that look the same, newest first.
func stretches(last time.Time, days *[stripDays]dayChecks) []entry.Stretch {
	var list []entry.Stretch
	for n := stripDays - 1; n >= 0; n-- {
		d, day := days[n], last.AddDate(0, 0, n-stripDays+1)
		if k := len(list); k == 0 || list[k-1].Kind != d.kind() {
			list = append(list, entry.Stretch{To: day, Kind: d.kind()})
		}
		s := &list[len(list)-1]
		s.From, s.All, s.Up = day, s.All+d.checks, s.Up+d.up
		if d.p50 > 0 {
			if s.Fast == 0 || d.p50 < s.Fast {
				s.Fast = d.p50
			}
			s.Slow = max(s.Slow, d.p50)
		}
	}
	return list
}
