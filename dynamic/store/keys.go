package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

var insertKeys = newInsert("entry_keys", "key entry_id", "ON CONFLICT DO NOTHING")

// putKeys makes the entries known by their aliases and identifiers, by their
// address and name, and as possible duplicates. Those that
// an entry no longer has stay: who matches looks at the entry.
func (a entries) putKeys(ctx context.Context, list []*catalog.Entry) error {
	type row struct{ key, id string }
	seen := map[row]bool{}
	var values []any
	for _, e := range list {
		for _, key := range keysOf(e) {
			if r := (row{lookupKey(key), e.ID}); key != "" && !seen[r] {
				seen[r] = true
				values = append(values, r.key, r.id)
			}
		}
	}
	if len(values) == 0 {
		return nil
	}
	if _, err := a.c.insertRows(ctx, insertKeys, values); err != nil {
		return fmt.Errorf("put the keys of %d entries: %w", len(list), err)
	}
	return nil
}

func keysOf(e *catalog.Entry) []string {
	keys := slices.Concat(e.UpstreamAliases, e.Identifiers, catalog.BlockingKeys(e))
	if len(e.MayBe()) > 0 {
		keys = append(keys, catalog.Proposed)
	}
	return keys
}

// Keys implements catalog.Entries.
func (a entries) Keys(ctx context.Context, fn func(*catalog.Key) error) error {
	var k catalog.Key
	err := a.c.query(ctx, func(s scanner) error {
		var published sql.NullInt64
		if err := s.Scan(&k.ID, &k.MatchKey, &k.Status, &published); err != nil {
			return err
		}
		k.PublishedAt = fromNull(published)
		return fn(&k)
	}, "SELECT id, match_key, status, published_at FROM entries ORDER BY id")
	if err != nil {
		return fmt.Errorf("keys of the entries: %w", err)
	}
	return nil
}
