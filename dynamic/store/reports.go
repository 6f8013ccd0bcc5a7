package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

type reports struct{ c *conn }

var (
	reportList    = docs[catalog.Report]("reports", "created_at", "id")
	insertReports = newInsert("reports", "id entry_id state created_at doc",
		"ON CONFLICT (id) DO UPDATE SET state = excluded.state, doc = excluded.doc")
)

func (a reports) Put(ctx context.Context, list ...catalog.Report) error {
	list = lastOf(list, func(v *catalog.Report) string { return v.ID })
	return putDocs(ctx, a.c, insertReports, list, func(v *catalog.Report) []any {
		return []any{v.ID, v.EntryID, string(v.State), micros(v.CreatedAt)}
	})
}

func (a reports) Get(ctx context.Context, id string) (*catalog.Report, error) {
	return reportList.one(ctx, a.c, "id", id)
}

func (a reports) Open(ctx context.Context, after string, limit int) ([]catalog.Report, error) {
	text, args := "SELECT created_at, id, doc FROM reports WHERE state = 'OPEN'", []any{limit}
	if after != "" {
		text += " AND (created_at, id) > (SELECT created_at, id FROM reports WHERE id = $2)"
		args = append(args, after)
	}
	rows, err := reportList.rows(ctx, a.c, text+" ORDER BY created_at, id LIMIT $1", args)
	if err != nil {
		return nil, fmt.Errorf("open reports: %w", err)
	}
	return reportList.decodeAll(rows)
}

func (a reports) OpenOn(ctx context.Context, entryID string) (int, error) {
	return a.count(ctx, "SELECT COUNT(*) FROM reports WHERE state = 'OPEN' AND entry_id = $1", entryID)
}

func (a reports) CountOpen(ctx context.Context) (int, error) {
	return a.count(ctx, "SELECT COUNT(*) FROM reports WHERE state = 'OPEN'")
}

func (a reports) count(ctx context.Context, text string, args ...any) (n int, err error) {
	if err := a.c.query(ctx, func(s scanner) error { return s.Scan(&n) }, text, args...); err != nil {
		return 0, fmt.Errorf("count reports: %w", err)
	}
	return n, nil
}

type replays struct{ c *conn }

var insertReplays = newInsert("replays", "key at doc", "ON CONFLICT (key) DO NOTHING")

func (a replays) Put(ctx context.Context, list ...catalog.Replay) error {
	return putDocs(ctx, a.c, insertReplays, list, func(v *catalog.Replay) []any { return []any{v.Key, micros(v.At)} })
}

func (a replays) Get(ctx context.Context, keys ...string) (map[string]catalog.Replay, error) {
	found := map[string]catalog.Replay{}
	err := a.c.each(ctx, func(s scanner) error {
		var key string
		var doc sql.NullString
		var v catalog.Replay
		if err := s.Scan(&key, &doc); err != nil || !doc.Valid {
			return err
		}
		if err := decodeInto(doc.String, &v); err != nil {
			return err
		}
		found[key] = v
		return nil
	}, "SELECT doc FROM replays WHERE key = k", keys)
	if err != nil {
		return nil, fmt.Errorf("%d replays: %w", len(keys), err)
	}
	return found, nil
}

func (a replays) Prune(ctx context.Context, before time.Time) (int64, error) {
	n, err := a.c.exec(ctx, "DELETE FROM replays WHERE at < $1", micros(before))
	if err != nil {
		return 0, fmt.Errorf("prune replays: %w", err)
	}
	return n, nil
}
