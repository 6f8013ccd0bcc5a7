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

// detail names the fields that changed, as the interface does; of a contract, what changed in it.
func detail(w Words, e *wire.FeedEvent) string {
	var names []string
	for _, c := range e.Changes {
		var rules []string
		if v, ok := c.To.(json.RawMessage); ok && c.Field == "contract.changes" && json.Unmarshal(v, &rules) == nil && len(rules) > 0 {
			return Line(strings.Join(rules, "; "), detailMax)
		}
	}
	for _, c := range e.Changes {
		names = append(names, strings.ReplaceAll(c.Field, "_", " "))
	}
	key := "mail.changed"
	switch {
	case len(names) == 0:
		return ""
	case len(names) > fieldsShown:
		names, key = names[:fieldsShown], "mail.changed.more"
	}
	return Line(w.Say(key, "fields", strings.Join(names, ", ")), detailMax)
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
