package catalog

import (
	"context"
	"slices"
	"time"
)

// IncidentCause is what failed.
type IncidentCause string

// Causes of incidents.
const (
	// CauseSource is a source that fails while others of its host may answer.
	CauseSource IncidentCause = "source"
	// CauseUnreachable is a host of which no source is reached.
	CauseUnreachable IncidentCause = "unreachable"
	// CauseSeveral is a host that is reached while several of its sources fail together.
	CauseSeveral IncidentCause = "several"
)

// IncidentCauses lists the causes.
func IncidentCauses() []IncidentCause {
	return []IncidentCause{CauseSource, CauseUnreachable, CauseSeveral}
}

// Bounds of incidents.
const (
	// HostSources is how many sources of a host must fail at once, and be at least half of those
	// that are checked there, for an incident of the host. Two may be one data set in two forms.
	HostSources = 3
	// EvidenceChecks is how many checks an incident keeps; EntryIncidents is how many incidents
	// an entry shows.
	EvidenceChecks = 8
	EntryIncidents = 100
)

// IncidentCheck is one check that an incident rests on; it outlives the check itself.
type IncidentCheck struct {
	At         time.Time  `json:"at"`
	EntryID    string     `json:"entry_id"`
	URL        string     `json:"url"`
	Up         bool       `json:"up"`
	HTTPStatus int        `json:"http_status,omitempty"`
	Class      ErrorClass `json:"error_class,omitempty"`
	Error      string     `json:"error,omitempty"`
}

// EvidenceOf is what an incident keeps of a check.
func EvidenceOf(c *Check) IncidentCheck {
	return IncidentCheck{At: c.At, EntryID: c.EntryID, URL: c.URL, Up: c.Up, HTTPStatus: c.HTTPStatus, Class: c.Class, Error: c.Error}
}

// Incident is a time in which a source, or several of one host together, did not answer. It
// follows from checks alone: that of a source opens when its verdict becomes FAILING, that is with
// the third failure in a row, begins with the first of them, and ends with the first check that
// is answered (build/verify, Next). That of a host opens when the host is declared down, or when
// HostSources and half of its sources fail, and ends when it is reached again or fewer fail.
type Incident struct {
	ID string `json:"id"`
	// EntryID is that of the source, "" for a whole host.
	EntryID string        `json:"entry_id,omitempty"`
	Host    string        `json:"host"`
	Cause   IncidentCause `json:"cause"`
	// From is the first failed check, OpenedAt the one that made it an incident, Until the one
	// that was answered, zero while it lasts.
	From     time.Time `json:"from"`
	OpenedAt time.Time `json:"opened_at"`
	Until    time.Time `json:"until,omitzero"`
	// Unresolved tells that it ended because the source is not checked any more.
	Unresolved bool `json:"unresolved,omitempty"`
	// Failures counts the failed checks in a row, as far as they were counted.
	Failures int `json:"failures,omitempty"`
	// Sources is how many sources are checked on the host of a host's incident.
	Sources  int             `json:"sources,omitempty"`
	Evidence []IncidentCheck `json:"evidence"`
}

// NewIncidentID is the id of the incident of a subject, an entry or a host, that begins at a
// time: the same checks make the same incident.
func NewIncidentID(subject string, from time.Time) string {
	return NewID("incident", subject+" "+from.UTC().Format(time.RFC3339Nano))
}

// Open tells whether it lasts.
func (i *Incident) Open() bool { return i.Until.IsZero() }

// Within is how much of an incident lies between two instants; one that lasts goes on to the end.
func (i *Incident) Within(from, to time.Time) time.Duration {
	end := i.Until
	if end.IsZero() || end.After(to) {
		end = to
	}
	if i.From.After(from) {
		from = i.From
	}
	return max(0, end.Sub(from))
}

// Window is an announced time of maintenance.
type Window struct {
	StatementID string
	From, Until time.Time
	Text, URL   string
}

// Windows are the maintenance windows that owners announced before they began, and stood by until then: a window
// that is told of afterwards explains an outage, but does not take it back.
func Windows(said []Said) []Window {
	var out []Window
	for i := range said {
		s := &said[i]
		given := !s.CreatedAt.After(s.From) && (s.Ended.IsZero() || !s.Ended.Before(s.From))
		if s.Kind == StateMaintenance && s.State.Holds() && given {
			out = append(out, Window{s.ID, s.From, s.Until, s.Text, s.URL})
		}
	}
	slices.SortStableFunc(out, func(a, b Window) int { return a.From.Compare(b.From) })
	return out
}

// Planned tells whether an incident that has ended lies in a window: it does not count as an outage.
// The first and the last check lie up to a pause between checks within the true times, so
// only what is seen counts.
func (i *Incident) Planned(windows []Window) bool {
	for _, w := range windows {
		if !i.From.Before(w.From) && !i.From.After(w.Until) && !i.Open() && !i.Until.After(w.Until) {
			return true
		}
	}
	return false
}

// Unplanned is how much of an incident between two instants lies in no window.
func (i *Incident) Unplanned(windows []Window, from, to time.Time) time.Duration {
	d := i.Within(from, to)
	var covered time.Time
	for _, w := range windows { // by their beginning, so that what two share is taken off once
		begin, end := later(w.From, from, covered), earlier(w.Until, to)
		if end.After(begin) {
			d -= i.Within(begin, end)
			covered = end
		}
	}
	return max(0, d)
}

func later(list ...time.Time) time.Time {
	at := list[0]
	for _, t := range list[1:] {
		if t.After(at) {
			at = t
		}
	}
	return at
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// IncidentFilter narrows a list of incidents; zero fields do not.
type IncidentFilter struct {
	EntryID, Host string
	// Open keeps those that last, Since those that last or ended at or after a time.
	Open  bool
	Since time.Time
	// Before is the id of the incident that the list goes on behind.
	Before string
	Limit  int
}

// Incidents stores when sources and hosts did not answer.
type Incidents interface {
	// Put inserts or replaces incidents.
	Put(ctx context.Context, list ...Incident) error
	// OpenOf returns those of the entries that last, by entry id.
	OpenOf(ctx context.Context, entryIDs ...string) ([]Incident, error)
	// OpenOn returns those on a host that last, its own and those of its sources, by their
	// beginning and id.
	OpenOn(ctx context.Context, host string) ([]Incident, error)
	// Scan calls fn for each incident of the entries of the range by entry id, beginning and id.
	Scan(ctx context.Context, r Range, fn func(*Incident) error) error
	// OfHosts calls fn for each incident of a whole host by host, beginning and id.
	OfHosts(ctx context.Context, fn func(*Incident) error) error
	// List returns incidents, the one that began last first.
	List(ctx context.Context, f IncidentFilter) ([]Incident, error)
}
