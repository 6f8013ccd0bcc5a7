package wire

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// FeedEvent is one event as everybody may see it: in the change feed, in a
// webhook's data and on the static pages. It is made of what never changes any
// more, so it has the same bytes whenever it is shown.
type FeedEvent struct {
	ID         string            `json:"id"`
	Type       catalog.EventKind `json:"type"`
	OccurredAt string            `json:"occurred_at"`
	// Entry is nil for an event of the whole register.
	Entry *EventEntry `json:"entry"`
	// Subject is what an event without an entry is about: a snapshot, a host,
	// a submission.
	Subject *string       `json:"subject"`
	Changes Changes       `json:"changes"`
	Left    *EventDeparts `json:"tombstone"`
}

// EventEntry names the entry of an event; Href is an absolute address.
type EventEntry struct {
	ID   string            `json:"id"`
	Type catalog.EntryType `json:"type"`
	Href string            `json:"href"`
}

// EventDeparts goes with an event by which an entry left the register.
type EventDeparts struct {
	Reason    string  `json:"reason"`
	Successor *string `json:"successor"`
	At        string  `json:"at"`
}

// FieldDelta is the old and the new value of a field. Cut tells that one of
// them was too long to be told; then it is null.
type FieldDelta struct {
	From any  `json:"from"`
	To   any  `json:"to"`
	Cut  bool `json:"cut"`
}

// Changes are the changed fields of an event by name, in the order of names.
type Changes []Changed

// Changed is one member of Changes.
type Changed struct {
	Field string
	FieldDelta
}

// MarshalJSON writes an object.
func (c Changes) MarshalJSON() ([]byte, error) {
	o := ordered[FieldDelta]{}
	for _, f := range c {
		o.keys, o.values = append(o.keys, f.Field), append(o.values, f.FieldDelta)
	}
	return o.MarshalJSON()
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Changes) UnmarshalJSON(b []byte) error {
	var all map[string]FieldDelta
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	*c = Changes{}
	for f, d := range all {
		*c = append(*c, Changed{f, d})
	}
	slices.SortFunc(*c, func(a, b Changed) int { return strings.Compare(a.Field, b.Field) })
	return nil
}

// valueMax is the longest value of a changed field that is told, in bytes of
// JSON.
const valueMax = 1000

// unspoken are changed fields that are nobody's business: how the register
// tells entries apart, who decided, and whom to write to.
var unspoken = []string{"admission", "contact", "identity_key", "match_key", "signals"}

// NewFeedEvent is the public form of an event; ok is false for one that is not
// public. The entry is nil for an event without one.
func NewFeedEvent(site snapshot.Site, e *catalog.Event, entry *catalog.Entry) (_ FeedEvent, ok bool) {
	if !e.Public(entry) {
		return FeedEvent{}, false
	}
	out := FeedEvent{ID: EventID(e.Number), Type: e.Type, OccurredAt: instant(e.OccurredAt), Changes: newChanges(e.Changes)}
	if entry == nil {
		out.Subject = subject(e.Data)
		return out, true
	}
	out.Entry = &EventEntry{entry.ID, entry.Type, site.BaseURL + "/api/v1/entries/" + entry.ID}
	if Departs(e.Type) {
		out.Left = &EventDeparts{Reason: "removed", Successor: null(cmp.Or(entry.MergedIntoID, entry.SuccessorID)), At: instant(e.OccurredAt)}
		switch e.Type {
		case catalog.EventMerged:
			out.Left.Reason = snapshot.ReasonMerged
		case catalog.EventReopened:
			out.Left.Reason, out.Left.Successor = snapshot.ReasonReopened, nil
		}
	}
	return out, true
}

// Departs tells whether an entry left the register by an event of a kind.
func Departs(k catalog.EventKind) bool {
	return k == catalog.EventRemoved || k == catalog.EventMerged || k == catalog.EventReopened
}

// EventID is the public id of the event of a number.
func EventID(number int64) string { return "evt_" + strconv.FormatInt(number, 10) }

func instant(t time.Time) string {
	return t.UTC().Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000Z")
}

func newChanges(list []catalog.FieldChange) Changes {
	out := Changes{}
	for _, c := range list {
		if slices.Contains(unspoken, c.Field) {
			continue
		}
		d := FieldDelta{From: told(c.From), To: told(c.To)}
		d.Cut = len(c.From) > valueMax || len(c.To) > valueMax
		out = append(out, Changed{c.Field, d})
	}
	slices.SortStableFunc(out, func(a, b Changed) int { return strings.Compare(a.Field, b.Field) })
	return slices.CompactFunc(out, func(a, b Changed) bool { return a.Field == b.Field })
}

// told is a value as it is shown: nil when it is absent or too long.
func told(v json.RawMessage) any {
	if len(v) == 0 || len(v) > valueMax {
		return nil
	}
	return v
}

// subject finds what an event without an entry is about. Only these members of
// its data are public.
func subject(data json.RawMessage) *string {
	var d struct {
		Snapshot   string `json:"snapshot"`
		Host       string `json:"host"`
		Submission string `json:"submission"`
		Candidate  string `json:"candidate"`
		Claim      string `json:"claim"`
	}
	if json.Unmarshal(data, &d) != nil {
		return nil
	}
	return null(cmp.Or(d.Snapshot, d.Host, d.Submission, d.Candidate, d.Claim))
}
