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
	reportsOf     = docs[catalog.Report]("reports", "entry_id", "created_at", "id")
	insertReports = newInsert("reports", "id entry_id state created_at public doc",
		"ON CONFLICT (id) DO UPDATE SET state = excluded.state, public = excluded.public, doc = excluded.doc")
)

// undecided is the condition that the partial indexes of open reports have.
const undecided = "state IN ('OPEN', 'ACCEPTED')"

func (a reports) Put(ctx context.Context, list ...catalog.Report) error {
	list = lastOf(list, func(v *catalog.Report) string { return v.ID })
	return putDocs(ctx, a.c, insertReports, list, func(v *catalog.Report) []any {
		return []any{v.ID, v.EntryID, string(v.State), micros(v.CreatedAt), number(v.Public())}
	})
}

func (a reports) Get(ctx context.Context, id string) (*catalog.Report, error) {
	return reportList.one(ctx, a.c, "id", id)
}

func (a reports) Open(ctx context.Context, after string, limit int) ([]catalog.Report, error) {
	text, args := "SELECT created_at, id, doc FROM reports WHERE "+undecided, []any{limit}
	if after != "" {
		text += " AND (created_at, id) > (SELECT created_at, id FROM reports WHERE id = $2)"
		args = append(args, after)
	}
	return readDocs(ctx, a.c, reportList, text+" ORDER BY created_at, id LIMIT $1", args...)
}

func (a reports) OpenOn(ctx context.Context, entryID string) (int, error) {
	return a.count(ctx, "SELECT COUNT(*) FROM reports WHERE "+undecided+" AND entry_id = $1", entryID)
}

func (a reports) CountOpen(ctx context.Context) (int, error) {
	return a.count(ctx, "SELECT COUNT(*) FROM reports WHERE "+undecided)
}

func (a reports) Of(ctx context.Context, entryID string) ([]catalog.Report, error) {
	return readDocs(ctx, a.c, reportList, "SELECT created_at, id, doc FROM reports WHERE entry_id = $1 ORDER BY created_at, id", entryID)
}

func (a reports) Published(ctx context.Context, before string, limit int) ([]catalog.Report, error) {
	text, args := "SELECT created_at, id, doc FROM reports WHERE public = 1", []any{limit}
	if before != "" {
		text += " AND (created_at, id) < (SELECT created_at, id FROM reports WHERE id = $2)"
		args = append(args, before)
	}
	return readDocs(ctx, a.c, reportList, text+" ORDER BY created_at DESC, id DESC LIMIT $1", args...)
}

func (a reports) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.Report) error) error {
	return reportsOf.scan(ctx, a.c, r, &filter{"public = %s", 1}, fn)
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
