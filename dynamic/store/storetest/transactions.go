package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

var transactionTests = map[string]func(*testing.T, catalog.Store){
	"RollbackLeavesNothing":        testRollback,
	"PanicLeavesNothing":           testPanic,
	"ViewSeesOneState":             testViewSnapshot,
	"ViewCannotWrite":              testViewWrites,
	"UpdateSeesItsOwnWrites":       testOwnWrites,
	"UpdatesLoseNothing":           testLostUpdate,
	"CancelledContextEndsAnUpdate": testCancelled,
}

// writeAll writes something into every aggregate.
func writeAll(ctx context.Context, tx catalog.Tx) error {
	_, err := tx.Jobs().Enqueue(ctx, newJob(1))
	return errors.Join(err,
		tx.Entries().Put(ctx, newEntry(1)),
		tx.Institutions().Put(ctx, catalog.Institution{ID: "i"}),
		tx.Licences().Put(ctx, catalog.Licence{ID: "l"}),
		tx.Sources().Put(ctx, catalog.Source{ID: "s"}),
		tx.Checks().Append(ctx, catalog.Check{EntryID: "e", At: day}),
		tx.CheckStates().Set(ctx, []catalog.CheckState{{EntryID: "e"}}, nil),
		tx.Checks().PutDays(ctx, catalog.CheckDay{EntryID: "e", Day: "2026-02-01"}),
		tx.Probes().Plan(ctx, catalog.Probe{EntryID: "e", Host: "h", DueAt: day}),
		tx.Profiles().Put(ctx, catalog.Profile{EntryID: "e"}),
		tx.Overrides().Put(ctx, catalog.Override{ID: "o", EntryID: "e"}),
		tx.Targets().Put(ctx, catalog.Target{ID: "t", EntryID: "e"}),
		tx.Evidences().Put(ctx, newEvidence("e", "v", []byte("x"))),
		tx.Scores().Put(ctx, catalog.ScoreDay{EntryID: "e", Day: "2026-03-01"}),
		tx.Events().Append(ctx, catalog.Event{Type: catalog.EventCatalogBuilt}),
		tx.Meta().Set(ctx, "m", "1"))
}

// countAll counts the records of every aggregate.
func countAll(ctx context.Context, tx catalog.Tx) (n int, err error) {
	all := catalog.Range{}
	insts, e1 := tx.Institutions().All(ctx)
	licences, e2 := tx.Licences().All(ctx)
	sources, e3 := tx.Sources().All(ctx)
	events, e4 := tx.Events().After(ctx, 0, 100)
	jobs, e5 := tx.Jobs().List(ctx, catalog.JobFilter{})
	value, e6 := tx.Meta().Get(ctx, "m")
	n = len(insts) + len(licences) + len(sources) + len(events) + len(jobs) + len(value)
	err = errors.Join(e1, e2, e3, e4, e5, e6,
		tx.Entries().Scan(ctx, all, func(*catalog.Entry) error { n++; return nil }),
		tx.Provenances().Scan(ctx, all, func(*catalog.Provenance) error { n++; return nil }),
		tx.Checks().Scan(ctx, all, day.AddDate(-9, 0, 0), func(*catalog.Check) error { n++; return nil }),
		tx.CheckStates().Scan(ctx, all, func(*catalog.CheckState) error { n++; return nil }),
		tx.Checks().ScanDays(ctx, all, func(*catalog.CheckDay) error { n++; return nil }),
		tx.Probes().Scan(ctx, all, func(*catalog.Probe) error { n++; return nil }),
		tx.Probes().Hosts(ctx, func(*catalog.ProbeHost) error { n++; return nil }),
		tx.Profiles().Scan(ctx, all, func(*catalog.Profile) error { n++; return nil }),
		tx.Overrides().Scan(ctx, all, func(*catalog.Override) error { n++; return nil }),
		tx.Targets().Scan(ctx, all, func(*catalog.Target) error { n++; return nil }),
		tx.Evidences().Scan(ctx, all, func(*catalog.Evidence) error { n++; return nil }),
		tx.Scores().Scan(ctx, all, func(*catalog.ScoreDay) error { n++; return nil }))
	return n, err
}

// written is what countAll finds after writeAll.
const written = 19

func wantCount(t *testing.T, s catalog.Store, want int) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		n, err := countAll(ctx, tx)
		if err == nil && n != want {
			t.Errorf("%d records, want %d", n, want)
		}
		return err
	})
}

func testRollback(t *testing.T, s catalog.Store) {
	boom := errors.New("boom")
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := writeAll(ctx, tx); err != nil {
			return err
		}
		return boom
	})
	wantErr(t, "update", err, boom)
	wantCount(t, s, 0)
	if owner := owners(t, s, "rainfall-1"); len(owner) > 0 {
		t.Errorf("the slug is still claimed: %v", owner)
	}
	update(t, s, writeAll)
	wantCount(t, s, written)
}

func testPanic(t *testing.T, s catalog.Store) {
	func() {
		defer func() { _ = recover() }()
		_ = tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
			if err := writeAll(ctx, tx); err != nil {
				t.Errorf("write: %v", err)
			}
			panic("on purpose")
		})
	}()
	wantCount(t, s, 0)
	update(t, s, writeAll)
}

func testViewSnapshot(t *testing.T, s catalog.Store) {
	put(t, s, newEntry(50))
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		before, err := countAll(ctx, tx)
		if err != nil {
			return err
		}
		update(t, s, writeAll)
		after, err := countAll(ctx, tx)
		if err == nil && after != before {
			t.Errorf("the view saw %d records, then %d", before, after)
		}
		return err
	})
	wantCount(t, s, 3+written)
}

func testViewWrites(t *testing.T, s catalog.Store) {
	err := s.View(t.Context(), func(tx catalog.Tx) error { return tx.Meta().Set(t.Context(), "m", "1") })
	if err == nil {
		t.Error("a view wrote")
	}
	wantCount(t, s, 0)
}

func testOwnWrites(t *testing.T, s catalog.Store) {
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := writeAll(ctx, tx); err != nil {
			return err
		}
		n, err := countAll(ctx, tx)
		if n != written {
			t.Errorf("%d records inside the update, want %d", n, written)
		}
		return err
	})
}

// testLostUpdate: each update reads a value and writes it raised by one.
func testLostUpdate(t *testing.T, s catalog.Store) {
	const writers, rounds = 8, 10
	together(writers, func(int) {
		for range rounds {
			update(t, s, func(ctx context.Context, tx catalog.Tx) error {
				value, err := tx.Meta().Get(ctx, "n")
				if err != nil {
					return err
				}
				var n int
				_, _ = fmt.Sscan(value, &n)
				return tx.Meta().Set(ctx, "n", fmt.Sprint(n+1))
			})
		}
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		n, err := tx.Meta().Get(ctx, "n")
		wantEqual(t, "counter", n, fmt.Sprint(writers*rounds))
		return err
	})
}

func testCancelled(t *testing.T, s catalog.Store) {
	ctx, stop := context.WithCancel(t.Context())
	err := s.Update(ctx, func(tx catalog.Tx) error {
		if err := writeAll(ctx, tx); err != nil {
			return err
		}
		stop()
		return tx.Meta().Set(ctx, "m", "2")
	})
	wantErr(t, "update", err, context.Canceled)
	wantCount(t, s, 0)
	update(t, s, writeAll)
}
