package store

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

type checks struct{ c *conn }

var (
	checkList    = docs[catalog.Check]("checks", "entry_id", "at")
	insertChecks = newInsert("checks", "entry_id at doc", "ON CONFLICT (entry_id, at) DO NOTHING")
)

func (a checks) Append(ctx context.Context, list ...catalog.Check) error {
	return putDocs(ctx, a.c, insertChecks, list, func(v *catalog.Check) []any { return []any{v.EntryID, micros(v.At)} })
}

func (a checks) Scan(ctx context.Context, r catalog.Range, since time.Time, fn func(*catalog.Check) error) error {
	return checkList.scan(ctx, a.c, r, &filter{"at >= %s", micros(since)}, fn)
}

func (a checks) Prune(ctx context.Context, before time.Time) (int64, error) {
	n, err := a.c.exec(ctx, "DELETE FROM checks WHERE at < $1", micros(before))
	if err != nil {
		return 0, fmt.Errorf("prune checks before %s: %w", before, err)
	}
	return n, nil
}
