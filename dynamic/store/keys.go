package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

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
