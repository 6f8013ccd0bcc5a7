package storetest

import (
	"context"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

var restoreTests = map[string]func(*testing.T, catalog.Store){
	"RestoreKeepsRevisions":   testRestoreEntries,
	"RestoreKeepsNumbers":     testRestoreEvents,
	"RestoreRefuses":          testRestoreRefuses,
	"RestoreConflictsOfSlugs": testRestoreSlug,
}

func testRestoreEntries(t *testing.T, s catalog.Store) {
	w := newEntry(1)
	w.Entry.Revision, w.Events = 41, nil
	w.Entry.FormerSlugs = []string{"was"}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Restore(ctx, w) })
	wantEqual(t, "entries", allEntries(t, s, catalog.Range{}), []catalog.Entry{*w.Entry})
	wantEqual(t, "owners", owners(t, s, "was"), map[string]string{"was": w.Entry.ID})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		events, err := tx.Events().After(ctx, 0, 10)
		wantEqual(t, "events", events, []catalog.Event(nil))
		return err
	})
	next := newEntry(2)
	put(t, s, next)
	if next.Entry.Revision != 42 {
		t.Errorf("revision after the restore %d, want 42", next.Entry.Revision)
	}
}

func testRestoreEvents(t *testing.T, s catalog.Store) {
	list := []catalog.Event{filled[catalog.Event](t, 1), filled[catalog.Event](t, 2), filled[catalog.Event](t, 3)}
	list[0].Number, list[1].Number, list[2].Number = 90, 7, 8
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Events().Restore(ctx, list...) })
	changed := list[1]
	changed.Type = "changed"
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Events().Restore(ctx, changed) })
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Events().After(ctx, 0, 10)
		wantEqual(t, "events", got, []catalog.Event{list[1], list[2], list[0]})
		return err
	})
	w := newEntry(1)
	put(t, s, w)
	if w.Entry.Revision != 91 || lastEvent(t, s) != 91 {
		t.Errorf("revision %d, last %d, want 91", w.Entry.Revision, lastEvent(t, s))
	}
}

func testRestoreRefuses(t *testing.T, s catalog.Store) {
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Restore(ctx, newEntry(1)) })
	wantErr(t, "entry with events", err, catalog.ErrInvalid)
	err = tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Events().Restore(ctx, catalog.Event{}) })
	wantErr(t, "event without number", err, catalog.ErrInvalid)
}

func testRestoreSlug(t *testing.T, s catalog.Store) {
	put(t, s, newEntry(1))
	w := newEntry(2)
	w.Entry.Slug, w.Events = "rainfall-1", nil
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Restore(ctx, w) })
	wantErr(t, "slug of another entry", err, catalog.ErrConflict)
}
