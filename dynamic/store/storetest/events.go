package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var eventTests = map[string]func(*testing.T, catalog.Store){
	"EventsAppend":                testEventsAppend,
	"EventsAboutAnEntry":          testEventsAbout,
	"EventsOfUnknownEntry":        testEventsUnknown,
	"EventsRaiseRevision":         testEventsRevision,
	"EventsBeforePublication":     testEventsBeforePublication,
	"EventsGaplessUnderWriters":   testEventsConcurrent,
	"EventsRollbackLeavesNoGap":   testEventsRollback,
	"SinceMissesNothingInTheFlow": testSinceConcurrent,
}

func testEventsAppend(t *testing.T, s catalog.Store) {
	list := []catalog.Event{filled[catalog.Event](t, 1), filled[catalog.Event](t, 2), filled[catalog.Event](t, 3)}
	for i := range list {
		list[i].EntryID = ""
	}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Events().Append(ctx, list...) })
	for i := range list {
		list[i].Number = int64(i + 1)
	}
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Events().After(ctx, 0, 100)
		wantEqual(t, "all", got, list)
		if err != nil {
			return err
		}
		got, err = tx.Events().After(ctx, 1, 1)
		wantEqual(t, "one after 1", got, list[1:2])
		if err != nil {
			return err
		}
		got, err = tx.Events().After(ctx, 3, 10)
		wantEqual(t, "after the last", got, []catalog.Event(nil))
		return err
	})
	if n := lastEvent(t, s); n != 3 {
		t.Errorf("last %d, want 3", n)
	}
}

func testEventsAbout(t *testing.T, s catalog.Store) {
	writes := newEntries(3)
	put(t, s, writes...)
	id := writes[1].Entry.ID
	for range 3 {
		update(t, s, func(ctx context.Context, tx catalog.Tx) error {
			return tx.Events().Append(ctx, catalog.Event{Type: catalog.EventStale, EntryID: id, OccurredAt: day},
				catalog.Event{Type: catalog.EventFailing, EntryID: writes[2].Entry.ID, OccurredAt: day}, catalog.Event{Type: catalog.EventCatalogBuilt, OccurredAt: day})
		})
	}
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		all, err := tx.Events().After(ctx, 0, 100)
		if err != nil {
			return err
		}
		var want []catalog.Event
		for _, e := range slices.Backward(all) {
			if e.EntryID == id {
				want = append(want, e)
			}
		}
		got, err := tx.Events().About(ctx, id, 0, 100)
		wantEqual(t, "all of one", got, want)
		if err != nil {
			return err
		}
		got, err = tx.Events().About(ctx, id, want[0].Number, 2)
		wantEqual(t, "two before the last", got, want[1:3])
		if err != nil {
			return err
		}
		got, err = tx.Events().About(ctx, "", 0, 100)
		wantEqual(t, "of none", got, []catalog.Event(nil))
		return err
	})
}

func testEventsUnknown(t *testing.T, s catalog.Store) {
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Events().Append(ctx, catalog.Event{Type: catalog.EventScoreChanged, EntryID: "nobody"})
	})
	wantErr(t, "append", err, catalog.ErrNotFound)
	err = tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.CheckStates().Set(ctx, nil, []catalog.Event{{Type: catalog.EventVerified, EntryID: "nobody"}})
	})
	wantErr(t, "set", err, catalog.ErrNotFound)
	if n := lastEvent(t, s); n != 0 {
		t.Errorf("last %d, want 0", n)
	}
}

func testEventsRevision(t *testing.T, s catalog.Store) {
	writes := newEntries(250)
	put(t, s, writes...)
	var events []catalog.Event
	for _, w := range writes {
		events = append(events, catalog.Event{Type: catalog.EventStale, EntryID: w.Entry.ID, OccurredAt: day},
			catalog.Event{Type: catalog.EventFailing, EntryID: w.Entry.ID, OccurredAt: day})
	}
	events = append(events, catalog.Event{Type: catalog.EventCatalogBuilt, OccurredAt: day})
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.CheckStates().Set(ctx, []catalog.CheckState{{EntryID: writes[0].Entry.ID, ID: "x"}}, events)
	})
	want := map[string]int64{}
	for i, w := range writes {
		want[w.Entry.ID] = int64(250 + 2*i + 2)
	}
	got := map[string]int64{}
	for _, e := range allEntries(t, s, catalog.Range{}) {
		got[e.ID] = e.Revision
	}
	wantEqual(t, "revisions", got, want)
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		list, err := tx.Entries().Since(ctx, 250, 1)
		if err == nil && (len(list) != 1 || list[0].Revision != 252) {
			t.Errorf("since 250: %v, want revision 252", list)
		}
		return err
	})
}

