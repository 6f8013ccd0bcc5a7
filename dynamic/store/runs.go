package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

type runs struct{ c *conn }

var (
	runList    = &listing[catalog.HarvestRun]{from: "harvest_runs", keys: []string{"source_id", "started_at", "id"}, rest: []string{"doc", "owner", "lease_until"}, page: 64, decode: decodeRun}
	insertRuns = newInsert("harvest_runs", "id source_id started_at doc owner lease_until", "ON CONFLICT (id) DO UPDATE SET source_id = excluded.source_id,"+
		" started_at = excluded.started_at, doc = excluded.doc, owner = excluded.owner, lease_until = excluded.lease_until")
	insertSeen = newInsert("harvest_seen", "run_id name", "ON CONFLICT DO NOTHING")
)

func decodeRun(row []any, out *catalog.HarvestRun, shared bool) error {
	if err := decodeDoc(row[3], out, shared); err != nil {
		return err
	}
	owner, ok := row[4].(string)
	if !ok {
		return fmt.Errorf("the owner of a run is %T", row[4])
	}
	out.Owner = strings.Clone(owner)
	if until, ok := row[5].(int64); ok {
		out.LeaseUntil = fromMicros(until)
	}
	return nil
}

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
		values = append(values, r.ID, r.SourceID, micros(r.StartedAt), docs[i], r.Owner, microsOrNull(r.LeaseUntil))
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
	var list []catalog.HarvestRun
	err := a.c.query(ctx, func(s scanner) error {
		var doc, owner string
		var until sql.NullInt64
		if err := s.Scan(&doc, &owner, &until); err != nil {
			return err
		}
		var run catalog.HarvestRun
		err := decodeInto(doc, &run)
		run.Owner, run.LeaseUntil = owner, fromNull(until)
		list = append(list, run)
		return err
	}, "SELECT doc, owner, lease_until FROM harvest_runs WHERE source_id = $1 ORDER BY started_at DESC, id DESC LIMIT "+strconv.Itoa(max(0, limit)), sourceID)
	if err != nil {
		return nil, fmt.Errorf("runs of source %s: %w", sourceID, err)
	}
	return list, nil
}

// Hold does not take the write lock: a harvest that is alive must be able to say
// so while another one writes.
func (a runs) Hold(ctx context.Context, id, owner string, until time.Time) error {
	n, err := a.c.execFree(ctx, "UPDATE harvest_runs SET lease_until = $3 WHERE id = $1 AND owner = $2 AND owner <> ''", id, owner, micros(until))
	if err != nil {
		return fmt.Errorf("hold run %s: %w", id, err)
	}
	if n == 0 {
		return fmt.Errorf("run %s of %q: %w", id, owner, catalog.ErrLeaseLost)
	}
	return nil
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
