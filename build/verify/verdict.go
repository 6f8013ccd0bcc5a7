package verify

import (
	"encoding/json"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Thresholds of the state machine (decisions §5, "Verification").
const (
	// FailuresToFail is how many failures in a row make an entry FAILING; one
	// success restores it.
	FailuresToFail = 3
	// StaleAfter is how long an entry that is not FAILING may go without a
	// success before it is STALE.
	StaleAfter = 72 * time.Hour
)

// Next applies one check to the running verdict of an entry and returns the
// event of a change of state, or nil. A nil state is that of an entry that was
// never checked. Checks must be applied in the order of their times. A failure
// of the whole host is noted and counts for nothing: it has its own event.
func Next(s *catalog.CheckState, c *catalog.Check) (catalog.CheckState, *catalog.Event) {
	next := catalog.CheckState{EntryID: c.EntryID, ID: catalog.NewID("check_state", c.EntryID),
		State: catalog.StateUnverified, CreatedAt: c.At}
	if s != nil {
		next = *s
	}
	from := next.State
	next.LastCheckedAt, next.UpdatedAt, next.Vantages = c.At, c.At, c.Vantages
	if c.HostDown {
		next.LastError, next.LastClass = c.Error, c.Class
		show(&next, c.At)
		return next, nil
	}
	next.ProbeURL, next.ProbeMethod, next.ProbeHTTPStatus = c.URL, c.Method, c.HTTPStatus
	next.ProbeContentType, next.RequiresAuth = c.ContentType, c.RequiresAuth
	if c.Up {
		next.ConsecutiveSuccesses++
		next.ConsecutiveFailures = 0
		next.SucceededAt, next.LastError, next.LastClass = c.At, "", ""
		next.State = catalog.StateVerified
	} else {
		next.ConsecutiveFailures++
		next.ConsecutiveSuccesses = 0
		next.LastError, next.LastClass = c.Error, c.Class
		if next.ConsecutiveFailures >= FailuresToFail {
			next.State = catalog.StateFailing
		}
	}
	event := changed(&next, from, c.At)
	show(&next, c.At)
	return next, event
}

// Age makes a verdict STALE when no success was seen for too long, and returns
// the event of the change, or nil. A scheduled job applies it; nothing is
// derived on the way out. A success in the future was seen at the latest now, by
// a clock that ran ahead: its time is set right, without an event.
func Age(s *catalog.CheckState, now time.Time) (catalog.CheckState, *catalog.Event) {
	next := believed(s, now)
	last := next.SucceededAt
	if last.IsZero() {
		last = next.CreatedAt
	}
	if s.State == catalog.StateFailing || s.State == catalog.StateStale || now.Sub(last) < StaleAfter {
		return next, nil
	}
	at := last.Add(StaleAfter)
	next.State, next.UpdatedAt = catalog.StateStale, at
	event := changed(&next, s.State, at)
	show(&next, at)
	return next, event
}

// believed is a verdict none of whose times is in the future.
func believed(s *catalog.CheckState, now time.Time) catalog.CheckState {
	next := *s
	for _, at := range []*time.Time{&next.SucceededAt, &next.CreatedAt, &next.LastCheckedAt, &next.UpdatedAt, &next.Since} {
		if at.Sub(now) > catalog.ClockSlack {
			*at = now
		}
	}
	if s.Shown != nil {
		shown := believed(s.Shown, now)
		next.Shown = &shown
	}
	return next
}

var stateEvents = map[catalog.VerificationState]catalog.EventKind{
	catalog.StateVerified: catalog.EventVerified,
	catalog.StateFailing:  catalog.EventFailing,
	catalog.StateStale:    catalog.EventStale,
}

func changed(s *catalog.CheckState, from catalog.VerificationState, at time.Time) *catalog.Event {
	if s.State == from {
		return nil
	}
	s.Since = at
	return &catalog.Event{Type: stateEvents[s.State], EntryID: s.EntryID, OccurredAt: at, Changes: []catalog.FieldChange{
		{Field: "verification_state", From: quoted(from), To: quoted(s.State)},
	}}
}

func quoted(s catalog.VerificationState) json.RawMessage {
	return json.RawMessage(`"` + string(s) + `"`)
}
