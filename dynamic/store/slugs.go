package store

import (
	"context"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

var insertSlugs = newInsert("slugs", "slug entry_id", "ON CONFLICT DO NOTHING")

// claim records the current and former slugs of the entries for ever. What was
// claimed before is not written again; a slug of another entry is a conflict.
func (a entries) claim(ctx context.Context, list []*catalog.Entry) error {
	owner := make(map[string]string, len(list))
	var slugs []string
	for _, e := range list {
		for _, slug := range append([]string{e.Slug}, e.FormerSlugs...) {
			switch o, ok := owner[slug]; {
			case !ok:
				owner[slug] = e.ID
				slugs = append(slugs, slug)
			case o != e.ID:
				return slugConflict(slug, o, e.ID)
			}
		}
	}
	values := make([]any, 0, 2*len(slugs))
	for _, slug := range slugs {
		values = append(values, slug, owner[slug])
	}
	claimed, err := a.c.insertRows(ctx, insertSlugs, values)
	if err != nil {
		return fmt.Errorf("claim %d slugs: %w", len(slugs), err)
	}
	if claimed == int64(len(slugs)) {
		return nil
	}
	known, err := a.BySlug(ctx, slugs...)
	if err != nil {
		return err
	}
	for _, slug := range slugs {
		if known[slug] != owner[slug] {
			return slugConflict(slug, known[slug], owner[slug])
		}
	}
	return nil
}

func slugConflict(slug, owner, claimant string) error {
	return fmt.Errorf("slug %q of entry %s belongs to entry %s: %w", slug, claimant, owner, catalog.ErrConflict)
}
