package storetest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var rawRecordTests = map[string]func(*testing.T, catalog.Store){
	"RawRecordsSupersede": testRawRecords,
	"RawRecordsForgotten": testRawForgotten,
}

func newRaw(entry, source, hash string, hours int) catalog.RawRecord {
	return catalog.RawRecord{EntryID: entry, SourceID: source, SHA256: strings.Repeat(hash, 64), Size: 3, Media: "application/json",
		ObservedAt: day.Add(time.Duration(hours) * time.Hour), Body: []byte{0, 255, hash[0]}}
}

func putRaw(t *testing.T, s catalog.Store, list ...catalog.RawRecord) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.RawRecords().Put(ctx, list...) })
}

func rawOf(t *testing.T, s catalog.Store, entry string) (list []catalog.RawRecord) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
		list, err = tx.RawRecords().Of(ctx, entry)
		return err
	})
	return list
}

// without is a list of records as Of gives them.
func without(list ...catalog.RawRecord) []catalog.RawRecord {
	for i := range list {
		list[i].Body = nil
	}
	return list
}

// testRawRecords: each source has one present record of an entry; one that comes back is
// the present one again; bytes are stored once.
func testRawRecords(t *testing.T, s catalog.Store) {
	a, b, other := newRaw("e", "s", "a", 0), newRaw("e", "s", "b", 1), newRaw("e", "t", "a", 0)
	putRaw(t, s, a, other, newRaw("f", "s", "a", 0))
	again := a
	again.ObservedAt = day.Add(30 * time.Minute)
	putRaw(t, s, again)
	wantEqual(t, "the same again", rawOf(t, s, "e"), without(a, other))
	putRaw(t, s, b)
	was := a
	was.SupersededAt = b.ObservedAt
	wantEqual(t, "another one", rawOf(t, s, "e"), without(b, other, was))
	back := newRaw("e", "s", "a", 2)
	putRaw(t, s, back)
	b.SupersededAt = back.ObservedAt
	wantEqual(t, "the first one again", rawOf(t, s, "e"), without(back, other, b))
	long := newRaw("e", "u", "c", 2)
	long.Body = nil
	putRaw(t, s, long)
	var many []catalog.RawRecord
	for i := range 250 {
		many = append(many, newRaw(fmt.Sprint("many", i), "s", "d", 0))
	}
	putRaw(t, s, many...)
	wantEqual(t, "one of many", rawOf(t, s, "many249"), without(many[249]))
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		for hash, want := range map[string][]byte{"a": {0, 255, 'a'}, "c": nil, "d": {0, 255, 'd'}} {
			got, err := tx.RawRecords().Body(ctx, strings.Repeat(hash, 64))
			wantErr(t, hash, err, nil)
			wantEqual(t, hash, got, want)
		}
		_, err := tx.RawRecords().Body(ctx, strings.Repeat("e", 64))
		wantErr(t, "unknown", err, catalog.ErrNotFound)
		return nil
	})
	for _, bad := range []catalog.RawRecord{newRaw("", "s", "a", 0), newRaw("e", "", "a", 0), {EntryID: "e", SourceID: "s"}} {
		err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.RawRecords().Put(ctx, bad) })
		wantErr(t, "an empty key", err, catalog.ErrInvalid)
	}
}

// testRawForgotten: what nobody needs goes with its bytes, what another entry has stays; the
// records of an entry go with it when it is taken down.
func testRawForgotten(t *testing.T, s catalog.Store) {
	putRaw(t, s, newRaw("e", "s", "a", 0), newRaw("f", "s", "b", 0), newRaw("g", "s", "b", 0))
	putRaw(t, s, newRaw("e", "s", "c", 1), newRaw("f", "s", "d", 3))
	gone := func(hash string, want error) {
		t.Helper()
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			_, err := tx.RawRecords().Body(ctx, strings.Repeat(hash, 64))
			wantErr(t, hash, err, want)
			return nil
		})
	}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		n, err := tx.RawRecords().Prune(ctx, day.Add(2*time.Hour))
		wantEqual(t, "pruned", n, int64(1))
		return err
	})
	gone("a", catalog.ErrNotFound)
	gone("b", nil)
	wantEqual(t, "of f", len(rawOf(t, s, "f")), 2)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.RawRecords().Forget(ctx, "f", "nobody") })
	gone("b", nil)
	gone("d", catalog.ErrNotFound)

	w := newEntry(1)
	put(t, s, w)
	putRaw(t, s, newRaw(w.Entry.ID, "s", "e", 0))
	w.Entry.Status, w.Entry.RemovedAt = catalog.StatusRemoved, day
	w.Events = []catalog.Event{{Type: catalog.EventRemoved, OccurredAt: day}}
	put(t, s, w)
	gone("e", catalog.ErrNotFound)
	wantEqual(t, "of a removed entry", rawOf(t, s, w.Entry.ID), []catalog.RawRecord(nil))
}
