package storetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

var usageTests = map[string]func(*testing.T, catalog.Store){
	"UseDayRecords": func(t *testing.T, s catalog.Store) { useDayRecords.test(t, s) },
	"UseDaysAddUp":  testUseDaysAddUp,
	"UseDaysPrune":  testUseDaysPrune,
}

var useDayRecords = records[catalog.UseDay]{
	key:    func(v *catalog.UseDay, n int) { v.EntryID, v.Day = entryKey(n), fmt.Sprintf("2026-03-%02d", n+1) },
	change: func(v *catalog.UseDay) { v.Watches++ },
	put: func(ctx context.Context, tx catalog.Tx, list ...catalog.UseDay) error {
		return tx.UseDays().Put(ctx, list...)
	},
	scan: func(ctx context.Context, tx catalog.Tx, r catalog.Range, fn func(*catalog.UseDay) error) error {
		return tx.UseDays().Scan(ctx, r, fn)
	},
}

func addUses(t *testing.T, s catalog.Store, list ...catalog.UseDay) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.UseDays().Add(ctx, list...) })
}

func readUses(t *testing.T, s catalog.Store) (list []catalog.UseDay) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.UseDays().Scan(ctx, catalog.Range{}, func(d *catalog.UseDay) error { list = append(list, *d); return nil })
	})
	return list
}

func testUseDaysAddUp(t *testing.T, s catalog.Store) {
	one := catalog.UseDay{EntryID: "a", Day: "2026-03-01", Uses: catalog.Uses{Watches: 1, Proxied: 2}}
	other := catalog.UseDay{EntryID: "b", Day: "2026-03-01", Uses: catalog.Uses{Citations: 5}}
	addUses(t, s, one, other, one)
	addUses(t, s, one)
	addUses(t, s)
	want := []catalog.UseDay{{EntryID: "a", Day: "2026-03-01", Uses: catalog.Uses{Watches: 3, Proxied: 6}}, other}
	wantEqual(t, "added", readUses(t, s), want)
	err := s.Update(t.Context(), func(tx catalog.Tx) error { return tx.UseDays().Add(t.Context(), catalog.UseDay{EntryID: "a"}) })
	wantErr(t, "no day", err, catalog.ErrInvalid)
}

func testUseDaysPrune(t *testing.T, s catalog.Store) {
	for n := range 4 {
		addUses(t, s, catalog.UseDay{EntryID: "a", Day: fmt.Sprintf("2026-03-%02d", n+1), Uses: catalog.Uses{Citations: 1}})
	}
	any := func(from, to string, want bool) {
		t.Helper()
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			got, err := tx.UseDays().Any(ctx, from, to)
			if got != want {
				t.Errorf("uses from %s to before %s: %t", from, to, got)
			}
			return err
		})
	}
	any("2026-03-04", "2026-03-05", true)
	any("2026-03-05", "2026-04-01", false)
	any("2026-01-01", "2026-03-01", false)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		n, err := tx.UseDays().Prune(ctx, "2026-03-03")
		if n != 2 {
			t.Errorf("%d days were pruned", n)
		}
		return err
	})
	if left := readUses(t, s); len(left) != 2 || left[0].Day != "2026-03-03" {
		t.Errorf("left %+v", left)
	}
}
