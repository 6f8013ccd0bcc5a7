package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

type rawRecords struct{ c *conn }

var (
	insertRawRecords = newInsert("raw_records", "entry_id source_id sha256 media size since until",
		"ON CONFLICT (entry_id, source_id, sha256) DO UPDATE SET since = excluded.since, until = 0")
	insertRawBodies = newInsert("raw_bodies", "sha256 body", "ON CONFLICT (sha256) DO NOTHING")
)

const presentRaw = "SELECT entry_id, source_id, sha256 FROM raw_records WHERE until = 0 AND entry_id IN %s"

func (a rawRecords) Put(ctx context.Context, list ...catalog.RawRecord) error {
	list = lastOf(list, func(r *catalog.RawRecord) string { return r.EntryID + "\n" + r.SourceID })
	ids := make([]string, len(list))
	for i := range list {
		if r := &list[i]; r.EntryID == "" || r.SourceID == "" || len(r.SHA256) != 64 {
			return fmt.Errorf("put the record of entry %q and source %q: a key is empty: %w", r.EntryID, r.SourceID, catalog.ErrInvalid)
		}
		ids[i] = list[i].EntryID
	}
	present := map[[2]string]string{}
	err := a.c.in(ctx, func(s scanner) error {
		var entry, source, sum string
		err := s.Scan(&entry, &source, &sum)
		present[[2]string{entry, source}] = sum
		return err
	}, presentRaw, ids)
	if err != nil {
		return fmt.Errorf("read %d records: %w", len(list), err)
	}
	return a.replace(ctx, list, present)
}

// replace stores those records that are not the present ones.
func (a rawRecords) replace(ctx context.Context, list []catalog.RawRecord, present map[[2]string]string) error {
	var rows, bodies []any
	seen := map[string]bool{}
	for i := range list {
		r := &list[i]
		was := present[[2]string{r.EntryID, r.SourceID}]
		if was == r.SHA256 {
			continue
		}
		if was != "" {
			_, err := a.c.exec(ctx, "UPDATE raw_records SET until = $1 WHERE entry_id = $2 AND source_id = $3 AND sha256 = $4",
				micros(r.ObservedAt), r.EntryID, r.SourceID, was)
			if err != nil {
				return fmt.Errorf("supersede the record of entry %s: %w", r.EntryID, err)
			}
		}
		rows = append(rows, r.EntryID, r.SourceID, r.SHA256, r.Media, r.Size, micros(r.ObservedAt), 0)
		if r.Body != nil && !seen[r.SHA256] {
			seen[r.SHA256] = true
			bodies = append(bodies, r.SHA256, r.Body)
		}
	}
	if _, err := a.c.insertRows(ctx, insertRawRecords, rows); err != nil {
		return fmt.Errorf("put %d records: %w", len(list), err)
	}
	if _, err := a.c.insertRows(ctx, insertRawBodies, bodies); err != nil {
		return fmt.Errorf("put the bytes of %d records: %w", len(list), err)
	}
	return nil
}

func (a rawRecords) Of(ctx context.Context, entryID string) (list []catalog.RawRecord, err error) {
	err = a.c.query(ctx, func(s scanner) error {
		r := catalog.RawRecord{EntryID: entryID}
		var since, until int64
		err := s.Scan(&r.SourceID, &r.SHA256, &r.Media, &r.Size, &since, &until)
		r.ObservedAt = fromMicros(since)
		if until > 0 {
			r.SupersededAt = fromMicros(until)
		}
		list = append(list, r)
		return err
	}, "SELECT source_id, sha256, media, size, since, until FROM raw_records WHERE entry_id = $1"+
		" ORDER BY CASE WHEN until = 0 THEN 0 ELSE 1 END, until DESC, source_id, sha256", entryID)
	if err != nil {
		return nil, fmt.Errorf("records of entry %s: %w", entryID, err)
	}
	return list, nil
}

func (a rawRecords) Body(ctx context.Context, sum string) (body []byte, err error) {
	found := false
	err = a.c.query(ctx, func(s scanner) error {
		found = true
		return s.Scan(&body)
	}, "SELECT body FROM raw_bodies WHERE sha256 = $1", sum)
	if err == nil && !found {
		err = a.c.query(ctx, func(s scanner) error {
			found = true
			var one int
			return s.Scan(&one)
		}, "SELECT 1 FROM raw_records WHERE sha256 = $1 LIMIT 1", sum)
	}
	if err == nil && !found {
		err = catalog.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", sum, err)
	}
	return body, nil
}

func (a rawRecords) Forget(ctx context.Context, entryIDs ...string) error {
	for _, id := range entryIDs {
		if _, err := a.drop(ctx, "entry_id = $1", id); err != nil {
			return fmt.Errorf("forget the records of entry %s: %w", id, err)
		}
	}
	return nil
}

func (a rawRecords) Prune(ctx context.Context, before time.Time) (int64, error) {
	n, err := a.drop(ctx, "until > 0 AND until < $1", micros(before))
	if err != nil {
		return 0, fmt.Errorf("prune records: %w", err)
	}
	return n, nil
}

// drop deletes the records for which a condition holds, and the bytes that no other has.
func (a rawRecords) drop(ctx context.Context, where string, arg any) (n int64, err error) {
	var sums []string
	err = a.c.query(ctx, func(s scanner) error {
		var sum string
		err := s.Scan(&sum)
		sums = append(sums, sum)
		return err
	}, "SELECT DISTINCT sha256 FROM raw_records WHERE "+where+" ORDER BY sha256", arg)
	if err != nil || len(sums) == 0 {
		return 0, err
	}
	if n, err = a.c.exec(ctx, "DELETE FROM raw_records WHERE "+where, arg); err != nil {
		return 0, err
	}
	const orphans = "DELETE FROM raw_bodies WHERE sha256 IN %s AND NOT EXISTS (SELECT 1 FROM raw_records WHERE raw_records.sha256 = raw_bodies.sha256)"
	for list := range slices.Chunk(sums, batchRows) {
		if _, err := a.c.exec(ctx, inText(orphans, len(list)), padded(list)...); err != nil {
			return 0, err
		}
	}
	return n, nil
}
