package wire

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
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

// NewChecks lists the probes of an entry.
func NewChecks(s *snapshot.Scored) Checks {
	c := Checks{EntryID: s.Entry().ID, State: s.Result.State, WindowDays: score.WindowDays, P50: s.Result.P50, P95: s.Result.P95,
		LatestCheck: newLatest(s), Items: []Check{}, Days: checkDays(s.Result.Days)}
	since := score.Since(s.Day)
	for i := len(s.Row.Checks) - 1; i >= 0; i-- {
		k := &s.Row.Checks[i]
		if k.At.Before(since) {
			break
		}
		c.Total++
		if k.Up {
			c.Up++
		}
		c.Items = append(c.Items, Check{stamp(k.At), k.Kind, k.URL, k.Method, k.Up, number(k.HTTPStatus), null(k.ContentType),
			number(k.LatencyMS), number(k.Bytes), null(string(k.Class)), null(k.Error), k.RequiresAuth, k.HostDown, k.Vantages})
	}
	if a := s.Result.Axes[1]; a.Known {
		v := a.Value.Float()
		c.Uptime = &v
	}
	if u, known := score.Uptime(s.Result.Days, s.Day.AddDate(0, 0, 1-score.UptimeDays)); known {
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
