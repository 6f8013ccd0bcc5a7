package store

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

type tallies struct{ c *conn }

var insertTallies = newInsert("tallies", "kind key at id", "ON CONFLICT (kind, key, id) DO NOTHING")

func (a tallies) Add(ctx context.Context, list ...catalog.Tally) error {
	values := make([]any, 0, len(list)*len(insertTallies.cols))
	for _, v := range list {
		if v.Kind == "" || v.ID == "" {
			return fmt.Errorf("count %q of %q: kind and id are required: %w", v.Kind, v.Key, catalog.ErrInvalid)
		}
		values = append(values, v.Kind, v.Key, micros(v.At), v.ID)
	}
	if _, err := a.c.insertRows(ctx, insertTallies, values); err != nil {
		return fmt.Errorf("count %d times: %w", len(list), err)
	}
	return nil
}

func (a tallies) Since(ctx context.Context, kind, key string, after time.Time, but string) (times []time.Time, err error) {
	err = a.c.query(ctx, func(s scanner) error {
		var at int64
		err := s.Scan(&at)
		times = append(times, fromMicros(at))
		return err
	}, "SELECT at FROM tallies WHERE kind = $1 AND key = $2 AND at > $3 AND id <> $4 ORDER BY at", kind, key, micros(after), but)
	if err != nil {
		return nil, fmt.Errorf("times of %q: %w", kind, err)
	}
	return times, nil
}

func (a tallies) Prune(ctx context.Context, before time.Time) (int64, error) {
	n, err := a.c.exec(ctx, "DELETE FROM tallies WHERE at < $1", micros(before))
	if err != nil {
		return 0, fmt.Errorf("prune tallies: %w", err)
	}
	return n, nil
}