// testEventsBeforePublication approves an entry in the very instant in which
// events of its time of waiting happened: who followed the log before the
// approval and who reads it afterwards must see the same events.
func testEventsBeforePublication(t *testing.T, s catalog.Store) {
	w := newEntry(1)
	at := w.Entry.PublishedAt
	w.Entry.Status, w.Entry.PublishedAt = catalog.StatusPending, time.Time{}
	w.Events = []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: at}}
	put(t, s, w)
	late := catalog.Event{EntryID: w.Entry.ID, OccurredAt: at.Add(time.Minute)}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		late.Type = catalog.EventUpdated
		if err := tx.Events().Append(ctx, late); err != nil {
			return err
		}
		late.Type = catalog.EventVerified
		return tx.CheckStates().Set(ctx, nil, []catalog.Event{late})
	})
	wantEqual(t, "public while it waits", publicEvents(t, s), []int64(nil))
	w.Entry.Status, w.Entry.PublishedAt = catalog.StatusActive, at
	w.Events = []catalog.Event{{Type: catalog.EventCreated, OccurredAt: at}}
	put(t, s, w)
	wantEqual(t, "public when it is published", publicEvents(t, s), []int64{4})
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.CheckStates().Set(ctx, nil, []catalog.Event{late})
	})
	wantEqual(t, "public at the end", publicEvents(t, s), []int64{4, 5})
}

// publicEvents are the numbers of the events that everybody may learn of.
func publicEvents(t *testing.T, s catalog.Store) (numbers []int64) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		list, err := tx.Events().After(ctx, 0, 100)
		for i := range list {
			found, readErr := tx.Entries().Get(ctx, list[i].EntryID)
			if err = errors.Join(err, readErr); err == nil && list[i].Public(&found[0]) {
				numbers = append(numbers, list[i].Number)
			}
		}
		return err
	})
	return numbers
}

func testEventsRollback(t *testing.T, s catalog.Store) {
	put(t, s, newEntry(1))
	boom := fmt.Errorf("boom")
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Entries().Put(ctx, newEntry(2), newEntry(3)); err != nil {
			return err
		}
		return boom
	})
	wantErr(t, "update", err, boom)
	put(t, s, newEntry(4))
	if n := lastEvent(t, s); n != 2 {
		t.Errorf("last %d, want 2", n)
	}
}

// flow writes entries by several writers at the same time, each with a few
// failing transactions in between, and closes done at the end.
func flow(t *testing.T, s catalog.Store, writers, rounds, batch int) <-chan struct{} {
	done := make(chan struct{})
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for r := range rounds {
				var writes []catalog.Write
				for b := range batch {
					writes = append(writes, newEntry((w*rounds+r)*batch+b))
				}
				err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
					if err := tx.Entries().Put(ctx, writes...); err != nil || r%4 != 3 {
						return err
					}
					return fmt.Errorf("on purpose")
				})
				if err != nil && r%4 != 3 {
					t.Errorf("writer %d round %d: %v", w, r, err)
				}
			}
		})
	}
	go func() { wg.Wait(); close(done) }()
	return done
}

// tail reads with a cursor until the writers are done and nothing is left.
func tail(t *testing.T, done <-chan struct{}, read func() int) {
	for last := false; ; {
		select {
		case <-done:
			last = true
		case <-time.After(time.Millisecond):
		}
		if n := read(); t.Failed() || last && n == 0 {
			return
		}
	}
}

func testEventsConcurrent(t *testing.T, s catalog.Store) {
	const writers, rounds, batch = 8, 12, 5
	done := flow(t, s, writers, rounds, batch)
	var cursor int64
	tail(t, done, func() int {
		var list []catalog.Event
		view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
			list, err = tx.Events().After(ctx, cursor, 7)
			return err
		})
		for _, e := range list {
			if e.Number != cursor+1 {
				t.Fatalf("event %d follows %d", e.Number, cursor)
			}
			cursor = e.Number
		}
		return len(list)
	})
	<-done
	if want := int64(writers * rounds * batch * 3 / 4); cursor != want || lastEvent(t, s) != want {
		t.Errorf("read up to %d, last %d, want %d", cursor, lastEvent(t, s), want)
	}
}

func testSinceConcurrent(t *testing.T, s catalog.Store) {
	const writers, rounds, batch = 8, 8, 5
	done := flow(t, s, writers, rounds, batch)
	seen := map[string]bool{}
	var cursor int64
	tail(t, done, func() int {
		var list []catalog.Entry
		view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
			list, err = tx.Entries().Since(ctx, cursor, 6)
			return err
		})
		for _, e := range list {
			if e.Revision <= cursor || seen[e.ID] {
				t.Fatalf("entry %s revision %d after cursor %d, seen %t", e.ID, e.Revision, cursor, seen[e.ID])
			}
			seen[e.ID], cursor = true, e.Revision
		}
		return len(list)
	})
	<-done
	if want := writers * rounds * batch * 3 / 4; len(seen) != want {
		t.Errorf("saw %d entries, want %d", len(seen), want)
	}
}
