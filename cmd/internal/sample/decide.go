package sample

import (
	"context"
	"fmt"

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
	at := slotAt(slot)
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
	return tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{{Type: kind, OccurredAt: at}}})
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

// targets stores the reliability targets, set in the middle of the trace.
func (l *loader) targets(ctx context.Context) error {
	return l.st.Update(ctx, func(tx catalog.Tx) error {
		for _, r := range l.records {
			id := l.ids[r]
			if r.Target == nil || id == "" {
				continue
			}
			at := slotAt(slots / 2)
			err := tx.Targets().Put(ctx, catalog.Target{ID: catalog.NewID("target", id), EntryID: id, Availability: r.Target.Availability,
				WindowDays: r.Target.Days, Active: true, By: "sample", Reason: r.Target.Reason, CreatedAt: at, UpdatedAt: at})
			if err != nil {
				return err
			}
		}
		return nil
	})
}
