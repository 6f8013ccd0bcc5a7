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

// probes takes hosts without the write lock, as jobs does: a row that another
// worker is taking is passed by.
type probes struct{ c *conn }

var (
	probeList = listing[catalog.Probe]{from: "probes", keys: []string{"entry_id"}, rest: []string{"host", "due_at", "failed_at", "survey_at"},
		page: 4096, decode: decodeProbe}
	insertProbes = newInsert("probes", "entry_id host due_at failed_at survey_at",
		"ON CONFLICT (entry_id) DO UPDATE SET host = excluded.host, due_at = excluded.due_at, failed_at = NULL, survey_at = NULL WHERE probes.host <> excluded.host")
	insertHosts = newInsert("probe_hosts", "host due_at worker free_at", "ON CONFLICT (host) DO UPDATE SET due_at = excluded.due_at"+
		" WHERE probe_hosts.due_at IS NULL OR excluded.due_at < probe_hosts.due_at")
)

func decodeProbe(row []any, out *catalog.Probe, _ bool) error {
	id, ok1 := row[0].(string)
	host, ok2 := row[1].(string)
	due, ok3 := row[2].(int64)
	if !ok1 || !ok2 || !ok3 {
		return fmt.Errorf("decode probe: the columns hold %T, %T, %T", row[0], row[1], row[2])
	}
	*out = catalog.Probe{EntryID: id, Host: host, DueAt: fromMicros(due)}
	if failed, ok := row[3].(int64); ok {
		out.FailedAt = fromMicros(failed)
	}
	if survey, ok := row[4].(int64); ok {
		out.SurveyAt = fromMicros(survey)
	}
	return nil
}

func (a probes) Plan(ctx context.Context, list ...catalog.Probe) error {
	var gone []string
	var rows, hosts []any
	earliest := map[string]time.Time{}
	for _, p := range lastOf(list, func(p *catalog.Probe) string { return p.EntryID }) {
		switch {
		case p.EntryID == "":
			return fmt.Errorf("plan a probe on host %q: no entry: %w", p.Host, catalog.ErrInvalid)
		case p.Host == "":
			gone = append(gone, p.EntryID)
			continue
		}
		rows = append(rows, p.EntryID, p.Host, micros(p.DueAt), microsOrNull(p.FailedAt), microsOrNull(p.SurveyAt))
		if at, ok := earliest[p.Host]; !ok || p.DueAt.Before(at) {
			earliest[p.Host] = p.DueAt
		}
	}
	for _, host := range slices.Sorted(maps.Keys(earliest)) {
		hosts = append(hosts, host, micros(earliest[host]), "", 0)
	}
	return a.c.atomic(ctx, func() error {
		for part := range slices.Chunk(gone, batchRows) {
			if _, err := a.c.exec(ctx, "DELETE FROM probes WHERE entry_id IN "+places(1, len(part)), anys(part)...); err != nil {
				return fmt.Errorf("take %d entries out of the timetable: %w", len(part), err)
			}
		}
		if _, err := a.c.insertRows(ctx, insertProbes, rows); err != nil {
			return fmt.Errorf("plan %d probes: %w", len(list), err)
		}
		_, err := a.c.insertRows(ctx, insertHosts, hosts)
		return err
	})
}

func (a probes) Advance(ctx context.Context, at time.Time, entryIDs ...string) error {
	const entries = "UPDATE probes SET due_at = $1 WHERE due_at > $1 AND failed_at IS NULL"
	const hosts = "UPDATE probe_hosts SET due_at = $1 WHERE due_at > $1"
	return a.c.atomic(ctx, func() error {
		if len(entryIDs) == 0 {
			return a.advance(ctx, entries, hosts, micros(at))
		}
		for part := range slices.Chunk(distinct(entryIDs), batchRows) {
			in := " entry_id IN " + places(2, len(part))
			args := append([]any{micros(at)}, anys(part)...)
			if err := a.advance(ctx, entries+" AND"+in, hosts+" AND host IN (SELECT host FROM probes WHERE"+in+")", args...); err != nil {
				return err
			}
		}
		return nil
	})
}

func (a probes) advance(ctx context.Context, entries, hosts string, args ...any) error {
	for _, text := range []string{entries, hosts} {
		if _, err := a.c.exec(ctx, text, args...); err != nil {
			return fmt.Errorf("advance probes: %w", err)
		}
	}
	return nil
}

func (a probes) Due(ctx context.Context, at time.Time) (n int, err error) {
	err = a.c.queryFree(ctx, func(s scanner) error { return s.Scan(&n) }, "SELECT COUNT(*) FROM probes WHERE due_at <= $1", micros(at))
	if err != nil {
		return 0, fmt.Errorf("count due probes: %w", err)
	}
	return n, nil
}

func (a probes) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.Probe) error) error {
	return probeList.scan(ctx, a.c, r, nil, fn)
}

func (a probes) Hosts(ctx context.Context, fn func(*catalog.ProbeHost) error) error {
	err := a.c.query(ctx, func(s scanner) error {
		var h catalog.ProbeHost
		var down, failing sql.NullInt64
		if err := s.Scan(&h.Host, &h.Entries, &down, &failing); err != nil {
			return err
		}
		h.DownSince, h.FailingAt = fromNull(down), fromNull(failing)
		return fn(&h)
	}, "SELECT h.host, n.entries, h.down_since, h.failing_at FROM probe_hosts h"+
		" JOIN (SELECT host, COUNT(*) AS entries FROM probes GROUP BY host) n ON n.host = h.host ORDER BY h.host")
	if err != nil {
		return fmt.Errorf("hosts of the probes: %w", err)
	}
	return nil
}
