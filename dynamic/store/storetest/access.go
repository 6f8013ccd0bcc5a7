package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var accessTests = map[string]func(*testing.T, catalog.Store){
	"TokensKeepEveryField":  testTokens,
	"TokensRefuse":          testTokensRefuse,
	"AuditsKeepEveryField":  testAudits,
	"AuditsArePartOfUpdate": testAuditsRollBack,
}

func putTokens(t *testing.T, s catalog.Store, list ...catalog.Token) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Tokens().Put(ctx, list...) })
}

func testTokens(t *testing.T, s catalog.Store) {
	var want []catalog.Token
	for n := range 4 {
		v := filled[catalog.Token](t, n+1)
		v.ID, v.CreatedAt = fmt.Sprintf("t%d", 9-n), day.Add(time.Duration(n/2)*time.Second)
		want = append(want, v)
	}
	want[0].RevokedAt, want[1].RevokedAt = time.Time{}, time.Time{}
	putTokens(t, s, want...)
	revoked := want[0]
	revoked.RevokedAt = day.Add(time.Hour)
	putTokens(t, s, revoked)
	want = []catalog.Token{want[1], revoked, want[3], want[2]} // by creation, then id
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		all, err := tx.Tokens().All(ctx)
		wantEqual(t, "all", all, want)
		if err != nil {
			return err
		}
		got, err := tx.Tokens().ByHash(ctx, revoked.Hash)
		wantEqual(t, "a revoked one by hash", got, &revoked)
		if err != nil {
			return err
		}
		for _, hash := range []string{"", "nothing", revoked.Hash + " ", revoked.ID} {
			_, err = tx.Tokens().ByHash(ctx, hash)
			wantErr(t, "hash "+hash, err, catalog.ErrNotFound)
		}
		return nil
	})
}

func testTokensRefuse(t *testing.T, s catalog.Store) {
	good := filled[catalog.Token](t, 1)
	putTokens(t, s, good)
	noID, noHash, twin := good, good, good
	noID.ID, noHash.Hash, twin.ID = "", "", "another"
	for what, c := range map[string]struct {
		token catalog.Token
		want  error
	}{
		"no id": {noID, catalog.ErrInvalid}, "no hash": {noHash, catalog.ErrInvalid}, "the hash of another": {twin, catalog.ErrConflict},
	} {
		err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Tokens().Put(ctx, c.token) })
		wantErr(t, what, err, c.want)
	}
}

func newAudit(t *testing.T, n int, subject string) catalog.AuditRow {
	r := filled[catalog.AuditRow](t, n)
	r.Number, r.Subject = 0, subject
	return r
}

func readAudits(t *testing.T, s catalog.Store, before int64, subject string, limit int) (list []catalog.AuditRow) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
		list, err = tx.Audits().Before(ctx, before, subject, limit)
		return err
	})
	return list
}

func testAudits(t *testing.T, s catalog.Store) {
	rows := []catalog.AuditRow{newAudit(t, 1, "a"), newAudit(t, 2, "b"), newAudit(t, 3, "a"), newAudit(t, 4, "c")}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Audits().Append(ctx); err != nil {
			return err
		}
		return tx.Audits().Append(ctx, rows[:3]...)
	})
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Audits().Append(ctx, rows[3]) })
	for i := range rows {
		rows[i].Number = int64(i + 1)
	}
	wantEqual(t, "all, newest first", readAudits(t, s, 0, "", 9), []catalog.AuditRow{rows[3], rows[2], rows[1], rows[0]})
	wantEqual(t, "the newest", readAudits(t, s, 0, "", 1), []catalog.AuditRow{rows[3]})
	wantEqual(t, "before 3", readAudits(t, s, 3, "", 9), []catalog.AuditRow{rows[1], rows[0]})
	wantEqual(t, "of a", readAudits(t, s, 0, "a", 9), []catalog.AuditRow{rows[2], rows[0]})
	wantEqual(t, "of a before 3", readAudits(t, s, 3, "a", 9), []catalog.AuditRow{rows[0]})
	wantEqual(t, "of nobody", readAudits(t, s, 0, "d", 9), []catalog.AuditRow(nil))
}

// testAuditsRollBack: what did not happen leaves no row and no gap.
func testAuditsRollBack(t *testing.T, s catalog.Store) {
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Audits().Append(ctx, newAudit(t, 1, "a")); err != nil {
			return err
		}
		return catalog.ErrConflict
	})
	wantErr(t, "update", err, catalog.ErrConflict)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Audits().Append(ctx, newAudit(t, 2, "b")) })
	if got := readAudits(t, s, 0, "", 9); len(got) != 1 || got[0].Number != 1 || got[0].Subject != "b" {
		t.Errorf("rows %+v", got)
	}
}
