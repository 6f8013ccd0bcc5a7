package wire

import (
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// Checks is the answer of checks: the probes of the last 30 days, newest
// first, their summary, and daily sums that go back further.
type Checks struct {
	EntryID    string                    `json:"entry_id"`
	State      catalog.VerificationState `json:"verification_state"`
	WindowDays int                       `json:"window_days"`
	Total      int                       `json:"total"`
	Up         int                       `json:"up"`
	Uptime     *float64                  `json:"uptime_percent"`
	// Uptime90 is that of the days of the last 90 days.
	Uptime90    *float64     `json:"uptime_90d_percent"`
	P50         *int         `json:"p50_latency_ms"`
	P95         *int         `json:"p95_latency_ms"`
	LatestCheck *LatestCheck `json:"latest_check"`
	Items       []Check      `json:"items"`
	Days        []CheckDay   `json:"days"`
}

// Check is one probe. LatencyMS is in milliseconds.
type Check struct {
	At           *string `json:"at"`
	Kind         string  `json:"kind"`
	URL          string  `json:"url"`
	Method       string  `json:"method"`
	Up           bool    `json:"up"`
	HTTPStatus   *int    `json:"http_status"`
	ContentType  *string `json:"content_type"`
	LatencyMS    *int    `json:"latency_ms"`
	Bytes        *int64  `json:"bytes"`
	ErrorClass   *string `json:"error_class"`
	Error        *string `json:"error"`
	RequiresAuth bool    `json:"requires_auth"`
	HostDown     bool    `json:"host_down"`
	Vantages     int     `json:"vantages"`
}

// CheckDay sums up the checks of one UTC day.
type CheckDay struct {
	Day    string  `json:"day"`
	Checks int     `json:"checks"`
	Up     int     `json:"up"`
	Uptime float64 `json:"uptime_percent"`
	P50    *int    `json:"p50_latency_ms"`
	P95    *int    `json:"p95_latency_ms"`
}

// CheckDaysMax is how many daily sums an answer shows: a year and a day. The
// store and its exports keep them for ever.
const CheckDaysMax = 366

// NewChecks lists the probes of an entry as they stand on a UTC day, which it is given the
// start of.
func NewChecks(row *catalog.Row, day time.Time) Checks {
	window := score.Window(row.Checks, day)
	p50, p95 := score.Latencies(window)
	days := score.Days(row)
	c := Checks{EntryID: row.Entry.ID, State: catalog.StateUnverified, WindowDays: score.WindowDays, P50: p50, P95: p95,
		LatestCheck: newLatest(row.State, p50, p95), Items: []Check{}, Days: checkDays(days)}
	if row.State != nil {
		c.State = row.State.State
	}
	for _, k := range slices.Backward(window) {
		c.Total++
		if k.Up {
			c.Up++
		}
		c.Items = append(c.Items, Check{stamp(k.At), k.Kind, k.URL, k.Method, k.Up, number(k.HTTPStatus), null(k.ContentType),
			number(k.LatencyMS), number(k.Bytes), null(string(k.Class)), null(k.Error), k.RequiresAuth, k.HostDown, k.Vantages})
	}
	c.Uptime = percent(c.Up, c.Total)
	if u, known := score.Uptime(days, score.CheckedDay(row.Checks, days, day).AddDate(0, 0, 1-score.UptimeDays)); known {
		v := u.Float()
		c.Uptime90 = &v
	}
	return c
}

// checkDays are the latest days, newest first.
func checkDays(days []catalog.CheckDay) []CheckDay {
	out := []CheckDay{}
	for i := len(days) - 1; i >= 0 && len(out) < CheckDaysMax; i-- {
		d := &days[i]
		share, _ := score.Uptime(days[i:i+1], time.Time{})
		out = append(out, CheckDay{d.Day, d.Checks, d.Up, share.Float(), number(d.P50MS), number(d.P95MS)})
	}
	return out
}
