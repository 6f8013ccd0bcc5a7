package catalog

import (
	"encoding/json"
	"slices"
	"time"
)

// admissionSlack is by how much the clock of an entry's first event may lie
// before its time of publication: some writers keep whole seconds.
const admissionSlack = time.Second

// registerKinds are the public events that belong to no entry.
var registerKinds = []EventKind{EventCatalogBuilt, EventHostFailing, EventHostRecovered,
	EventSubmissionReceived, EventSubmissionApproved, EventSubmissionRejected, EventSubmissionReopened, EventCandidateDecided, EventClaimVerified, EventClaimEnded}

// ByCurator is the data of an event that a person of the register decided: an edit laid over
// what catalogues state (decisions-2 §H).
var ByCurator = json.RawMessage(`{"cause":"curator"}`)

// Public tells whether everybody may learn of the event: its entry, nil for an
// event without one, was published when it happened. The answer is the same at
// any later time, so that whoever follows the log sees what a replay shows: the
// clock alone would let an approval publish events that followers had passed by.
func (e *Event) Public(entry *Entry) bool {
	if e.EntryID == "" {
		return slices.Contains(registerKinds, e.Type)
	}
	return entry != nil && !e.Unpublished && !entry.PublishedAt.IsZero() && !e.OccurredAt.Add(admissionSlack).Before(entry.PublishedAt)
}

// EventFilter narrows the events that somebody follows. The lists AND together,
// the values of one list OR, but an entry must carry all tags (decisions §3);
// an empty list does not narrow.
type EventFilter struct {
	Types        []EventKind `json:"types,omitempty"`
	Entries      []string    `json:"entries,omitempty"`
	Countries    []string    `json:"countries,omitempty"`
	Institutions []string    `json:"institutions,omitempty"`
	Tags         []string    `json:"tags,omitempty"`
}

// FilterMax is how many values each list of a filter holds at most.
const FilterMax = 50

// OfEntries tells that the filter asks for something that only an entry has.
func (f *EventFilter) OfEntries() bool {
	return len(f.Entries)+len(f.Countries)+len(f.Institutions)+len(f.Tags) > 0
}

// Match tells whether the event, of the entry as it is now, passes the filter;
// the entry is nil for an event without one.
func (f *EventFilter) Match(e *Event, entry *Entry) bool {
	if len(f.Types) > 0 && !slices.Contains(f.Types, e.Type) {
		return false
	}
	if !f.OfEntries() {
		return true
	}
	return entry != nil && has(f.Entries, entry.ID) && has(f.Countries, entry.CountryCode) &&
		has(f.Institutions, entry.InstitutionID) && !slices.ContainsFunc(f.Tags, func(t string) bool { return !slices.Contains(entry.Tags, t) })
}

func has(list []string, value string) bool { return len(list) == 0 || slices.Contains(list, value) }

// Validate checks the shape of the values; the first broken rule is returned
// as a FieldError.
func (f *EventFilter) Validate() error {
	for _, t := range f.Types {
		if err := OneOf("events", t, EventKinds()); err != nil {
			return err
		}
	}
	for _, l := range []struct {
		field  string
		list   []string
		ok     func(string) bool
		remedy string
	}{
		{"filter.entries", f.Entries, IsID, "use the id of an entry, a lower-case UUID"},
		{"filter.countries", f.Countries, CountryShape, "use two capital letters (ISO 3166-1 alpha-2)"},
		{"filter.institutions", f.Institutions, IsID, "use the id of an institution, a lower-case UUID"},
		{"filter.tags", f.Tags, func(s string) bool { return s != "" && CheckText("tag", s, TagMax) == nil }, "use a tag of at most 100 characters"},
	} {
		if len(l.list) > FilterMax {
			return &FieldError{l.field, "", "keep at most 50 values"}
		}
		for _, v := range l.list {
			if !l.ok(v) {
				return &FieldError{l.field, v, l.remedy}
			}
		}
	}
	return nil
}
