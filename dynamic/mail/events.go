package mail

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// tones tell good news from bad; what is neither is plain.
var tones = map[catalog.EventKind]string{
	catalog.EventCreated: "good", catalog.EventVerified: "good", catalog.EventReactivated: "good", catalog.EventSubmissionApproved: "good", catalog.EventClaimVerified: "good",
	catalog.EventFailing: "bad", catalog.EventStale: "bad", catalog.EventDeprecated: "bad", catalog.EventRemoved: "bad", catalog.EventReopened: "bad", catalog.EventSubmissionRejected: "bad",
}

// Fields named in the detail of an event, and how long it may be.
const (
	fieldsShown = 6
	detailMax   = 200
	nameMax     = 200
)

// NewEvent says what happened in the words of a language.
func NewEvent(w Words, e *wire.FeedEvent, at time.Time) Event {
	return Event{Label: w.Word("mail.event", string(e.Type)), Tone: cmp.Or(tones[e.Type], toneOf(e), "plain"), At: w.Day(at) + ", " + at.UTC().Format("15:04 UTC"), Detail: detail(w, e)}
}

// toneOf is that of a change that breaks who reads the source, "" for others.
func toneOf(e *wire.FeedEvent) string {
	for _, c := range e.Changes {
		if v, ok := c.To.(json.RawMessage); ok && c.Field == "contract.severity" && string(v) == `"breaking"` {
			return "bad"
		}
	}
	return ""
}

// told are the fields whose change is said in words of its own.
var told = map[string]string{"deprecation_at": "mail.deprecation", "sunset_at": "mail.sunset", catalog.FieldStatements: "mail.statements", catalog.FieldReports: "mail.reports"}

// say tells a change in words, with the day that it names if it names one; "" of a field that has none.
func say(w Words, c *wire.Changed) string {
	key := told[c.Field]
	if key == "" {
		return ""
	}
	var at time.Time
	if raw, ok := c.To.(json.RawMessage); c.Field == "deprecation_at" || c.Field == "sunset_at" {
		if !ok || json.Unmarshal(raw, &at) != nil || at.IsZero() {
			return ""
		}
	}
	return w.Say(key, "day", w.Day(at))
}

// detail says what changed: ends with their days, of a contract what changed in it, other fields by the names
// that the interface has for them. The state of checks is what the event itself is about.
func detail(w Words, e *wire.FeedEvent) string {
	var names []string
	for _, c := range e.Changes {
		var rules []string
		if v, ok := c.To.(json.RawMessage); ok && c.Field == "contract.changes" && json.Unmarshal(v, &rules) == nil && len(rules) > 0 {
			return Line(strings.Join(rules, "; "), detailMax)
		}
	}
	var said []string
	for i := range e.Changes {
		c := &e.Changes[i]
		if text := say(w, c); text != "" {
			said = append(said, text)
		} else if c.Field != "verification_state" {
			names = append(names, strings.ReplaceAll(c.Field, "_", " "))
		}
	}
	key := "mail.changed"
	switch {
	case len(names) == 0:
		return Line(strings.Join(said, " "), detailMax)
	case len(names) > fieldsShown:
		names, key = names[:fieldsShown], "mail.changed.more"
	}
	return Line(strings.Join(append(said, w.Say(key, "fields", strings.Join(names, ", "))), " "), detailMax)
}

// NewEntry begins the part of a digest about an entry, by its title in the language. One
// that left has no link.
func NewEntry(w Words, base string, e *catalog.Entry) Entry {
	name := cmp.Or(e.NameEn, e.Name)
	if own, _ := e.Titles.In(w.Code()); own != "" {
		name = own
	}
	out := Entry{Name: Line(name, nameMax), Kind: w.Word("type", string(e.Type))}
	if e.Status == catalog.StatusActive || e.Status == catalog.StatusDeprecated {
		out.Link = base + wire.LocalRoute(w.Code(), "/entry/"+e.Slug)
	}
	return out
}
