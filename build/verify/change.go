package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Change is what the register does to an entry because of what it saw itself
// (provenance basis platform_observed).
type Change struct {
	Entry *catalog.Entry
	// At is the time of the observation.
	At time.Time
	// Fields are the changes so far.
	Fields []catalog.FieldChange
	rows   []catalog.FieldRow
	events []catalog.Event
	// trail tells that rows changed.
	trail bool
}

// NewChange begins a change of a stored entry.
func NewChange(ctx context.Context, tx catalog.Tx, e *catalog.Entry, at time.Time) (*Change, error) {
	c := &Change{Entry: e, At: at}
	p, err := tx.Provenances().Get(ctx, e.ID)
	if errors.Is(err, catalog.ErrNotFound) {
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("provenance of %s: %w", e.ID, err)
	}
	c.rows = p.Rows
	return c, nil
}

// Event adds an event to those that are written with the entry; data may be nil.
func (c *Change) Event(kind catalog.EventKind, changes []catalog.FieldChange, data any) {
	e := catalog.Event{Type: kind, OccurredAt: c.At, Changes: changes}
	if data != nil {
		e.Data = Encoded(data)
	}
	c.events = append(c.events, e)
}

// moves tells that the entry says something else than before: a new time of a handshake alone
// is no more news than a check.
func (c *Change) moves() bool {
	return len(c.events) > 0 || slices.ContainsFunc(c.Fields, Moves)
}

// Moves tells that a change of a field is one of what the entry says.
func Moves(f catalog.FieldChange) bool {
	return f.Field != "mcp.handshake_at" || string(f.From) == "null"
}

// Put writes the entry with its events; without any there is nothing to write.
func (c *Change) Put(ctx context.Context, tx catalog.Tx) error {
	if c.moves() {
		c.Entry.UpdatedAt = c.At
	}
	if len(c.Fields) > 0 {
		c.Event(catalog.EventUpdated, c.Fields, nil)
	}
	if len(c.events) == 0 {
		return nil
	}
	if err := c.Entry.Validate(); err != nil {
		return fmt.Errorf("what the source says about itself breaks a rule: %w", err)
	}
	write := catalog.Write{Entry: c.Entry, Events: c.events}
	if c.trail {
		write.Provenance = &catalog.Provenance{EntryID: c.Entry.ID, Rows: c.rows}
	}
	return tx.Entries().Put(ctx, write)
}

// Observed tells whether the value in force of a field was observed, and from
// which member of the source's own description, if from one.
func (c *Change) Observed(field string) (member string, ok bool) {
	i := slices.IndexFunc(c.rows, func(r catalog.FieldRow) bool { return r.Field == field })
	if i < 0 || c.rows[i].Basis != catalog.BasisObserved {
		return "", false
	}
	return c.rows[i].UpstreamField, true
}

// Mine tells whether a field may be set: it is empty, or the register observed
// the value in force. What a publisher or a catalogue states is left alone.
func (c *Change) Mine(field string, empty bool) bool {
	_, seen := c.Observed(field)
	return empty || seen
}

// Note records that the register saw the value of a field itself.
func (c *Change) Note(field, url, upstream, transform string, from, to any) {
	row := catalog.FieldRow{Field: field, Basis: catalog.BasisObserved, SourceURL: url, UpstreamField: upstream, Transform: transform, ObservedAt: c.At}
	c.forget(field)
	c.rows = append([]catalog.FieldRow{row}, c.rows...)
	c.Fields = append(c.Fields, catalog.FieldChange{Field: field, From: Encoded(from), To: Encoded(to)})
}

// Withdraw records that what was seen of a field is no longer so.
func (c *Change) Withdraw(field string, from, to any) {
	c.forget(field)
	c.Fields = append(c.Fields, catalog.FieldChange{Field: field, From: Encoded(from), To: Encoded(to)})
}

func (c *Change) forget(field string) {
	c.rows = slices.DeleteFunc(slices.Clone(c.rows), func(r catalog.FieldRow) bool { return r.Field == field && r.Basis == catalog.BasisObserved })
	c.trail = true
}

// Encoded is a value in the JSON of events; one that has none is null.
func Encoded(v any) json.RawMessage {
	doc, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return doc
}
