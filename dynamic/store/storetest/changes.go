package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

var changeTests = map[string]func(*testing.T, catalog.Store){
	"ChangesOfEveryTable": testChangesOfEveryTable,
	"ChangesSinceMarks":   testChangesSinceMarks,
	"MarksAreForgotten":   testMarksAreForgotten,
}

func mark(t *testing.T, s catalog.Store) (name string) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) (err error) { name, err = tx.Changes().Mark(ctx); return err })
	return name
}

func since(t *testing.T, s catalog.Store, mark string) (ids []string) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
		ids, err = tx.Changes().Since(ctx, mark)
		return err
	})
	return ids
}

// testChangesOfEveryTable writes, changes and deletes a row of everything that a build
// reads of an entry.
func testChangesOfEveryTable(t *testing.T, s catalog.Store) {
	put(t, s, newEntries(3)...)
	id := newEntry(1).Entry.ID
	check, days := filled[catalog.Check](t, 1), filled[catalog.CheckDay](t, 2)
	state, profile, use := filled[catalog.CheckState](t, 3), filled[catalog.Profile](t, 4), filled[catalog.UseDay](t, 5)
	report, incident, statement := filled[catalog.Report](t, 10), filled[catalog.Incident](t, 11), filled[catalog.Statement](t, 12)
	claim, claimed := filled[catalog.Claim](t, 13), filled[catalog.Claim](t, 13)
	report.Hidden, claim.ID, claimed.ID, claim.State = false, statement.ClaimID, statement.ClaimID, catalog.ClaimVerified
	claimed.State = catalog.ClaimPending
	override, target, evidence := filled[catalog.Override](t, 6), filled[catalog.Target](t, 7), filled[catalog.Evidence](t, 8)
	for _, own := range []*string{&check.EntryID, &days.EntryID, &state.EntryID, &profile.EntryID, &use.EntryID, &override.EntryID, &target.EntryID, &evidence.EntryID, &report.EntryID, &incident.EntryID, &statement.EntryID} {
		*own = id
	}
	for name, write := range map[string]func(context.Context, catalog.Tx) error{
		"entry and provenance": func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Put(ctx, newEntry(1)) },
		"event": func(ctx context.Context, tx catalog.Tx) error {
			return tx.Events().Append(ctx, catalog.Event{Type: catalog.EventUpdated, EntryID: id, OccurredAt: day})
		},
		"check":         func(ctx context.Context, tx catalog.Tx) error { return tx.Checks().Append(ctx, check) },
		"sum of checks": func(ctx context.Context, tx catalog.Tx) error { return tx.Checks().PutDays(ctx, days) },
		"state": func(ctx context.Context, tx catalog.Tx) error {
			return tx.CheckStates().Set(ctx, []catalog.CheckState{state}, nil)
		},
		"profile":  func(ctx context.Context, tx catalog.Tx) error { return tx.Profiles().Put(ctx, profile) },
		"override": func(ctx context.Context, tx catalog.Tx) error { return tx.Overrides().Put(ctx, override) },
		"target":   func(ctx context.Context, tx catalog.Tx) error { return tx.Targets().Put(ctx, target) },
		"evidence": func(ctx context.Context, tx catalog.Tx) error { return tx.Evidences().Put(ctx, evidence) },
		"report":   func(ctx context.Context, tx catalog.Tx) error { return tx.Reports().Put(ctx, report) },
		"incident": func(ctx context.Context, tx catalog.Tx) error { return tx.Incidents().Put(ctx, incident) },
		"claim of a statement": func(ctx context.Context, tx catalog.Tx) error {
			if err := tx.Claims().Put(ctx, claimed); err != nil {
				return err
			}
			return errors.Join(tx.Claims().PutStatement(ctx, statement), tx.Claims().Put(ctx, claim))
		},
		"uses": func(ctx context.Context, tx catalog.Tx) error { return tx.UseDays().Put(ctx, use) },
	} {
		before := mark(t, s)
		update(t, s, write)
		wantEqual(t, name, since(t, s, before), []string{id})
		wantEqual(t, "after "+name, since(t, s, mark(t, s)), []string{})
	}
	before := mark(t, s)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		_, err := tx.Checks().Prune(ctx, check.At.AddDate(1, 0, 0))
		return err
	})
	wantEqual(t, "checks that were pruned", since(t, s, before), []string{id})
	before = mark(t, s)
	private := filled[catalog.Report](t, 14)
	private.Hidden, claim.CheckedAt = true, day
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		whole := catalog.Incident{ID: "whole", Host: "example.gov", From: day}
		return errors.Join(tx.Reports().Put(ctx, private), tx.Claims().Put(ctx, claim), tx.Incidents().Put(ctx, whole))
	})
	wantEqual(t, "a private report, a claim looked at again, an incident of a host", since(t, s, before), []string{})
	score := filled[catalog.ScoreDay](t, 9)
	score.EntryID = id
	before = mark(t, s)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Scores().Put(ctx, score) })
	wantEqual(t, "a score", since(t, s, before), []string{})
}

// testChangesSinceMarks asks for several marks, and for some that the store never set.
func testChangesSinceMarks(t *testing.T, s catalog.Store) {
	first := mark(t, s)
	put(t, s, newEntry(2), newEntry(0))
	second := mark(t, s)
	put(t, s, newEntry(1))
	a, b, c := newEntry(0).Entry.ID, newEntry(1).Entry.ID, newEntry(2).Entry.ID
	wantEqual(t, "since the first", len(since(t, s, first)), 3)
	wantEqual(t, "since the second", since(t, s, second), []string{b})
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Entries().Put(ctx, newEntry(3)); err != nil {
			return err
		}
		return catalog.ErrInvalid
	})
	wantErr(t, "given up", err, catalog.ErrInvalid)
	wantEqual(t, "after a change that was given up", since(t, s, second), []string{b})
	for _, unknown := range []string{"", "1", "1-", "x-y", first + "x", "7" + second, "-", "9223372036854775808-A"} {
		err := s.View(t.Context(), func(tx catalog.Tx) error { _, err := tx.Changes().Since(t.Context(), unknown); return err })
		wantErr(t, "mark "+unknown, err, catalog.ErrNotFound)
	}
	if list := since(t, s, first); len(list) == 3 && (list[0] > list[1] || list[1] > list[2]) {
		t.Errorf("%q is not in the order of %q, %q, %q", list, a, b, c)
	}
}

func testMarksAreForgotten(t *testing.T, s catalog.Store) {
	first, second := mark(t, s), mark(t, s)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		for range catalog.MarksKept - 1 {
			if _, err := tx.Changes().Mark(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	err := s.View(t.Context(), func(tx catalog.Tx) error { _, err := tx.Changes().Since(t.Context(), first); return err })
	wantErr(t, "one too many", err, catalog.ErrNotFound)
	wantEqual(t, "the oldest", since(t, s, second), []string{})
}
