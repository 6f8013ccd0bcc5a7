package store

import (
	"context"

	"github.com/assay-register/assay/render/catalog"
)

type licences struct{ c *conn }

var (
	licenceList    = docs[catalog.Licence]("licences", "id")
	insertLicences = newInsert("licences", "id doc", "ON CONFLICT (id) DO UPDATE SET doc = excluded.doc")
)

func (a licences) Put(ctx context.Context, list ...catalog.Licence) error {
	list = lastOf(list, func(v *catalog.Licence) string { return v.ID })
	return putDocs(ctx, a.c, insertLicences, list, func(v *catalog.Licence) []any { return []any{v.ID} })
}

func (a licences) All(ctx context.Context) ([]catalog.Licence, error) {
	return licenceList.all(ctx, a.c)
}
