package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

type events struct{ c *conn }

var insertEvents = newInsert("events", "number type entry_id doc", "ON CONFLICT (number) DO NOTHING")

func (a events) Append(ctx context.Context, list ...catalog.Event) error {
	if len(list) == 0 {
		return nil
	}
	return a.c.atomic(ctx, func() error { return a.appendAndRevise(ctx, list) })
}

// appendAndRevise appends events and makes the last one of each entry its
// revision.
func (a events) appendAndRevise(ctx context.Context, list []catalog.Event) error {
	if err := a.mark(ctx, list); err != nil {
		return err
	}
	if err := a.append(ctx, pointers(list)); err != nil {
		return err
	}
	last := make(map[string]int64)
	for i := range list {
		if list[i].EntryID != "" {
			last[list[i].EntryID] = list[i].Number
		}
	}
	return entries(a).revise(ctx, last)
}

// mark tells which events are of entries without a time of publication. The
// write lock keeps that from changing until the events are stored.
func (a events) mark(ctx context.Context, list []catalog.Event) error {
	ids := make([]string, 0, len(list))
	for i := range list {
		if list[i].EntryID != "" {
			ids = append(ids, list[i].EntryID)
		}
	}
	waiting := map[string]bool{}
	err := a.c.in(ctx, func(s scanner) error {
		var id string
		err := s.Scan(&id)
		waiting[id] = true
		return err
	}, "SELECT id FROM entries WHERE published_at IS NULL AND id IN %s", distinct(ids))
	if err != nil {
		return fmt.Errorf("which of %d entries are published: %w", len(ids), err)
	}
	for i := range list {
		list[i].Unpublished = waiting[list[i].EntryID]
	}
	return nil
}

// append numbers the events and stores them.
func (a events) append(ctx context.Context, list []*catalog.Event) error {
	if len(list) == 0 {
		return nil
	}
	var last int64
	err := a.c.query(ctx, func(s scanner) error { return s.Scan(&last) },
		"UPDATE counters SET value = value + $1 WHERE name = 'event' RETURNING value", len(list))
	if err != nil {
		return fmt.Errorf("number %d events: %w", len(list), err)
	}
	for i, e := range list {
		e.Number = last - int64(len(list)-1-i)
	}
	stored, err := a.insert(ctx, list)
	if err == nil && stored != int64(len(list)) {
		err = fmt.Errorf("an event numbered %d to %d exists: %w", list[0].Number, last, catalog.ErrConflict)
	}
	return err
}

func (a events) insert(ctx context.Context, list []*catalog.Event) (int64, error) {
	docs, err := encode(list)
	if err != nil {
		return 0, err
	}
	values := make([]any, 0, len(list)*len(insertEvents.cols))
	for i, e := range list {
		values = append(values, e.Number, string(e.Type), e.EntryID, docs[i])
	}
	stored, err := a.c.insertRows(ctx, insertEvents, values)
	if err != nil {
		return stored, fmt.Errorf("store %d events: %w", len(list), err)
	}
	return stored, nil
}

// revise sets the revision column of entries.
func (a entries) revise(ctx context.Context, last map[string]int64) error {
	ids := make([]string, 0, len(last))
	for id := range last {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for part := range slices.Chunk(ids, batchRows) {
		args := make([]any, 0, 2*len(part))
		for _, id := range part {
			args = append(args, id, last[id])
		}
		n, err := a.c.exec(ctx, reviseText(len(part)), args...)
		if err != nil {
			return fmt.Errorf("revise %d entries: %w", len(part), err)
		}
		if n < int64(len(part)) {
			return a.missing(ctx, part)
		}
	}
	return nil
}

// reviseText names the types once: PostgreSQL takes untyped places for text.
func reviseText(rows int) string {
	var b strings.Builder
	b.WriteString("WITH last (entry_id, number) AS (VALUES (CAST($1 AS TEXT), CAST($2 AS BIGINT))")
	for r := 1; r < rows; r++ {
		b.WriteString(", ")
		writePlaces(&b, 2*r+1, 2)
	}
	b.WriteString(") UPDATE entries SET revision = last.number FROM last WHERE entries.id = last.entry_id")
	return b.String()
}

// missing names the entry that an event speaks of and that is not there.
func (a entries) missing(ctx context.Context, ids []string) error {
	known := make(map[string]bool, len(ids))
	err := a.c.in(ctx, func(s scanner) error {
		var id string
		if err := s.Scan(&id); err != nil {
			return err
		}
		known[id] = true
		return nil
	}, "SELECT id FROM entries WHERE id IN %s", ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !known[id] {
			return fmt.Errorf("event of entry %q: %w", id, catalog.ErrNotFound)
		}
	}
	return fmt.Errorf("events of %d entries: %w", len(ids), catalog.ErrNotFound)
}
