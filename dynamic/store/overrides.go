package store

import (
	"context"

	"github.com/assay-register/assay/render/catalog"
)

type overrides struct{ c *conn }

var (
	overrideList    = docs[catalog.Override]("overrides", "entry_id", "created_at", "id")
	insertOverrides = newInsert("overrides", "id entry_id created_at doc",
		`ON CONFLICT (id) DO UPDATE SET entry_id = excluded.entry_id, created_at = excluded.created_at, doc = excluded.doc`)
)

func (a overrides) Put(ctx context.Context, list ...catalog.Override) error {
	list = lastOf(list, func(v *catalog.Override) string { return v.ID })
	return putDocs(ctx, a.c, insertOverrides, list, func(v *catalog.Override) []any {
		return []any{v.ID, v.EntryID, micros(v.CreatedAt)}
	})
}

func (a overrides) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.Override) error) error {
	return overrideList.scan(ctx, a.c, r, nil, fn)
}
