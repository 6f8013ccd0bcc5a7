package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

type checks struct{ c *conn }

var (
	checkList    = docs[catalog.Check]("checks", "entry_id", "at")
	insertChecks = newInsert("checks", "entry_id at doc", "ON CONFLICT (entry_id, at) DO NOTHING")

	checkDayList    = docs[catalog.CheckDay]("check_days", "entry_id", "day")
	insertCheckDays = newInsert("check_days", "entry_id day checks doc",
		"ON CONFLICT (entry_id, day) DO UPDATE SET checks = excluded.checks, doc = excluded.doc WHERE excluded.checks > check_days.checks")
)

func (a checks) Append(ctx context.Context, list ...catalog.Check) error {
	return putDocs(ctx, a.c, insertChecks, list, func(v *catalog.Check) []any { return []any{v.EntryID, micros(v.At)} })
}

func (a checks) Scan(ctx context.Context, r catalog.Range, since time.Time, fn func(*catalog.Check) error) error {
	return checkList.scan(ctx, a.c, r, &filter{"at >= %s", micros(since)}, fn)
}

func (a checks) Prune(ctx context.Context, before time.Time) (int64, error) {
	n, err := a.c.exec(ctx, "DELETE FROM checks WHERE at < $1", micros(before))
	if err != nil {
		return 0, fmt.Errorf("prune checks before %s: %w", before, err)
	}
	return n, nil
}

func (a checks) Between(ctx context.Context, from, to time.Time, fn func(*catalog.Check) error) error {
	err := a.c.query(ctx, func(s scanner) error {
		var doc string
		if err := s.Scan(&doc); err != nil {
			return err
		}
		var v catalog.Check
		if err := decodeInto(doc, &v); err != nil {
			return err
		}
		return fn(&v)
	}, "SELECT doc FROM checks WHERE at >= $1 AND at < $2 ORDER BY entry_id, at", micros(from), micros(to))
	if err != nil {
		return fmt.Errorf("checks from %s to %s: %w", from, to, err)
	}
	return nil
}

func (a checks) Oldest(ctx context.Context) (time.Time, error) {
	var at sql.NullInt64
	err := a.c.query(ctx, func(s scanner) error { return s.Scan(&at) }, "SELECT MIN(at) FROM checks")
	if err != nil {
		return time.Time{}, fmt.Errorf("oldest check: %w", err)
	}
	return fromNull(at), nil
}

func (a checks) PutDays(ctx context.Context, list ...catalog.CheckDay) error {
	most := map[string]catalog.CheckDay{}
	for _, d := range list {
		key := d.EntryID + "\n" + d.Day
		if had, ok := most[key]; !ok || d.Checks > had.Checks {
			most[key] = d
		}
	}
	list = list[:0:0]
	for _, key := range slices.Sorted(maps.Keys(most)) {
		list = append(list, most[key])
	}
	return putDocs(ctx, a.c, insertCheckDays, list, func(v *catalog.CheckDay) []any { return []any{v.EntryID, v.Day, v.Checks} })
}

func (a checks) ScanDays(ctx context.Context, r catalog.Range, fn func(*catalog.CheckDay) error) error {
	return checkDayList.scan(ctx, a.c, r, nil, fn)
}
