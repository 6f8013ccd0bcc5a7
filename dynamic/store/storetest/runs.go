package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var runTests = map[string]func(*testing.T, catalog.Store){
	"RunRecords": testRunRecords,
	"RunsLatest": testRunsLatest,
	"RunsSeen":   testRunsSeen,
	"RunsRefuse": testRunsRefuse,
	"RunsAtomic": testRunsAtomic,
	"RunsHold":   testRunsHold,
}

func runOf(t *testing.T, source string, n int) catalog.HarvestRun {
	r := filled[catalog.HarvestRun](t, n+1)
	r.ID, r.SourceID, r.State, r.StartedAt = fmt.Sprintf("%s-%d", source, n), source, catalog.RunComplete, day.Add(time.Duration(n)*time.Hour)
	return r
}

func putRuns(t *testing.T, s catalog.Store, list ...catalog.HarvestRun) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Runs().Put(ctx, list...) })
}

func testRunRecords(t *testing.T, s catalog.Store) {
	var want []catalog.HarvestRun
	for _, source := range []string{"A", "a", "é"} {
		for n := range 70 {
			want = append(want, runOf(t, source, n))
		}
	}
	stale := slices.Clone(want)
	slices.Reverse(stale)
	for i := range stale {
		stale[i].Notice = "stale"
	}
	putRuns(t, s, stale...)
	putRuns(t, s, append([]catalog.HarvestRun{stale[0]}, want...)...)
	var got []catalog.HarvestRun
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Runs().Scan(ctx, func(r *catalog.HarvestRun) error { got = append(got, *r); return nil }); err != nil {
			return err
		}
		one, err := tx.Runs().Get(ctx, want[77].ID)
		wantEqual(t, "one", one, &want[77])
		_, unknown := tx.Runs().Get(ctx, "nobody")
		wantErr(t, "unknown run", unknown, catalog.ErrNotFound)
		return err
	})
	wantEqual(t, "all", got, want)
}

func testRunsLatest(t *testing.T, s catalog.Store) {
	twin := runOf(t, "a", 4)
	twin.ID = "a-4-twin"
	putRuns(t, s, runOf(t, "a", 2), runOf(t, "a", 3), twin, runOf(t, "a", 4), runOf(t, "b", 9))
	latest := func(source string, limit int) (ids []string) {
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			list, err := tx.Runs().Latest(ctx, source, limit)
			for i := range list {
				ids = append(ids, list[i].ID)
			}
			return err
		})
		return ids
	}
	wantEqual(t, "all", latest("a", 50), []string{"a-4-twin", "a-4", "a-3", "a-2"})
	wantEqual(t, "two", latest("a", 2), []string{"a-4-twin", "a-4"})
	wantEqual(t, "none", latest("a", 0), []string(nil))
	wantEqual(t, "unknown", latest("c", 5), []string(nil))
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		n, err := tx.Runs().Prune(ctx, "a", 3)
		wantEqual(t, "pruned", n, int64(1))
		return err
	})
	wantEqual(t, "kept", latest("a", 50), []string{"a-4-twin", "a-4", "a-3"})
	wantEqual(t, "the other source's", latest("b", 50), []string{"b-9"})
}

func seen(t *testing.T, s catalog.Store, run string) (keys []string) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		keys = nil
		return tx.Runs().Seen(ctx, run, func(key string) error { keys = append(keys, key); return nil })
	})
	return keys
}

func testRunsSeen(t *testing.T, s catalog.Store) {
	var want []string
	for n := range 2345 {
		want = append(want, fmt.Sprintf("key %04d «Ω»", n))
	}
	shuffled := slices.Clone(want)
	slices.Reverse(shuffled)
	run := runOf(t, "a", 1)
	run.State = catalog.RunRunning
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Runs().Put(ctx, run); err != nil {
			return err
		}
		if err := tx.Runs().See(ctx, run.ID, append(shuffled[:300:300], shuffled[0], shuffled[299])...); err != nil {
			return err
		}
		if err := tx.Runs().See(ctx, "other", "x"); err != nil {
			return err
		}
		return tx.Runs().See(ctx, run.ID, shuffled[200:]...)
	})
	wantEqual(t, "seen", seen(t, s, run.ID), want)
	run.State = catalog.RunPartial
	putRuns(t, s, run)
	wantEqual(t, "seen by a run that can be resumed", len(seen(t, s, run.ID)), len(want))
	for _, state := range []catalog.RunState{catalog.RunComplete, catalog.RunFailed, catalog.RunUnchanged, catalog.RunQuarantined} {
		run.State = catalog.RunRunning
		putRuns(t, s, run)
		update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Runs().See(ctx, run.ID, "again") })
		run.State = state
		putRuns(t, s, run)
		wantEqual(t, "seen by a run that is "+string(state), seen(t, s, run.ID), []string(nil))
	}
	wantEqual(t, "seen by the other", seen(t, s, "other"), []string{"x"})
}

