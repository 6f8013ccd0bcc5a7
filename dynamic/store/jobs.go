package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// jobs never takes the write lock: each of its changes is one statement that
// checks the state it changes, so workers do not wait for a running import.
type jobs struct{ c *conn }

const jobColumns = "id, kind, unique_key, payload, state, run_at, attempt, max_attempts, worker, last_error, progress, created_at, finished_at"

// active is the condition of the partial indexes of jobs, word by word.
const active = "state IN ('queued', 'running')"

func (a jobs) Get(ctx context.Context, id string) (*catalog.Job, error) {
	list, err := a.read(ctx, "SELECT "+jobColumns+" FROM jobs WHERE id = $1", id)
	if err != nil {
		return nil, fmt.Errorf("job %q: %w", id, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("job %q: %w", id, catalog.ErrNotFound)
	}
	return &list[0], nil
}

// List gives at most Limit jobs behind the job After; no limit gives all.
func (a jobs) List(ctx context.Context, f catalog.JobFilter) ([]catalog.Job, error) {
	var conds []string
	var args []any
	where := func(cond string, arg any) {
		args = append(args, arg)
		conds = append(conds, strings.ReplaceAll(cond, "%s", "$"+strconv.Itoa(len(args))))
	}
	if f.Kind != "" {
		where("kind = %s", f.Kind)
	}
	if f.State != "" {
		where("state = %s", string(f.State))
	}
	if f.After != "" {
		where("(created_at, id) > (SELECT created_at, id FROM jobs WHERE id = %s)", f.After)
	}
	text := "SELECT " + jobColumns + " FROM jobs"
	if len(conds) > 0 {
		text += " WHERE " + strings.Join(conds, " AND ")
	}
	text += " ORDER BY created_at, id"
	if f.Limit > 0 {
		text += " LIMIT " + strconv.Itoa(f.Limit)
	}
	list, err := a.read(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	return list, nil
}

func (a jobs) Enqueue(ctx context.Context, list ...catalog.Job) ([]string, error) {
	var stored []string
	for part := range slices.Chunk(list, batchRows) {
		var values []any
		for i := range part {
			row, err := jobRow(&part[i])
			if err != nil {
				return nil, err
			}
			values = append(values, row...)
		}
		i := newInsert("jobs", strings.ReplaceAll(jobColumns, ",", " "), "ON CONFLICT DO NOTHING RETURNING id")
		known := make(map[string]bool, len(part))
		err := a.c.queryFree(ctx, func(s scanner) error {
			var id string
			err := s.Scan(&id)
			known[id] = true
			return err
		}, i.text(len(part)), values...)
		if err != nil {
			return nil, fmt.Errorf("enqueue %d jobs: %w", len(list), err)
		}
		for k := range part {
			if known[part[k].ID] {
				stored = append(stored, part[k].ID)
				delete(known, part[k].ID)
			}
		}
	}
	return stored, nil
}

// jobRow gives the values of a job as it enters the queue: not yet tried.
func jobRow(j *catalog.Job) ([]any, error) {
	switch {
	case j.ID == "" || j.Kind == "":
		return nil, fmt.Errorf("enqueue job %q of kind %q: id and kind are required: %w", j.ID, j.Kind, catalog.ErrInvalid)
	case len(j.UniqueKey) > longKey:
		return nil, fmt.Errorf("enqueue job %q: unique key of %d bytes: %w", j.ID, len(j.UniqueKey), catalog.ErrInvalid)
	case len(j.Payload) > 0 && !json.Valid(j.Payload), len(j.Progress) > 0 && !json.Valid(j.Progress):
		return nil, fmt.Errorf("enqueue job %q: payload or progress is not JSON: %w", j.ID, catalog.ErrInvalid)
	}
	return []any{j.ID, j.Kind, j.UniqueKey, string(j.Payload), string(catalog.JobQueued), micros(j.RunAt), 0,
		max(j.MaxAttempts, 1), "", "", string(j.Progress), micros(j.CreatedAt), nil}, nil
}

func (a jobs) read(ctx context.Context, text string, args ...any) ([]catalog.Job, error) {
	var list []catalog.Job
	err := a.c.queryFree(ctx, func(s scanner) error {
		var j catalog.Job
		var payload, progress string
		var runAt, createdAt int64
		var finishedAt sql.NullInt64
		if err := s.Scan(&j.ID, &j.Kind, &j.UniqueKey, &payload, &j.State, &runAt, &j.Attempt, &j.MaxAttempts,
			&j.Worker, &j.LastError, &progress, &createdAt, &finishedAt); err != nil {
			return err
		}
		j.Payload, j.Progress = raw(payload), raw(progress)
		j.RunAt, j.CreatedAt, j.FinishedAt = fromMicros(runAt), fromMicros(createdAt), fromNull(finishedAt)
		list = append(list, j)
		return nil
	}, text, args...)
	return list, err
}

func raw(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
}
