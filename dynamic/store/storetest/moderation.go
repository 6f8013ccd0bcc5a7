package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var moderationTests = map[string]func(*testing.T, catalog.Store){
	"Decisions": testModerations, "Assignments": testAssignments, "SavedReasons": testReasons, "TrustRules": testTrust, "Try": testTry,
}

func testModerations(t *testing.T, s catalog.Store) {
	full := filled[catalog.Decision](t, 1)
	decision := func(id, batch, subject, submission string, minute int) catalog.Decision {
		return catalog.Decision{ID: id, Batch: batch, Kind: catalog.DecisionApproved, Subject: subject, SubmissionID: submission, At: day.Add(time.Duration(minute) * time.Minute)}
	}
	list := []catalog.Decision{decision("d1", "b1", "e1", "s1", 1), decision("d2", "b1", "e2", "", 1), decision("d3", "b2", "e1", "s1", 2)}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		wantErr(t, "a decision on nothing", tx.Moderations().Put(ctx, catalog.Decision{ID: "x", Batch: "b", Kind: catalog.DecisionMerged}), catalog.ErrInvalid)
		return tx.Moderations().Put(ctx, append(list, full)...)
	})
	list[2].UndoneAt = day.Add(time.Hour)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Moderations().Put(ctx, list[2]) })
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Moderations().Latest(ctx, "e1", "s1", "e2", "nobody", full.Subject)
		wantEqual(t, "latest", got, map[string]catalog.Decision{"e1": list[2], "s1": list[2], "e2": list[1], full.Subject: full})
		if err != nil {
			return err
		}
		batch, err := tx.Moderations().Batch(ctx, "b1")
		wantEqual(t, "batch", batch, list[:2])
		if err != nil {
			return err
		}
		var paged []string
		for before := ""; ; {
			page, err := tx.Moderations().List(ctx, before, 3)
			if err != nil {
				return err
			}
			for _, d := range page {
				if paged = append(paged, d.ID); d.ID == full.ID {
					wantEqual(t, "decision", d, full)
				}
			}
			if len(page) < 3 {
				break
			}
			before = page[len(page)-1].ID
		}
		if full.At.After(day) {
			wantEqual(t, "list", paged, []string{full.ID, "d3", "d2", "d1"})
		} else {
			wantEqual(t, "list", paged, []string{"d3", "d2", "d1", full.ID})
		}
		return nil
	})
}

func testAssignments(t *testing.T, s catalog.Store) {
	a, b := filled[catalog.Assignment](t, 1), filled[catalog.Assignment](t, 2)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Moderations().Assign(ctx, a, b) })
	a.Holder = "another"
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Moderations().Assign(ctx, a); err != nil {
			return err
		}
		return tx.Moderations().Release(ctx, b.Subject, "nobody")
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Moderations().Assignments(ctx)
		wantEqual(t, "assignments", got, map[string]catalog.Assignment{a.Subject: a})
		return err
	})
}

func testReasons(t *testing.T, s catalog.Store) {
	a, b := filled[catalog.SavedReason](t, 1), filled[catalog.SavedReason](t, 2)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return errors.Join(tx.Moderations().PutReason(ctx, a), tx.Moderations().PutReason(ctx, b), tx.Moderations().DeleteReason(ctx, b.ID))
	})
	a.Text = "another"
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Moderations().PutReason(ctx, a) })
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Moderations().Reasons(ctx)
		wantEqual(t, "reasons", got, []catalog.SavedReason{a})
		return err
	})
}

func testTrust(t *testing.T, s catalog.Store) {
	a := filled[catalog.TrustRule](t, 1)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Moderations().PutTrust(ctx, a) })
	a.RevokedAt = day
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Moderations().PutTrust(ctx, a) })
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Moderations().Trust(ctx)
		wantEqual(t, "rules", got, []catalog.TrustRule{a})
		return err
	})
}

// testTry: what failed left nothing, also what failed inside of it, and what came before and
// after it stays.
func testTry(t *testing.T, s catalog.Store) {
	broken := errors.New("broken")
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		set := func(key string) error { return tx.Meta().Set(ctx, key, "x") }
		if err := set("before"); err != nil {
			return err
		}
		err := tx.Try(ctx, func() error {
			if err := errors.Join(set("inside"), tx.Try(ctx, func() error { return set("deeper") })); err != nil {
				return err
			}
			// A statement that the database refuses must not end the transaction either.
			first, second := newEntry(1), newEntry(2)
			second.Entry.Slug = first.Entry.Slug
			wantErr(t, "a slug twice", tx.Entries().Put(ctx, first, second), catalog.ErrConflict)
			return broken
		})
		wantErr(t, "what failed", err, broken)
		return tx.Try(ctx, func() error { return set("after") })
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		for key, want := range map[string]string{"before": "x", "inside": "", "deeper": "", "after": "x"} {
			got, err := tx.Meta().Get(ctx, key)
			if err != nil || got != want {
				t.Errorf("%s: %q, %v", key, got, err)
			}
		}
		return nil
	})
}
