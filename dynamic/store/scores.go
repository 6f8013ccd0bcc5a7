package store

import (
	"context"

	"github.com/assay-register/assay/render/catalog"
)

type scores struct{ c *conn }

var (
	scoreList    = docs[catalog.ScoreDay]("scores", "entry_id", "day")
	insertScores = newInsert("scores", "entry_id day doc", "ON CONFLICT (entry_id, day) DO UPDATE SET doc = excluded.doc")
)

func (a scores) Put(ctx context.Context, list ...catalog.ScoreDay) error {
	list = lastOf(list, func(v *catalog.ScoreDay) string { return v.EntryID + "\n" + v.Day })
	return putDocs(ctx, a.c, insertScores, list, func(v *catalog.ScoreDay) []any { return []any{v.EntryID, v.Day} })
}

func (a scores) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.ScoreDay) error) error {
	return scoreList.scan(ctx, a.c, r, nil, fn)
}
