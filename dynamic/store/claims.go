package store

import (
	"context"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

type claims struct{ c *conn }

var (
	claimList         = docs[catalog.Claim]("claims", "id")
	insertClaims      = newInsert("claims", "id subject_id doc", "ON CONFLICT (id) DO UPDATE SET doc = excluded.doc")
	statementList     = docs[catalog.Statement]("statements", "id")
	insertStatements  = newInsert("statements", "id entry_id state claim_id doc", "ON CONFLICT (id) DO UPDATE SET state = excluded.state, claim_id = excluded.claim_id, doc = excluded.doc")
	statementsByEntry = docs[catalog.Statement]("statements", "entry_id", "id")
)

func (a claims) Put(ctx context.Context, list ...catalog.Claim) error {
	return putDocs(ctx, a.c, insertClaims, list, func(v *catalog.Claim) []any { return []any{v.ID, v.SubjectID} })
}

func (a claims) Get(ctx context.Context, id string) (*catalog.Claim, error) {
	return claimList.one(ctx, a.c, "id", id)
}

func (a claims) Of(ctx context.Context, subjectID string) ([]catalog.Claim, error) {
	return readDocs(ctx, a.c, claimList, "SELECT id, doc FROM claims WHERE subject_id = $1 ORDER BY id", subjectID)
}

func (a claims) After(ctx context.Context, id string, limit int) ([]catalog.Claim, error) {
	return readDocs(ctx, a.c, claimList, "SELECT id, doc FROM claims WHERE id > $1 ORDER BY id LIMIT $2", id, limit)
}

func (a claims) PutStatement(ctx context.Context, s catalog.Statement) error {
	return putDocs(ctx, a.c, insertStatements, []catalog.Statement{s}, func(v *catalog.Statement) []any { return []any{v.ID, v.EntryID, string(v.State), v.ClaimID} })
}

func (a claims) Statement(ctx context.Context, id string) (*catalog.Statement, error) {
	return statementList.one(ctx, a.c, "id", id)
}

func (a claims) Statements(ctx context.Context, entryID string) ([]catalog.Statement, error) {
	return readDocs(ctx, a.c, statementList, "SELECT id, doc FROM statements WHERE entry_id = $1 ORDER BY id", entryID)
}

func (a claims) ScanStatements(ctx context.Context, r catalog.Range, fn func(*catalog.Statement) error) error {
	return statementsByEntry.scan(ctx, a.c, r, nil, fn)
}

func (a claims) ByClaim(ctx context.Context, claimID string) ([]catalog.Statement, error) {
	return readDocs(ctx, a.c, statementList, "SELECT id, doc FROM statements WHERE claim_id = $1 ORDER BY id", claimID)
}

func (a claims) InState(ctx context.Context, state catalog.StatementState, after string, limit int) ([]catalog.Statement, error) {
	if state == catalog.StatementOpen {
		// The text names the state, for which there is an index.
		return readDocs(ctx, a.c, statementList, "SELECT id, doc FROM statements WHERE state = 'open' AND id > $1 ORDER BY id LIMIT $2", after, limit)
	}
	return readDocs(ctx, a.c, statementList, "SELECT id, doc FROM statements WHERE state = $1 AND id > $2 ORDER BY id LIMIT $3", string(state), after, limit)
}

// readDocs reads the records that a query finds.
func readDocs[T any](ctx context.Context, c *conn, l *listing[T], text string, args ...any) ([]T, error) {
	rows, err := l.rows(ctx, c, text, args)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", l.from, err)
	}
	return l.decodeAll(rows)
}
