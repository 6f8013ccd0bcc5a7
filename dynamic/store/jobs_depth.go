package store

import (
	"context"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

func (a jobs) Depth(ctx context.Context) ([]catalog.JobCount, error) {
	var counts []catalog.JobCount
	err := a.c.queryFree(ctx, func(s scanner) error {
		var c catalog.JobCount
		var since int64
		err := s.Scan(&c.Kind, &c.State, &c.Jobs, &since)
		c.Since = fromMicros(since)
		counts = append(counts, c)
		return err
	}, "SELECT kind, state, COUNT(*), MIN(run_at) FROM jobs GROUP BY kind, state ORDER BY kind, state")
	if err != nil {
		return nil, fmt.Errorf("depth of the job queue: %w", err)
	}
	return counts, nil
}
