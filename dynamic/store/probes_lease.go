package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

func (a probes) Lease(ctx context.Context, r catalog.LeaseRequest) ([]catalog.HostLease, error) {
	if r.Hosts <= 0 {
		return nil, nil
	}
	args := []any{micros(r.Now), r.Hosts, r.Worker, micros(r.Until)}
	among := ""
	if len(r.Among) > 0 {
		among = " AND host IN " + places(len(args)+1, len(r.Among))
		args = append(args, anys(r.Among)...)
	}
	// MATERIALIZED keeps PostgreSQL from picking again for each row.
	text := "WITH due AS MATERIALIZED (SELECT host FROM probe_hosts WHERE due_at <= $1 AND free_at <= $1" + among +
		" ORDER BY due_at, host LIMIT $2" + a.c.dialect.SkipLocked +
		") UPDATE probe_hosts SET worker = $3, free_at = $4 WHERE host IN (SELECT host FROM due) RETURNING host, down_since, failing_at"
	leases := map[string]*catalog.HostLease{}
	err := a.c.queryFree(ctx, func(s scanner) error {
		l := catalog.HostLease{Worker: r.Worker, Until: r.Until}
		var down, failing sql.NullInt64
		err := s.Scan(&l.Host, &down, &failing)
		l.DownSince, l.FailingAt = fromNull(down), fromNull(failing)
		leases[l.Host] = &l
		return err
	}, text, args...)
	if err != nil {
		return nil, fmt.Errorf("lease hosts for worker %q: %w", r.Worker, err)
	}
	if err := a.fill(ctx, leases, r); err != nil {
		return nil, fmt.Errorf("due probes for worker %q: %w", r.Worker, err)
	}
	list := make([]catalog.HostLease, 0, len(leases))
	for _, host := range slices.Sorted(maps.Keys(leases)) {
		list = append(list, *leases[host])
	}
	return list, nil
}

// fill reads the due probes of leased hosts, and how many they have in all.
func (a probes) fill(ctx context.Context, leases map[string]*catalog.HostLease, r catalog.LeaseRequest) error {
	for part := range slices.Chunk(slices.Sorted(maps.Keys(leases)), batchRows) {
		err := a.c.queryFree(ctx, func(s scanner) error {
			var host string
			var n int
			err := s.Scan(&host, &n)
			if err == nil {
				leases[host].Entries = n
			}
			return err
		}, "SELECT host, COUNT(*) FROM probes WHERE host IN "+places(1, len(part))+" GROUP BY host", anys(part)...)
		if err != nil {
			return err
		}
		const text = "SELECT entry_id, host, due_at, failed_at, survey_at FROM (SELECT entry_id, host, due_at, failed_at, survey_at, ROW_NUMBER() OVER" +
			" (PARTITION BY host ORDER BY CASE WHEN failed_at IS NULL THEN 1 ELSE 0 END, due_at, entry_id) AS place" +
			" FROM probes WHERE due_at <= $1 AND host IN %s) AS due WHERE place <= $2 ORDER BY host, place"
		err = a.c.queryFree(ctx, func(s scanner) error {
			var p catalog.Probe
			var due int64
			var failed, survey sql.NullInt64
			if err := s.Scan(&p.EntryID, &p.Host, &due, &failed, &survey); err != nil {
				return err
			}
			p.DueAt, p.FailedAt, p.SurveyAt = fromMicros(due), fromNull(failed), fromNull(survey)
			leases[p.Host].Due = append(leases[p.Host].Due, p)
			return nil
		}, strings.Replace(text, "%s", places(3, len(part)), 1), append([]any{micros(r.Now), r.Each}, anys(part)...)...)
		if err != nil {
			return err
		}
	}
	return nil
}

// Hold passes by a row that another worker is taking: its lease is lost.
func (a probes) Hold(ctx context.Context, hosts ...string) (map[string]string, error) {
	held := map[string]string{}
	for part := range slices.Chunk(distinct(hosts), batchRows) {
		err := a.c.query(ctx, func(s scanner) error {
			var host, worker string
			err := s.Scan(&host, &worker)
			held[host] = worker
			return err
		}, "SELECT host, worker FROM probe_hosts WHERE worker <> '' AND host IN "+places(1, len(part))+a.c.dialect.SkipLocked, anys(part)...)
		if err != nil {
			return nil, fmt.Errorf("workers of %d hosts: %w", len(part), err)
		}
	}
	return held, nil
}

func (a probes) Settle(ctx context.Context, list ...catalog.HostSettled) error {
	var rows, hosts [][]any
	for i := range list {
		h := &list[i]
		for _, p := range h.Probes {
			rows = append(rows, []any{p.EntryID, h.Host, micros(p.DueAt), microsOrNull(p.FailedAt), microsOrNull(p.SurveyAt)})
		}
		var free any
		if h.Release {
			free = micros(h.FreeAt)
		}
		hosts = append(hosts, []any{h.Host, free, microsOrNull(h.DownSince), microsOrNull(h.FailingAt), h.Worker})
	}
	return a.c.atomic(ctx, func() error {
		for part := range slices.Chunk(rows, batchRows) {
			if _, err := a.c.exec(ctx, settleProbes(len(part)), slices.Concat(part...)...); err != nil {
				return fmt.Errorf("settle %d probes: %w", len(part), err)
			}
		}
		for part := range slices.Chunk(hosts, batchRows) {
			if _, err := a.c.exec(ctx, settleHosts(len(part)), slices.Concat(part...)...); err != nil {
				return fmt.Errorf("settle %d hosts: %w", len(part), err)
			}
		}
		return nil
	})
}

func settleProbes(rows int) string {
	return "WITH next (entry_id, host, due_at, failed_at, survey_at) AS" +
		" (VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT))" + furtherRows(rows, 5) +
		") UPDATE probes SET due_at = next.due_at, failed_at = next.failed_at, survey_at = next.survey_at FROM next" +
		" WHERE probes.entry_id = next.entry_id AND probes.host = next.host"
}

// settleHosts has rows of five places. A host that has no probes left is due no more.
func settleHosts(rows int) string {
	return "WITH done (host, free_at, down_since, failing_at, worker) AS (VALUES (CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS TEXT))" +
		furtherRows(rows, 5) + ") UPDATE probe_hosts SET down_since = done.down_since, failing_at = done.failing_at," +
		" due_at = (SELECT MIN(p.due_at) FROM probes p WHERE p.host = probe_hosts.host)," +
		" worker = CASE WHEN done.free_at IS NULL THEN probe_hosts.worker ELSE '' END," +
		" free_at = CASE WHEN done.free_at IS NULL THEN probe_hosts.free_at ELSE done.free_at END" +
		" FROM done WHERE probe_hosts.host = done.host AND probe_hosts.worker = done.worker"
}

// furtherRows are the places of the rows of VALUES behind the first one, which
// names the types: PostgreSQL takes untyped places for text.
func furtherRows(rows, width int) string {
	var b strings.Builder
	for r := 1; r < rows; r++ {
		b.WriteString(", ")
		writePlaces(&b, width*r+1, width)
	}
	return b.String()
}
