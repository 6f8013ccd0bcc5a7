package verify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// TestRetain: after 32 days a day becomes its sum, once; what is younger stays,
// and what was summed up stays for ever.
func TestRetain(t *testing.T) {
	ctx := t.Context()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "retain.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	now := time.Date(2026, 11, 21, 13, 30, 0, 0, time.UTC)
	limit := time.Date(2026, 10, 20, 0, 0, 0, 0, time.UTC)
	rng := rand.New(rand.NewPCG(1, 2))
	type key struct{ entry, day string }
	rows, young := map[key][]catalog.Check{}, 0
	var all []catalog.Check
	for e := range 7 {
		for h := range 45 * 4 {
			c := catalog.Check{EntryID: fmt.Sprint("e", e), At: now.Add(-time.Duration(h*6) * time.Hour), Up: rng.IntN(4) > 0, LatencyMS: rng.IntN(300), Vantages: 1}
			all = append(all, c)
			if c.At.Before(limit) {
				k := key{c.EntryID, c.At.Format(time.DateOnly)}
				rows[k] = append(rows[k], c)
			} else {
				young++
			}
		}
	}
	update(t, st, func(ctx context.Context, tx catalog.Tx) error { return tx.Checks().Append(ctx, all...) })
	if n, err := verify.Retain(ctx, st, now); err != nil || int(n) != len(all)-young {
		t.Errorf("%d summed up, %v, want %d", n, err, len(all)-young)
	}
	if n, err := verify.Retain(ctx, st, now); err != nil || n != 0 {
		t.Errorf("%d summed up twice, %v", n, err)
	}
	left, days := 0, 0
	update(t, st, func(ctx context.Context, tx catalog.Tx) error {
		left, days = 0, 0
		err := tx.Checks().Scan(ctx, catalog.Range{}, time.Time{}, func(*catalog.Check) error { left++; return nil })
		if err != nil {
			return err
		}
		return tx.Checks().ScanDays(ctx, catalog.Range{}, func(d *catalog.CheckDay) error {
			days++
			if diff := cmp.Diff(sum(d.EntryID, d.Day, rows[key{d.EntryID, d.Day}]), *d); diff != "" {
				t.Errorf("the sum of a day (-want +got):\n%s", diff)
			}
			return nil
		})
	})
	if left != young || days != len(rows) {
		t.Errorf("%d rows and %d days left, want %d and %d", left, days, young, len(rows))
	}
}

// sum counts anew: the percentile is the least value that enough others do not
// exceed.
func sum(entry, day string, rows []catalog.Check) catalog.CheckDay {
	d := catalog.CheckDay{EntryID: entry, Day: day, Checks: len(rows)}
	var ms []int
	for _, c := range rows {
		if c.Up {
			d.Up++
			if c.LatencyMS > 0 {
				ms = append(ms, c.LatencyMS)
			}
		}
	}
	rank := func(percent int) int {
		slices.Sort(ms)
		for _, v := range ms {
			below := 0
			for _, o := range ms {
				if o <= v {
					below++
				}
			}
			if below*100 >= percent*len(ms) {
				return v
			}
		}
		return 0
	}
	d.P50MS, d.P95MS = rank(50), rank(95)
	return d
}

func update(t *testing.T, st catalog.Store, fn func(context.Context, catalog.Tx) error) {
	t.Helper()
	if err := st.Update(t.Context(), func(tx catalog.Tx) error { return fn(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
}

// TestRetainForgetsUses: uses are kept for the 90 days that count.
func TestRetainForgetsUses(t *testing.T) {
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "retain.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	now := time.Date(2026, 11, 21, 13, 30, 0, 0, time.UTC)
	update(t, st, func(ctx context.Context, tx catalog.Tx) error {
		for _, day := range []string{"2026-08-22", "2026-08-23", "2026-11-21"} {
			if err := tx.UseDays().Add(ctx, catalog.UseDay{EntryID: "e", Day: day, Uses: catalog.Uses{Citations: 1}}); err != nil {
				return err
			}
		}
		return nil
	})
	if _, err := verify.Retain(t.Context(), st, now); err != nil {
		t.Fatal(err)
	}
	var left []string
	update(t, st, func(ctx context.Context, tx catalog.Tx) error {
		left = nil
		return tx.UseDays().Scan(ctx, catalog.Range{}, func(d *catalog.UseDay) error { left = append(left, d.Day); return nil })
	})
	if d := cmp.Diff([]string{"2026-08-23", "2026-11-21"}, left); d != "" {
		t.Errorf("kept (-want +got):\n%s", d)
	}
}
