package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// hostileOrder are ids in byte order, which no language's order is.
var hostileOrder = []string{"A", "B", "Z", "a", "a b", "a!", "a-b", "aA", "aa", "b", "z", "ß", "ä", "é", "α", "я", "中", "😀"}

func testEntryScan(t *testing.T, s catalog.Store) {
	var writes []catalog.Write
	for i, id := range hostileOrder {
		w := newEntry(i)
		w.Entry.ID, w.Provenance.EntryID = id, id
		writes = append(writes, w)
	}
	slices.Reverse(writes)
	put(t, s, writes...)
	order := slices.Sorted(slices.Values(hostileOrder))
	ids := func(r catalog.Range) (out []string) {
		for _, e := range allEntries(t, s, r) {
			out = append(out, e.ID)
		}
		return out
	}
	wantEqual(t, "all", ids(catalog.Range{}), order)
	for i, a := range order {
		wantEqual(t, "after "+a, ids(catalog.Range{After: a}), order[i+1:])
		wantEqual(t, "through "+a, ids(catalog.Range{Through: a}), order[:i+1])
	}
	wantEqual(t, "inside", ids(catalog.Range{After: "a", Through: "z"}), order[slices.Index(order, "a")+1:slices.Index(order, "z")+1])
	wantEqual(t, "empty", ids(catalog.Range{After: "z", Through: "a"}), []string(nil))
	wantEqual(t, "fleeting", allEntries(t, s, catalog.Range{Fleeting: true}), allEntries(t, s, catalog.Range{}))
}

func testScanReentrant(t *testing.T, s catalog.Store) {
	put(t, s, newEntries(600)...)
	n := 0
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		n = 0
		return tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			n++
			if n%100 != 0 {
				return nil
			}
			if _, err := tx.Provenances().Get(ctx, e.ID); err != nil {
				return err
			}
			return tx.Profiles().Put(ctx, catalog.Profile{ID: "p", EntryID: e.ID})
		})
	})
	if n != 600 {
		t.Errorf("scanned %d, want 600", n)
	}
}

func testScanStops(t *testing.T, s catalog.Store) {
	put(t, s, newEntries(10)...)
	stop, n := fmt.Errorf("stop"), 0
	err := s.View(t.Context(), func(tx catalog.Tx) error {
		return tx.Entries().Scan(t.Context(), catalog.Range{}, func(*catalog.Entry) error { n++; return stop })
	})
	wantErr(t, "scan", err, stop)
	if n != 1 {
		t.Errorf("called %d times after the error", n)
	}
}