func testRunsRefuse(t *testing.T, s catalog.Store) {
	for name, do := range map[string]func(context.Context, catalog.Tx) error{
		"run without id": func(ctx context.Context, tx catalog.Tx) error {
			return tx.Runs().Put(ctx, catalog.HarvestRun{SourceID: "a"})
		},
		"run without source": func(ctx context.Context, tx catalog.Tx) error {
			return tx.Runs().Put(ctx, catalog.HarvestRun{ID: "a"})
		},
		"key of no run": func(ctx context.Context, tx catalog.Tx) error { return tx.Runs().See(ctx, "", "x") },
		"long key": func(ctx context.Context, tx catalog.Tx) error {
			return tx.Runs().See(ctx, "a", strings.Repeat("x", 513))
		},
		"text that is not UTF-8": func(ctx context.Context, tx catalog.Tx) error { return tx.Runs().See(ctx, "a", "\xff") },
	} {
		wantErr(t, name, tryUpdate(t, s, do), catalog.ErrInvalid)
	}
}

// testRunsAtomic: a cursor is never stored without the records before it.
func testRunsAtomic(t *testing.T, s catalog.Store) {
	stop := fmt.Errorf("killed")
	run := runOf(t, "a", 1)
	run.State = catalog.RunRunning
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Runs().Put(ctx, run); err != nil {
			return err
		}
		if err := tx.Runs().See(ctx, run.ID, "x"); err != nil {
			return err
		}
		if err := tx.Entries().Put(ctx, newEntry(1)); err != nil {
			return err
		}
		return stop
	})
	wantErr(t, "update", err, stop)
	wantEqual(t, "entries", len(allEntries(t, s, catalog.Range{})), 0)
	wantEqual(t, "seen", seen(t, s, run.ID), []string(nil))
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		_, err := tx.Runs().Get(ctx, run.ID)
		wantErr(t, "run", err, catalog.ErrNotFound)
		return nil
	})
}

// testRunsHold: only its owner prolongs the lease of a run, and nothing else of
// it changes.
func testRunsHold(t *testing.T, s catalog.Store) {
	run := runOf(t, "a", 1)
	run.State, run.Owner, run.LeaseUntil = catalog.RunRunning, "first", day.Add(time.Minute)
	ended := runOf(t, "a", 0)
	ended.Owner, ended.LeaseUntil = "", time.Time{}
	putRuns(t, s, run, ended)
	hold := func(id, owner string, until time.Time) error {
		return tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Runs().Hold(ctx, id, owner, until) })
	}
	run.LeaseUntil = day.Add(time.Hour)
	wantErr(t, "the owner", hold(run.ID, "first", run.LeaseUntil), nil)
	wantErr(t, "another", hold(run.ID, "second", day.AddDate(1, 0, 0)), catalog.ErrLeaseLost)
	wantErr(t, "nobody", hold(ended.ID, "", day.AddDate(1, 0, 0)), catalog.ErrLeaseLost)
	wantErr(t, "unknown", hold("nobody", "first", day), catalog.ErrLeaseLost)
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Runs().Latest(ctx, "a", 5)
		wantEqual(t, "runs", got, []catalog.HarvestRun{run, ended})
		return err
	})
	for _, c := range []struct {
		at   time.Time
		held bool
	}{{day, true}, {day.Add(time.Hour), false}, {day.Add(-time.Second), false}} {
		if run.Held(c.at) != c.held {
			t.Errorf("at %s the run is held: %v", c.at, !c.held)
		}
	}
}
