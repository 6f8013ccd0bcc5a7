package storetest

import (
	"context"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

var claimTests = map[string]func(*testing.T, catalog.Store){"Claims": testClaims, "Statements": testStatements}

func testClaims(t *testing.T, s catalog.Store) {
	a, b := filled[catalog.Claim](t, 1), filled[catalog.Claim](t, 2)
	b.SubjectID = a.SubjectID
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Claims().Put(ctx, a, b) })
	a.State = catalog.ClaimEnded
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Claims().Put(ctx, a) })
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Claims().Get(ctx, a.ID)
		if err != nil {
			return err
		}
		wantEqual(t, "claim", *got, a)
		_, missing := tx.Claims().Get(ctx, "nobody")
		wantErr(t, "no claim", missing, catalog.ErrNotFound)
		list, err := tx.Claims().Of(ctx, a.SubjectID)
		if err != nil || len(list) != 2 {
			t.Errorf("claims of the thing: %d, %v", len(list), err)
		}
		all, err := tx.Claims().After(ctx, list[0].ID, 5)
		wantEqual(t, "claims behind the first", all, list[1:])
		return err
	})
}

func testStatements(t *testing.T, s catalog.Store) {
	a := filled[catalog.Statement](t, 1)
	a.State = catalog.StatementOpen
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Claims().PutStatement(ctx, a) })
	look := func(open int) {
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			got, err := tx.Claims().Statement(ctx, a.ID)
			if err != nil {
				return err
			}
			wantEqual(t, "statement", *got, a)
			list, err := tx.Claims().Statements(ctx, a.EntryID)
			wantEqual(t, "statements", list, []catalog.Statement{a})
			if err != nil {
				return err
			}
			var scanned []catalog.Statement
			if err := tx.Claims().ScanStatements(ctx, catalog.Range{}, func(v *catalog.Statement) error { scanned = append(scanned, *v); return nil }); err != nil {
				return err
			}
			wantEqual(t, "statements in a scan", scanned, []catalog.Statement{a})
			waiting, err := tx.Claims().InState(ctx, catalog.StatementOpen, "", 10)
			if len(waiting) != open {
				t.Errorf("%d wait, want %d", len(waiting), open)
			}
			return err
		})
	}
	look(1)
	a.State = catalog.StatementDeclined
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Claims().PutStatement(ctx, a) })
	look(0)
	a.State = catalog.StatementAccepted
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Claims().PutStatement(ctx, a) })
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		mine, err := tx.Claims().ByClaim(ctx, a.ClaimID)
		wantEqual(t, "of a claim", mine, []catalog.Statement{a})
		if others, _ := tx.Claims().ByClaim(ctx, "other"); len(others) != 0 {
			t.Errorf("statements of another claim: %v", others)
		}
		return err
	})
}
