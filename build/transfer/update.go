package transfer

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// movedKind is the event of an entry that an import moves to a status.
var movedKind = map[catalog.Status]catalog.EventKind{
	catalog.StatusActive: catalog.EventReactivated, catalog.StatusDeprecated: catalog.EventDeprecated,
	catalog.StatusPending: catalog.EventSubmissionReceived, catalog.StatusRemoved: catalog.EventRemoved,
}

// kindOfMove tells an entry that becomes public from one that is so again.
func kindOfMove(from, to catalog.Status) catalog.EventKind {
	if from == catalog.StatusPending && to == catalog.StatusActive {
		return catalog.EventCreated
	}
	return movedKind[to]
}

// update brings the entry that the register has to what the record says.
func (b *batchResult) update(ctx context.Context, tx catalog.Tx, found, e *catalog.Entry, p *catalog.Provenance) (catalog.Write, *source.Rejection, error) {
	given := e.UpdatedAt
	now := b.m.opts.Now
	if bad := moved(e, found, now); bad != nil {
		return catalog.Write{}, bad, nil
	}
	keep(e, found)
	if e.Status != found.Status {
		publish(e, now)
	}
	identity.StampDetails(e, found, now)
	changes, err := identity.Changes(found, e)
	if err != nil {
		return catalog.Write{}, nil, err
	}
	if p, err = changedTrail(ctx, tx, found.ID, p); err != nil {
		return catalog.Write{}, nil, err
	}
	if len(changes) == 0 && p != nil {
		changes = []catalog.FieldChange{{Field: "provenance", From: json.RawMessage("null"), To: json.RawMessage("null")}}
	} else if len(changes) > 0 {
		e.ContentChangedAt = now
		identity.TouchDetails(e, changes, now)
	}
	if err := e.Validate(); err != nil {
		return catalog.Write{}, invalid(err), nil
	}
	if len(changes) == 0 {
		b.report.Unchanged++
		return catalog.Write{Entry: e}, nil, nil
	}
	if !given.After(found.UpdatedAt) && e.UpdatedAt.Before(now) {
		e.UpdatedAt = now
	}
	b.report.Updated++
	var events []catalog.Event
	if e.Status != found.Status {
		var moved []catalog.FieldChange
		moved, changes = identity.Split(changes)
		events = append(events, catalog.Event{Type: kindOfMove(found.Status, e.Status), OccurredAt: now, Changes: moved})
	}
	if len(changes) > 0 {
		events = append(events, catalog.Event{Type: catalog.EventUpdated, OccurredAt: now, Changes: changes})
	}
	return write(e, p, events...), nil, nil
}

// changedTrail returns the provenance if it differs from the stored one.
func changedTrail(ctx context.Context, tx catalog.Tx, id string, p *catalog.Provenance) (*catalog.Provenance, error) {
	if p == nil {
		return nil, nil
	}
	old, err := tx.Provenances().Get(ctx, id)
	if errors.Is(err, catalog.ErrNotFound) {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	x, errX := json.Marshal(old.Rows)
	y, errY := json.Marshal(p.Rows)
	if errX == nil && errY == nil && string(x) == string(y) {
		return nil, nil
	}
	return p, errors.Join(errX, errY)
}
