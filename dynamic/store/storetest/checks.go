package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var checkTests = map[string]func(*testing.T, catalog.Store){
	"CheckKeepsEveryField": testCheckRoundTrip,
	"CheckSameTimeOnce":    testCheckDedupe,
	"CheckScanAndPrune":    testCheckScan,
}

func readChecks(t *testing.T, s catalog.Store, r catalog.Range, since time.Time) (list []catalog.Check) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Checks().Scan(ctx, r, since, func(c *catalog.Check) error { list = append(list, *c); return nil })
	})
	return list
}

func appendChecks(t *testing.T, s catalog.Store, list ...catalog.Check) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Checks().Append(ctx, list...) })
}

func testCheckRoundTrip(t *testing.T, s catalog.Store) {
	c := filled[catalog.Check](t, 1)
	appendChecks(t, s, c)
	wantEqual(t, "checks", readChecks(t, s, catalog.Range{}, time.Time{}), []catalog.Check{c})
}

func testCheckDedupe(t *testing.T, s catalog.Store) {
	first := catalog.Check{EntryID: "a", At: day, Kind: "first"}
	second := first
	second.Kind = "second"
	appendChecks(t, s, first, second)
	appendChecks(t, s, second)
	wantEqual(t, "checks", readChecks(t, s, catalog.Range{}, time.Time{}), []catalog.Check{first})
}

func testCheckScan(t *testing.T, s catalog.Store) {
	var want []catalog.Check
	for _, id := range []string{"A", "a", "é"} {
		for h := range 300 {
			want = append(want, catalog.Check{EntryID: id, At: day.Add(time.Duration(h) * time.Hour), Kind: fmt.Sprint(id, h)})
		}
	}
	appendChecks(t, s, append(want[450:900:900], want[:450]...)...)
	wantEqual(t, "all", readChecks(t, s, catalog.Range{}, time.Time{}), want)
	wantEqual(t, "range", readChecks(t, s, catalog.Range{After: "A", Through: "a"}, time.Time{}), want[300:600])
	since := day.Add(298 * time.Hour)
	late := []catalog.Check{want[298], want[299], want[598], want[599], want[898], want[899]}
	wantEqual(t, "since", readChecks(t, s, catalog.Range{}, since), late)
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		var list []catalog.Check
		err := tx.Checks().Between(ctx, day.Add(2*time.Hour), day.Add(4*time.Hour), func(c *catalog.Check) error { list = append(list, *c); return nil })
		wantEqual(t, "between", list, []catalog.Check{want[2], want[3], want[302], want[303], want[602], want[603]})
		return err
	})
	wantEqual(t, "oldest", oldest(t, s), day)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		n, err := tx.Checks().Prune(ctx, since)
		if n != 894 {
			t.Errorf("pruned %d, want 894", n)
		}
		return err
	})
	wantEqual(t, "after prune", readChecks(t, s, catalog.Range{}, time.Time{}), late)
	wantEqual(t, "oldest after prune", oldest(t, s), since)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		_, err := tx.Checks().Prune(ctx, since.AddDate(1, 0, 0))
		return err
	})
	wantEqual(t, "oldest of none", oldest(t, s), time.Time{})
}

func oldest(t *testing.T, s catalog.Store) (at time.Time) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) { at, err = tx.Checks().Oldest(ctx); return err })
	return at
}
