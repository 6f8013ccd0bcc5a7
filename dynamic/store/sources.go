package store

import (
	"context"

	"github.com/assay-register/assay/render/catalog"
)

type sources struct{ c *conn }

var (
	sourceList    = docs[catalog.Source]("sources", "id")
	insertSources = newInsert("sources", "id doc", "ON CONFLICT (id) DO UPDATE SET doc = excluded.doc")
)

func (a sources) Put(ctx context.Context, list ...catalog.Source) error {
	list = lastOf(list, func(v *catalog.Source) string { return v.ID })
	return putDocs(ctx, a.c, insertSources, list, func(v *catalog.Source) []any { return []any{v.ID} })
}

func (a sources) Get(ctx context.Context, id string) (*catalog.Source, error) {
	return sourceList.one(ctx, a.c, "id", id)
}

func (a sources) All(ctx context.Context) ([]catalog.Source, error) {
	return sourceList.all(ctx, a.c)
}
