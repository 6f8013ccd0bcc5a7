package store

import (
	"context"

	"github.com/assay-register/assay/render/catalog"
)

type targets struct{ c *conn }

var (
	targetList    = docs[catalog.Target]("targets", "entry_id", "id")
	insertTargets = newInsert("targets", "id entry_id doc",
		"ON CONFLICT (id) DO UPDATE SET entry_id = excluded.entry_id, doc = excluded.doc")
)

func (a targets) Put(ctx context.Context, list ...catalog.Target) error {
	list = lastOf(list, func(v *catalog.Target) string { return v.ID })
	return putDocs(ctx, a.c, insertTargets, list, func(v *catalog.Target) []any { return []any{v.ID, v.EntryID} })
}

func (a targets) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.Target) error) error {
	return targetList.scan(ctx, a.c, r, nil, fn)
}
