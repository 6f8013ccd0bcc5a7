package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

func (a jobs) Lease(ctx context.Context, worker string, kinds []string, now, until time.Time, n int) ([]catalog.Job, error) {
	kinds = distinct(kinds)
	if len(kinds) == 0 || n <= 0 {
		return nil, nil
	}
	if due, err := a.due(ctx, kinds, now); err != nil || !due {
		return nil, err
	}
	if err := a.giveUp(ctx, kinds, now); err != nil {
		return nil, fmt.Errorf("lease for worker %q: %w", worker, err)
	}
	// MATERIALIZED keeps PostgreSQL from picking again for each row.
	text := "WITH due AS MATERIALIZED (SELECT id FROM jobs WHERE " + active +
		" AND run_at <= $1 AND kind IN " + places(5, len(kinds)) + " ORDER BY run_at, id LIMIT $2" + a.c.dialect.SkipLocked +
		") UPDATE jobs SET state = 'running', worker = $3, run_at = $4, attempt = attempt + 1" +
		" WHERE id IN (SELECT id FROM due) RETURNING " + jobColumns
	args := append([]any{micros(now), n, worker, micros(until)}, anys(kinds)...)
	list, err := a.read(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("lease for worker %q: %w", worker, err)
	}
	slices.SortFunc(list, func(a, b catalog.Job) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// due tells whether there may be a job to lease. A worker asks all the time, and
// nearly always in vain: reading costs much less than two changes of nothing.
func (a jobs) due(ctx context.Context, kinds []string, now time.Time) (found bool, err error) {
	err = a.c.queryFree(ctx, func(s scanner) error {
		var one int
		found = true
		return s.Scan(&one)
	}, "SELECT 1 FROM jobs WHERE "+active+" AND run_at <= $1 AND kind IN "+places(2, len(kinds))+" LIMIT 1", append([]any{micros(now)}, anys(kinds)...)...)
	if err != nil {
		return false, fmt.Errorf("look for due jobs: %w", err)
	}
	return found, nil
}

// giveUp fails the jobs whose worker vanished in the last attempt: a job that
// kills its workers must not go round for ever.
func (a jobs) giveUp(ctx context.Context, kinds []string, now time.Time) error {
	text := "WITH lost AS MATERIALIZED (SELECT id FROM jobs WHERE " + active +
		" AND state = 'running' AND run_at <= $1 AND attempt >= max_attempts AND kind IN " + places(2, len(kinds)) + a.c.dialect.SkipLocked +
		") UPDATE jobs SET state = 'failed', finished_at = $1, last_error = 'the lease of the last attempt ran out'" +
		" WHERE id IN (SELECT id FROM lost)"
	_, err := a.c.execFree(ctx, text, append([]any{micros(now)}, anys(kinds)...)...)
	return err
}

func (a jobs) Extend(ctx context.Context, id, worker string, until time.Time, progress json.RawMessage) error {
	if len(progress) > 0 && !json.Valid(progress) {
		return fmt.Errorf("extend job %q: progress is not JSON: %w", id, catalog.ErrInvalid)
	}
	return a.held(ctx, id, worker, `UPDATE jobs SET run_at = $3,
		progress = CASE WHEN $4 = '' THEN progress ELSE $4 END
		WHERE id = $1 AND worker = $2 AND state = 'running'`, micros(until), string(progress))
}

func (a jobs) Settle(ctx context.Context, id, worker string, now time.Time, failure error, retryAt time.Time) error {
	if failure == nil {
		return a.held(ctx, id, worker, `UPDATE jobs SET state = 'done', finished_at = $3, last_error = ''
			WHERE id = $1 AND worker = $2 AND state = 'running'`, micros(now))
	}
	reason := cleanText(failure.Error())
	if retryAt.IsZero() {
		return a.held(ctx, id, worker, `UPDATE jobs SET state = 'failed', finished_at = $3, last_error = $4
			WHERE id = $1 AND worker = $2 AND state = 'running'`, micros(now), reason)
	}
	return a.held(ctx, id, worker, `UPDATE jobs SET last_error = $4,
		state = CASE WHEN attempt < max_attempts THEN 'queued' ELSE 'failed' END,
		worker = CASE WHEN attempt < max_attempts THEN '' ELSE worker END,
		run_at = CASE WHEN attempt < max_attempts THEN CAST($5 AS BIGINT) ELSE run_at END,
		finished_at = CASE WHEN attempt < max_attempts THEN NULL ELSE CAST($3 AS BIGINT) END
		WHERE id = $1 AND worker = $2 AND state = 'running'`, micros(now), reason, micros(retryAt))
}

func (a jobs) GiveBack(ctx context.Context, id, worker string, now time.Time) error {
	return a.held(ctx, id, worker, `UPDATE jobs SET state = 'queued', worker = '', run_at = $3, attempt = attempt - 1
		WHERE id = $1 AND worker = $2 AND state = 'running'`, micros(now))
}

func (a jobs) Rewind(ctx context.Context, now time.Time) (int64, error) {
	planned := catalog.PlannedJobs()
	late := "run_at > $3 AND NOT (attempt = 0 AND kind IN " + places(4, len(planned)) + ")"
	n, err := a.c.execFree(ctx, "UPDATE jobs SET run_at = $1, created_at = CASE WHEN created_at > $2 THEN $1 ELSE created_at END WHERE "+active+
		" AND (state = 'running' AND run_at > $2 OR state = 'queued' AND ("+late+" OR created_at > $2 AND run_at > $1))",
		append([]any{micros(now), micros(now.Add(catalog.ClockSlack)), micros(now.Add(catalog.LongestDelay))}, anys(planned)...)...)
	if err != nil {
		return 0, fmt.Errorf("rewind jobs: %w", err)
	}
	return n, nil
}

// held runs a change of a job that only its present worker may make.
func (a jobs) held(ctx context.Context, id, worker, text string, args ...any) error {
	n, err := a.c.execFree(ctx, text, append([]any{id, worker}, args...)...)
	if err != nil {
		return fmt.Errorf("job %q of worker %q: %w", id, worker, err)
	}
	if n == 0 {
		return fmt.Errorf("job %q of worker %q: %w", id, worker, catalog.ErrLeaseLost)
	}
	return nil
}

func (a jobs) Cancel(ctx context.Context, id string, now time.Time) error {
	n, err := a.c.execFree(ctx, "UPDATE jobs SET state = 'cancelled', finished_at = $2 WHERE id = $1 AND "+active, id, micros(now))
	if err != nil {
		return fmt.Errorf("cancel job %q: %w", id, err)
	}
	if n > 0 {
		return nil
	}
	job, err := a.Get(ctx, id)
	if err != nil {
		return fmt.Errorf("cancel: %w", err)
	}
	return fmt.Errorf("cancel job %q: it is %s: %w", id, job.State, catalog.ErrConflict)
}

// cleanText makes a foreign error message fit for a text column.
func cleanText(s string) string {
	const limit = 2000
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "?")
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return s
}

func places(first, n int) string {
	var b strings.Builder
	writePlaces(&b, first, n)
	return b.String()
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func (a jobs) Prune(ctx context.Context, before time.Time) (int64, error) {
	n, err := a.c.execFree(ctx, "DELETE FROM jobs WHERE NOT ("+active+") AND finished_at < $1", micros(before))
	if err != nil {
		return 0, fmt.Errorf("prune jobs: %w", err)
	}
	return n, nil
}

func (a jobs) Count(ctx context.Context) (map[catalog.JobState]int, error) {
	counts := map[catalog.JobState]int{}
	err := a.c.queryFree(ctx, func(s scanner) error {
		var state catalog.JobState
		var n int
		err := s.Scan(&state, &n)
		counts[state] = n
		return err
	}, "SELECT state, COUNT(*) FROM jobs GROUP BY state")
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	return counts, nil
}
