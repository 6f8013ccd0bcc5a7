package catalog

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// Event is one thing that happened, written in the transaction that made the
// change (decisions §6).
type Event struct {
	// Number is assigned by the store, gapless per commit order.
	Number int64     `json:"number"`
	Type   EventKind `json:"type"`
	// EntryID is empty for events about the whole catalog or a submission.
	EntryID    string    `json:"entry_id,omitempty"`
	OccurredAt time.Time `json:"occurred_at"`
	// Unpublished is set by the store when the entry had no time of publication
	// in the transaction that wrote the event.
	Unpublished bool `json:"unpublished,omitempty"`
	// Changes maps a field to its old and new value.
	Changes []FieldChange `json:"changes,omitempty"`
	// Data carries what a kind adds, e.g. the snapshot of catalog.built.
	Data json.RawMessage `json:"data,omitempty"`
}

// FieldChange is one changed field of an event.
type FieldChange struct {
	Field string          `json:"field"`
	From  json.RawMessage `json:"from"`
	To    json.RawMessage `json:"to"`
}

// The fields under which entry.updated tells of what people say of an entry.
const (
	FieldStatements = "statements"
	FieldReports    = "reports"
)

// SaidEvent tells that what somebody says of an entry has another state, "" for none: pages show it,
// so those who follow the log write them anew.
func SaidEvent(entryID, field, from, to string, at time.Time) Event {
	value := func(state string) json.RawMessage {
		if state == "" {
			return json.RawMessage("null")
		}
		return json.RawMessage(`"` + state + `"`)
	}
	return Event{Type: EventUpdated, EntryID: entryID, OccurredAt: at, Changes: []FieldChange{{Field: field, From: value(from), To: value(to)}}}
}

// Override is a curator's edit laid over harvested data; revocable.
type Override struct {
	ID        string          `json:"id"`
	EntryID   string          `json:"entry_id"`
	Field     string          `json:"field"`
	Value     json.RawMessage `json:"value"`
	By        string          `json:"by"`
	Reason    string          `json:"reason"`
	CreatedAt time.Time       `json:"created_at"`
	RevokedAt time.Time       `json:"revoked_at,omitzero"`
	RevokedBy string          `json:"revoked_by,omitempty"`
}

// Evidence is a durable citation: the exact bytes of an answer.
type Evidence struct {
	ID      string `json:"id"`
	EntryID string `json:"entry_id"`
	// SHA256 is the lower-case hex hash of Body.
	SHA256 string `json:"sha256"`
	Body   []byte `json:"body"`
	// AnswerSHA256 is the hash that the answer's manifest names, "" for none;
	// Snapshot the snapshot it was published in, Route and Media where and as
	// what.
	AnswerSHA256 string `json:"answer_sha256,omitempty"`
	Snapshot     string `json:"snapshot,omitempty"`
	Route        string `json:"route,omitempty"`
	Media        string `json:"media,omitempty"`
	// Kept marks a manifest that the register's own runs keep; only these
	// count for the reproducible rung (decisions §6).
	Kept      bool      `json:"kept"`
	CreatedAt time.Time `json:"created_at"`
}

// Target is a reliability target that an administrator sets.
type Target struct {
	ID      string `json:"id"`
	EntryID string `json:"entry_id"`
	// Availability is the promised success share in percent, e.g. 99.5.
	Availability float64 `json:"availability"`
	// WindowDays is the period the share is measured over.
	WindowDays int       `json:"window_days"`
	Active     bool      `json:"active"`
	By         string    `json:"by"`
	Reason     string    `json:"reason"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
}

// Job is one piece of durable work.
type Job struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	// UniqueKey keeps a second queued or running job of the same key out;
	// empty means no such limit.
	UniqueKey string          `json:"unique_key,omitempty"`
	Payload   json.RawMessage `json:"payload,omitempty"`
	State     JobState        `json:"state"`
	// RunAt is when the job is due; while it runs, when its lease expires.
	RunAt       time.Time `json:"run_at"`
	Attempt     int       `json:"attempt"`
	MaxAttempts int       `json:"max_attempts"`
	Worker      string    `json:"worker,omitempty"`
	LastError   string    `json:"last_error,omitempty"`
	// Progress is the worker's own report, any JSON.
	Progress   json.RawMessage `json:"progress,omitempty"`
	CreatedAt  time.Time       `json:"created_at"`
	FinishedAt time.Time       `json:"finished_at,omitzero"`
}

// EntriesOf reads the entries that events are about, by id; one that is gone is
// missing.
func EntriesOf(ctx context.Context, tx Tx, events []Event) (map[string]*Entry, error) {
	var ids []string
	for i := range events {
		if events[i].EntryID != "" {
			ids = append(ids, events[i].EntryID)
		}
	}
	slices.Sort(ids)
	found, err := tx.Entries().Get(ctx, slices.Compact(ids)...)
	if err != nil {
		return nil, err
	}
	entries := make(map[string]*Entry, len(found))
	for i := range found {
		entries[found[i].ID] = &found[i]
	}
	return entries, nil
}
