package pages

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

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

var (
	stripClasses = [4]markup{"c-ok", "c-part", "c-bad", "c-none"}
	stripKeys    = [4]string{"uptime.up", "uptime.part", "uptime.down", "uptime.unchecked"}
)

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

// uptime shows the checks of 90 days: a strip, a line of latency, and the same
// as a table.
func (w *writer) uptime(v *view) {
	w.part("checks", "uptime.heading")
	days, any := v.checkDays()
	if !any {
		w.raw(`<p class="soft">`)
		w.t("uptime.none")
		w.raw("</p>")
		w.end()
		return
	}
	checks, up := 0, 0
	for _, d := range days {
		checks, up = checks+d.checks, up+d.up
	}
	w.raw(`<p><span class="big">`)
	w.text(percent(up, checks))
	w.raw(` %</span> <span class="soft">`)
	w.text(w.locale.str("uptime.of", "up", w.locale.number(up), "checks", w.locale.number(checks)))
	w.raw("</span></p>")
	w.strip(v, &days)
	w.latency(v, &days)
	w.dayTable(v, &days)
	w.end()
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

// strip draws one cell a day; a day that was not checked is low, so that it
// differs by more than its colour, and so is one that was partly down.
func (w *writer) strip(v *view, days *[stripDays]dayChecks) {
	w.raw(`<svg class="chart" viewBox="0 0 718 32" role="img" aria-labelledby="strip-t"><title id="strip-t">`)
	w.t("uptime.strip")
	w.raw("</title>")
	for kind := range stripClasses {
		w.cells(kind, days)
	}
	w.raw(`</svg>`)
	w.same("strip", "", w.stripKey)
	w.raw(`<li>`)
	w.day(v.Result.CheckedDay.AddDate(0, 0, 1-stripDays))
	w.raw(" – ")
	w.day(v.Result.CheckedDay)
	w.raw("</li></ul>")
}

// stripKey begins the list that says what the colours of a strip mean.
func (w *writer) stripKey() {
	w.raw(`<ul class="key">`)
	for i, class := range stripClasses {
		w.raw(`<li><svg viewBox="0 0 8 8" aria-hidden="true"><rect class="`, class, `" width="8" height="8"/></svg>`)
		w.tag("span", stripKeys[i])
		w.raw("</li>")
	}
}

// cells draws the days of a kind, if there are any.
func (w *writer) cells(kind int, days *[stripDays]dayChecks) {
	top := [4]markup{"0", "8", "16", "26"}[kind]
	before, after := `<path class="`+stripClasses[kind]+`" d="`, markup("")
	for n := range days {
		if days[n].kind() == kind {
			w.raw(before, "M")
			w.digits(n * 8)
			w.raw(" ", top, "h6V32h-6z")
			before, after = "", `"/>`
		}
	}
	w.raw(after)
}

// latency draws the daily median; breaks in it are days without a success.
func (w *writer) latency(v *view, days *[stripDays]dayChecks) {
	var room [stripDays]int
	all, most := room[:0], 0
	for _, d := range days {
		if d.p50 > 0 {
			all = append(all, d.p50)
			most = max(most, d.p50)
		}
	}
	if len(all) < 2 {
		return
	}
	w.raw(`<svg class="chart" viewBox="0 0 718 64" preserveAspectRatio="none" role="img" aria-labelledby="spark-t"><title id="spark-t">`)
	w.t("uptime.latency")
	w.raw(`</title><path class="c-line" d="`)
	move := true
	for n, d := range days {
		if d.p50 == 0 {
			continue
		}
		command := byte('L')
		if move {
			command, move = 'M', false
		}
		w.b = append(w.b, command)
		w.digits(n*8 + 3)
		w.raw(" ")
		w.float(60-56*float64(d.p50)/float64(most), 1)
	}
	w.raw(`"/></svg><p class="small soft">`)
	middle, least := median(all), slices.Min(all)
	w.text(w.locale.str("uptime.latency_text", "min", strconv.Itoa(least), "median", strconv.Itoa(middle), "max", strconv.Itoa(most)))
	w.raw("</p>")
}

// stretch is a run of days that look the same on the strip.
type stretch struct {
	from, to, kind int
	checks, up     int
	fast, slow     int
}

// stretches joins the days, newest first, behind those of a list.
func stretches(list []stretch, days *[stripDays]dayChecks) []stretch {
	for n := stripDays - 1; n >= 0; n-- {
		d := days[n]
		if k := len(list); k == 0 || list[k-1].kind != d.kind() {
			list = append(list, stretch{to: n, kind: d.kind()})
		}
		s := &list[len(list)-1]
		s.from, s.checks, s.up = n, s.checks+d.checks, s.up+d.up
		if d.p50 > 0 {
			if s.fast == 0 || d.p50 < s.fast {
				s.fast = d.p50
			}
			s.slow = max(s.slow, d.p50)
		}
	}
	return list
}

// dayTable says in words what the strip and the line draw.
func (w *writer) dayTable(v *view, days *[stripDays]dayChecks) {
	w.more("uptime.table")
	w.table("uptime.strip", "uptime.day", "finding.outcome", "uptime.checks", "uptime.succeeded", "uptime.median")
	var room [stripDays / 4]stretch
	for _, s := range stretches(room[:0], days) {
		w.raw(`<tr><th scope="row">`)
		w.day(v.Result.CheckedDay.AddDate(0, 0, s.from-stripDays+1))
		if s.to > s.from {
			w.raw(" – ")
			w.day(v.Result.CheckedDay.AddDate(0, 0, s.to-stripDays+1))
		}
		w.raw("</th><td>")
		w.t(stripKeys[s.kind])
		w.raw(`</td><td class="num">`)
		w.digits(s.checks)
		w.raw(`</td><td class="num">`)
		w.digits(s.up)
		w.raw(`</td><td class="num">`)
		if s.fast > 0 {
			w.digits(s.fast)
			if s.slow > s.fast {
				w.raw("–")
				w.digits(s.slow)
			}
			w.raw(" ms")
		}
		w.raw("</td></tr>")
	}
	w.endTable()
	w.endMore()
	w.recent(v)
}

// recentShown is how many single checks the page lists.
const recentShown = 10

// recent lists the last checks one by one.
func (w *writer) recent(v *view) {
	n := len(v.Row.Checks)
	if n == 0 {
		return
	}
	w.more("uptime.recent")
	w.table("uptime.recent", "uptime.when", "finding.outcome", "check.answer", "uptime.took")
	for i := n - 1; i >= max(0, n-recentShown); i-- {
		c := &v.Row.Checks[i]
		w.raw("<tr><td>")
		w.time(c.At)
		if c.Up {
			w.raw(`</td><td class="yes">`)
			w.t("check.up")
		} else {
			w.raw(`</td><td class="no">`)
			w.t("check.down")
		}
		w.raw(`</td><td translate="no">`)
		w.checkAnswer(c)
		w.raw(`</td><td class="num">`)
		if c.LatencyMS > 0 {
			w.digits(c.LatencyMS)
			w.raw(" ms")
		}
		w.raw("</td></tr>")
	}
	w.endTable()
	w.endMore()
}

func (w *writer) checkAnswer(c *catalog.Check) {
	if c.HTTPStatus != 0 {
		w.raw("HTTP ")
		w.digits(c.HTTPStatus)
		w.raw(" ")
	}
	if c.Class != "" {
		w.text(string(c.Class))
		w.raw(" ")
	}
	w.clip(c.Error, 120)
}
