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
	known, err := a.BySlug(ctx, slugs...)
	if err != nil {
		return err
	}
	var values []any
	for _, slug := range slugs {
		switch o, ok := known[slug]; {
		case !ok:
			values = append(values, slug, owner[slug])
		case o != owner[slug]:
			return slugConflict(slug, o, owner[slug])
		}
	}
	if _, err := a.c.insertRows(ctx, insertSlugs, values); err != nil {
		return fmt.Errorf("claim %d slugs: %w", len(values)/2, err)
	}
	return nil
}

func slugConflict(slug, owner, claimant string) error {
	return fmt.Errorf("slug %q of entry %s belongs to entry %s: %w", slug, claimant, owner, catalog.ErrConflict)
}
