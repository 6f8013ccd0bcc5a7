package store

import (
	"context"
	"fmt"
	"strconv"

	"github.com/assay-register/assay/render/catalog"
)

type runs struct{ c *conn }

var (
	runList = &listing[catalog.HarvestRun]{from: "harvest_runs", keys: []string{"source_id", "started_at", "id"}, rest: []string{"doc"}, page: 64,
		decode: func(row []any, out *catalog.HarvestRun, shared bool) error { return decodeDoc(row[3], out, shared) }}
	insertRuns = newInsert("harvest_runs", "id source_id started_at doc",
		"ON CONFLICT (id) DO UPDATE SET source_id = excluded.source_id, started_at = excluded.started_at, doc = excluded.doc")
	insertSeen = newInsert("harvest_seen", "run_id name", "ON CONFLICT DO NOTHING")
)

func (a runs) Put(ctx context.Context, list ...catalog.HarvestRun) error {
	list = lastOf(list, func(v *catalog.HarvestRun) string { return v.ID })
	docs, err := encode(list)
	if err != nil {
		return err
	}
	var values []any
	var ended []string
	for i := range list {
		r := &list[i]
		if r.ID == "" || r.SourceID == "" {
			return fmt.Errorf("put run %q of source %q: both are required: %w", r.ID, r.SourceID, catalog.ErrInvalid)
		}
		if !r.Resumable() {
			ended = append(ended, r.ID)
		}
		values = append(values, r.ID, r.SourceID, micros(r.StartedAt), docs[i])
	}
	if _, err := a.c.insertRows(ctx, insertRuns, values); err != nil {
		return fmt.Errorf("put %d harvest runs: %w", len(list), err)
	}
	for _, id := range ended {
		if _, err := a.c.exec(ctx, "DELETE FROM harvest_seen WHERE run_id = $1", id); err != nil {
			return fmt.Errorf("end run %s: %w", id, err)
		}
	}
	return nil
}

func (a runs) Get(ctx context.Context, id string) (*catalog.HarvestRun, error) {
	return runList.one(ctx, a.c, "id", id)
}

func (a runs) Latest(ctx context.Context, sourceID string, limit int) ([]catalog.HarvestRun, error) {
	var docs []string
	err := a.c.query(ctx, func(s scanner) error {
		var doc string
		err := s.Scan(&doc)
		docs = append(docs, doc)
		return err
	}, "SELECT doc FROM harvest_runs WHERE source_id = $1 ORDER BY started_at DESC, id DESC LIMIT "+strconv.Itoa(max(0, limit)), sourceID)
	list := make([]catalog.HarvestRun, len(docs))
	for i := range docs {
		if err == nil {
			err = decodeInto(docs[i], &list[i])
		}
	}
	if err != nil {
		return nil, fmt.Errorf("runs of source %s: %w", sourceID, err)
	}
	return list, nil
}

func (a runs) Scan(ctx context.Context, fn func(*catalog.HarvestRun) error) error {
	return runList.scan(ctx, a.c, catalog.Range{}, nil, fn)
}

func (a runs) Prune(ctx context.Context, sourceID string, keep int) (int64, error) {
	old := "(SELECT id FROM harvest_runs WHERE source_id = $1 AND id NOT IN " +
		"(SELECT id FROM harvest_runs WHERE source_id = $1 ORDER BY started_at DESC, id DESC LIMIT " + strconv.Itoa(max(0, keep)) + "))"
	if _, err := a.c.exec(ctx, "DELETE FROM harvest_seen WHERE run_id IN "+old, sourceID); err != nil {
		return 0, fmt.Errorf("prune runs of source %s: %w", sourceID, err)
	}
	n, err := a.c.exec(ctx, "DELETE FROM harvest_runs WHERE id IN "+old, sourceID)
	if err != nil {
		return 0, fmt.Errorf("prune runs of source %s: %w", sourceID, err)
	}
	return n, nil
}

func (a runs) See(ctx context.Context, runID string, names ...string) error {
	names = distinct(names)
	values := make([]any, 0, 2*len(names))
	for _, name := range names {
		if runID == "" || name == "" || len(name) > longKey {
			return fmt.Errorf("run %q has met %.80q: both are required, at most %d bytes: %w", runID, name, longKey, catalog.ErrInvalid)
		}
		values = append(values, runID, name)
	}
	if _, err := a.c.insertRows(ctx, insertSeen, values); err != nil {
		return fmt.Errorf("run %s has met %d keys: %w", runID, len(names), err)
	}
	return nil
}

func (a runs) Seen(ctx context.Context, runID string, fn func(key string) error) error {
	const page = 1000
	for after := ""; ; {
		var keys []string
		err := a.c.query(ctx, func(s scanner) error {
			var key string
			err := s.Scan(&key)
			keys = append(keys, key)
			return err
		}, "SELECT name FROM harvest_seen WHERE run_id = $1 AND name > $2 ORDER BY name LIMIT "+strconv.Itoa(page), runID, after)
		if err != nil {
			return fmt.Errorf("what run %s has met: %w", runID, err)
		}
		for _, key := range keys {
			if err := fn(key); err != nil {
				return err
			}
		}
		if len(keys) < page {
			return nil
		}
		after = keys[len(keys)-1]
	}
}
