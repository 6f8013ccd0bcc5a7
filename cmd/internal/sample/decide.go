package sample

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// decide replays what a curator did in a slot. Decisions without a date fall
// into the last one.
func (l *loader) decide(ctx context.Context, slot int) error {
	for _, r := range l.records {
		if l.ids[r] == "" || l.due(r) != slot {
			continue
		}
		if err := l.st.Update(ctx, func(tx catalog.Tx) error { return l.transition(ctx, tx, r, slot) }); err != nil {
			return fmt.Errorf("%s: %w", r.place, err)
		}
	}
	return nil
}

// due is the slot of a record's decision, -1 for none.
func (l *loader) due(r *record) int {
	c := &r.Lifecycle
	switch {
	case c.Deprecated != nil && !c.Deprecated.At.IsZero():
		for slot := range slots {
			if !slotAt(slot).Before(c.Deprecated.At) {
				return max(slot, l.firstSlot(r))
			}
		}
		return slots - 1
	case c.Deprecated != nil || c.MergedInto != "" || c.Removed != "" || !c.PublishAt.IsZero():
		return slots - 1
	}
	return -1
}

func (l *loader) transition(ctx context.Context, tx catalog.Tx, r *record, slot int) error {
	e, err := l.entry(ctx, tx, r)
	if err != nil {
		return err
	}
	before, at := *e, slotAt(slot)
	var kind catalog.EventKind
	switch c := &r.Lifecycle; {
	case c.Deprecated != nil:
		change := catalog.Change{To: catalog.StatusDeprecated, Reason: c.Deprecated.Reason, SunsetAt: c.Deprecated.Sunset, At: at}
		if s := l.named(r, c.Deprecated.Successor); s != nil {
			change.SuccessorID = l.ids[s]
		}
		kind, err = e.Transition(change)
	case c.MergedInto != "":
		older, findErr := l.entry(ctx, tx, l.named(r, c.MergedInto))
		if findErr != nil {
			return findErr
		}
		kind, err = e.MergeInto(older, at)
	case c.Removed != "":
		kind, err = e.Transition(catalog.Change{To: catalog.StatusRemoved, Reason: c.Removed, At: at})
	default:
		kind, e.PublishedAt, e.UpdatedAt = catalog.EventUpdated, c.PublishAt, at
	}
	if err != nil {
		return err
	}
	changes, err := catalog.Diff(&before, e, catalog.LifeCycleFields()...)
	if err != nil {
		return err
	}
	return tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{{Type: kind, OccurredAt: at, Changes: changes}}})
}

// named finds another record by its name.
func (l *loader) named(self *record, name string) *record {
	for _, r := range l.records {
		if r.Name == name && r != self {
			return r
		}
	}
	return nil
}

func (l *loader) entry(ctx context.Context, tx catalog.Tx, r *record) (*catalog.Entry, error) {
	if r == nil || l.ids[r] == "" {
		return nil, fmt.Errorf("the other record: %w", catalog.ErrNotFound)
	}
	found, err := tx.Entries().Get(ctx, l.ids[r])
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("%s: %w", r.place, catalog.ErrNotFound)
	}
	return &found[0], nil
}

// edits stores what curators set besides: reliability targets, in the middle of
// the trace, and their readings of licences; and how readers used the entries.
func (l *loader) edits(ctx context.Context) error {
	return l.st.Update(ctx, func(tx catalog.Tx) error {
		for _, r := range l.records {
			if l.ids[r] == "" {
				continue
			}
			if err := errors.Join(l.target(ctx, tx, r), l.review(ctx, tx, r), l.uses(ctx, tx, r)); err != nil {
				return fmt.Errorf("%s: %w", r.place, err)
			}
		}
		return nil
	})
}

func (l *loader) target(ctx context.Context, tx catalog.Tx, r *record) error {
	if r.Target == nil {
		return nil
	}
	id, at := l.ids[r], slotAt(slots/2)
	return tx.Targets().Put(ctx, catalog.Target{ID: catalog.NewID("target", id), EntryID: id, Availability: r.Target.Availability,
		WindowDays: r.Target.Days, Active: true, By: "sample", Reason: r.Target.Reason, CreatedAt: at, UpdatedAt: at})
}

func (l *loader) uses(ctx context.Context, tx catalog.Tx, r *record) error {
	if r.Uses == (uses{}) {
		return nil
	}
	return tx.UseDays().Add(ctx, catalog.UseDay{EntryID: l.ids[r], Day: slotAt(slots / 2).Format(time.DateOnly), Uses: catalog.Uses(r.Uses)})
}

func (l *loader) review(ctx context.Context, tx catalog.Tx, r *record) error {
	if r.Review == nil {
		return nil
	}
	e, err := l.entry(ctx, tx, r)
	if err != nil {
		return err
	}
	value, err := json.Marshal(r.Review.License)
	if err != nil {
		return err
	}
	o := catalog.Override{ID: catalog.NewID("override", e.ID+"|license_id"), EntryID: e.ID, Field: "license_id", Value: value, By: "sample",
		Reason: r.Review.Reason, CreatedAt: r.Review.At}
	if err := o.Validate(); err != nil {
		return err
	}
	e.UpdatedAt = r.Review.At
	event := catalog.Event{Type: catalog.EventUpdated, OccurredAt: r.Review.At,
		Changes: []catalog.FieldChange{{Field: "license_id", From: []byte("null"), To: value}}}
	return errors.Join(tx.Overrides().Put(ctx, o), tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{event}}))
}
