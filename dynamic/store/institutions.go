package store

import (
	"context"

	"github.com/assay-register/assay/render/catalog"
)

type institutions struct{ c *conn }

var (
	institutionList    = docs[catalog.Institution]("institutions", "id")
	insertInstitutions = newInsert("institutions", "id doc", "ON CONFLICT (id) DO UPDATE SET doc = excluded.doc")
)

func (a institutions) Put(ctx context.Context, list ...catalog.Institution) error {
	list = lastOf(list, func(v *catalog.Institution) string { return v.ID })
	return putDocs(ctx, a.c, insertInstitutions, list, func(v *catalog.Institution) []any { return []any{v.ID} })
}

func (a institutions) Get(ctx context.Context, id string) (*catalog.Institution, error) {
	return institutionList.one(ctx, a.c, "id", id)
}

func (a institutions) All(ctx context.Context) ([]catalog.Institution, error) {
	return institutionList.all(ctx, a.c)
}
