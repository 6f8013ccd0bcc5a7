package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var watchTests = map[string]func(*testing.T, catalog.Store){
	"WatchFields":    testWatchFields,
	"WatchFollowing": testWatchFollowing,
	"WatchExpire":    testWatchExpire,
	"WatchItems":     testWatchItems,
}

func newWatch(n int, entries ...string) catalog.Watch {
	at := day.Add(time.Duration(n) * time.Minute)
	return catalog.Watch{ID: catalog.NewID("watch", fmt.Sprint(n)), Email: fmt.Sprintf("Reader%d@Example.org", n%2), State: catalog.WatchActive,
		Filter: catalog.EventFilter{Entries: entries}, Frequency: catalog.FrequencyDaily, CreatedAt: at, UpdatedAt: at}
}

func putWatches(t *testing.T, s catalog.Store, list ...catalog.Watch) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Watches().Put(ctx, list...) })
}

func testWatchFields(t *testing.T, s catalog.Store) {
	want := filled[catalog.Watch](t, 1)
	want.VerifyHash = "aa"
	putWatches(t, s, want)
	want.Frequency = catalog.FrequencyWeekly
	putWatches(t, s, want, newWatch(1), newWatch(3), newWatch(2))
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Watches().Get(ctx, want.ID)
		if err != nil {
			return err
		}
		wantEqual(t, "watch", *got, want)
		if got, err = tx.Watches().ByVerifyHash(ctx, "aa"); err != nil {
			return err
		}
		wantEqual(t, "by its token", got.ID, want.ID)
		_, err = tx.Watches().ByVerifyHash(ctx, "")
		wantErr(t, "by no token", err, catalog.ErrNotFound)
		list, err := tx.Watches().Of(ctx, "READER1@example.ORG")
		if err != nil {
			return err
		}
		wantEqual(t, "of an address", []string{list[0].ID, list[1].ID}, []string{newWatch(1).ID, newWatch(3).ID})
		return nil
	})
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Watches().Put(ctx, catalog.Watch{ID: "x"}) })
	wantErr(t, "watch without address", err, catalog.ErrInvalid)
	twin := newWatch(9)
	twin.VerifyHash = "aa"
	err = tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Watches().Put(ctx, twin) })
	wantErr(t, "a token of another watch", err, catalog.ErrConflict)
}

func testWatchFollowing(t *testing.T, s catalog.Store) {
	one, two := newWatch(1, "e1"), newWatch(2, "e2")
	both, country := newWatch(3, "e1", "e2"), newWatch(4)
	country.Filter.Countries = []string{"GR"}
	pending := newWatch(5, "e1")
	pending.State = catalog.WatchPending
	putWatches(t, s, one, two, both, country, pending)
	of := func(entries ...string) map[string]bool {
		found := map[string]bool{}
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			list, err := tx.Watches().Following(ctx, entries...)
			for i := range list {
				found[list[i].ID] = true
			}
			return err
		})
		return found
	}
	wantEqual(t, "of e1", of("e1"), map[string]bool{one.ID: true, both.ID: true, country.ID: true})
	wantEqual(t, "of both", of("e1", "e2", "e1"), map[string]bool{one.ID: true, two.ID: true, both.ID: true, country.ID: true})
	wantEqual(t, "of none", of(), map[string]bool{both.ID: true, country.ID: true})
}

func testWatchExpire(t *testing.T, s catalog.Store) {
	old, young, active := newWatch(1), newWatch(5), newWatch(2)
	old.State, young.State = catalog.WatchPending, catalog.WatchPending
	putWatches(t, s, old, young, active)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		n, err := tx.Watches().Expire(ctx, day.Add(3*time.Minute))
		wantEqual(t, "expired", n, int64(1))
		return err
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		_, err := tx.Watches().Get(ctx, old.ID)
		wantErr(t, "the old one", err, catalog.ErrNotFound)
		_, err = tx.Watches().Get(ctx, young.ID)
		return err
	})
}

// testWatchItems: a mail that is tried again has the same items, whatever came
// meanwhile.
func testWatchItems(t *testing.T, s catalog.Store) {
	item := func(w string, n int64) catalog.WatchItem { return catalog.WatchItem{WatchID: w, Event: n} }
	bind := func(mail string, limit int) (events []int64) {
		update(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
			events, err = tx.WatchItems().Bind(ctx, "w", mail, limit)
			return err
		})
		return events
	}
	add := func(list ...catalog.WatchItem) {
		update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.WatchItems().Add(ctx, list...) })
	}
	add(item("w", 3), item("w", 1), item("w", 2), item("v", 1))
	wantEqual(t, "first", bind("m1", 2), []int64{1, 2})
	add(item("w", 2), item("w", 4))
	wantEqual(t, "again", bind("m1", 9), []int64{1, 2})
	told := func(mail string) (more bool) {
		update(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
			more, err = tx.WatchItems().Told(ctx, "w", mail)
			return err
		})
		return more
	}
	wantEqual(t, "more after the first", told("m1"), true)
	wantEqual(t, "second", bind("m2", 9), []int64{3, 4})
	wantEqual(t, "more after the second", told("m2"), false)
	wantEqual(t, "empty", bind("m3", 9), []int64(nil))
	add(item("w", 8))
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Watches().Delete(ctx, "w") })
	wantEqual(t, "deleted with the watch", bind("m4", 9), []int64(nil))
}
