package store

import (
	"context"

	"github.com/assay-register/assay/render/catalog"
)

type profiles struct{ c *conn }

var (
	profileList    = docs[catalog.Profile]("profiles", "entry_id")
	insertProfiles = newInsert("profiles", "entry_id doc", "ON CONFLICT (entry_id) DO UPDATE SET doc = excluded.doc")
)

func (a profiles) Put(ctx context.Context, list ...catalog.Profile) error {
	list = lastOf(list, func(v *catalog.Profile) string { return v.EntryID })
	return putDocs(ctx, a.c, insertProfiles, list, func(v *catalog.Profile) []any { return []any{v.EntryID} })
}

func (a profiles) Get(ctx context.Context, entryID string) (*catalog.Profile, error) {
	return profileList.one(ctx, a.c, "entry_id", entryID)
}

func (a profiles) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.Profile) error) error {
	return profileList.scan(ctx, a.c, r, nil, fn)
}
