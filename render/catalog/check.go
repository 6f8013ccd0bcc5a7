package catalog

import "time"

// Check is one probe of an entry, immutable once written.
type Check struct {
	EntryID string    `json:"entry_id"`
	At      time.Time `json:"at"`
	// Kind is the probe that was used: http, openapi, ogc, sparql, odata,
	// graphql, distribution, mcp.
	Kind        string `json:"kind"`
	URL         string `json:"url"`
	Method      string `json:"method"`
	Up          bool   `json:"up"`
	HTTPStatus  int    `json:"http_status,omitempty"`
	ContentType string `json:"content_type,omitempty"`
	// LatencyMS is the time to the complete probe answer in milliseconds.
	LatencyMS int        `json:"latency_ms,omitempty"`
	Bytes     int64      `json:"bytes,omitempty"`
	Class     ErrorClass `json:"error_class,omitempty"`
	Error     string     `json:"error,omitempty"`
	// RequiresAuth marks a 401 or 403: up, behind credentials.
	RequiresAuth bool `json:"requires_auth,omitempty"`
	// HostDown marks a failure of the whole host, seen on one of its entries
	// and recorded for all that were due. It does not count against the entry
	// (decisions §5: a host that is down is one host event).
	HostDown bool `json:"host_down,omitempty"`
	// Vantages is from how many places the probe was made.
	Vantages int `json:"vantages"`
}

// CheckDay sums up the checks of an entry on one UTC day; it remains when the
// checks themselves are gone.
type CheckDay struct {
	EntryID string `json:"entry_id"`
	// Day is YYYY-MM-DD in UTC.
	Day string `json:"day"`
	// Checks counts all, Up those that succeeded.
	Checks int `json:"checks"`
	Up     int `json:"up"`
	// P50MS and P95MS are the nearest-rank percentiles of the latency of those
	// that succeeded, in milliseconds; 0 is unknown.
	P50MS int `json:"p50_ms,omitempty"`
	P95MS int `json:"p95_ms,omitempty"`
}

// CheckState is the running verdict over an entry's checks.
type CheckState struct {
	EntryID string            `json:"entry_id"`
	ID      string            `json:"id"`
	State   VerificationState `json:"state"`
	// LastCheckedAt is the time of the last check, up or down.
	LastCheckedAt time.Time `json:"last_checked_at,omitzero"`
	// SucceededAt is the time of the last check that was up.
	SucceededAt          time.Time  `json:"succeeded_at,omitzero"`
	ConsecutiveFailures  int        `json:"consecutive_failures"`
	ConsecutiveSuccesses int        `json:"consecutive_successes"`
	LastError            string     `json:"last_error,omitempty"`
	LastClass            ErrorClass `json:"last_error_class,omitempty"`
	ProbeURL             string     `json:"probe_url,omitempty"`
	ProbeMethod          string     `json:"probe_method,omitempty"`
	ProbeHTTPStatus      int        `json:"probe_http_status,omitempty"`
	ProbeContentType     string     `json:"probe_content_type,omitempty"`
	RequiresAuth         bool       `json:"requires_auth,omitempty"`
	Vantages             int        `json:"vantages,omitempty"`
	CreatedAt            time.Time  `json:"created_at"`
	UpdatedAt            time.Time  `json:"updated_at"`
	// Since is when State took its value, zero where that was not noted.
	Since time.Time `json:"since,omitzero"`
	// Shown is the verdict as pages show it: as of the last change of state, and as of one
	// check of a later UTC day (decisions-2 §F). Its own Shown is nil. It is nil where that
	// was not noted, and the verdict itself is shown.
	Shown *CheckState `json:"shown,omitempty"`
}

// ScoreDay holds an entry's scores of one UTC day; the days form the
// quality-history.
type ScoreDay struct {
	EntryID string `json:"entry_id"`
	// Day is YYYY-MM-DD in UTC.
	Day     string   `json:"day"`
	MQA     float64  `json:"mqa"`
	Trust   float64  `json:"trust"`
	Ranking *float64 `json:"ranking"`
	// Axes are officialness, availability, metadata, licence, agent
	// readiness; nil where unknown.
	Axes [5]*float64 `json:"axes"`
}

// Same tells whether another day has the same scores.
func (d *ScoreDay) Same(other *ScoreDay) bool {
	same := func(a, b *float64) bool { return a == b || a != nil && b != nil && *a == *b }
	if d.MQA != other.MQA || d.Trust != other.Trust || !same(d.Ranking, other.Ranking) {
		return false
	}
	for i := range d.Axes {
		if !same(d.Axes[i], other.Axes[i]) {
			return false
		}
	}
	return true
}
