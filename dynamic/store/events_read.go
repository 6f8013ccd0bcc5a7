package store

import (
	"context"
	"fmt"
	"math"

	"github.com/assay-register/assay/render/catalog"
)

func (a events) After(ctx context.Context, number int64, limit int) ([]catalog.Event, error) {
	if limit <= 0 {
		return nil, nil
	}
	list, err := a.list(ctx, "SELECT doc FROM events WHERE number > $1 ORDER BY number LIMIT $2", number, limit)
	if err != nil {
		return nil, fmt.Errorf("events after %d: %w", number, err)
	}
	return list, nil
}

func (a events) About(ctx context.Context, entryID string, before int64, limit int) ([]catalog.Event, error) {
	if limit <= 0 || entryID == "" {
		return nil, nil
	}
	if before == 0 {
		before = math.MaxInt64
	}
	list, err := a.list(ctx, "SELECT doc FROM events WHERE entry_id = $1 AND entry_id <> '' AND number < $2 ORDER BY number DESC LIMIT $3", entryID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("events of entry %s before %d: %w", entryID, before, err)
	}
	return list, nil
}

// list reads the events whose documents a query returns.
func (a events) list(ctx context.Context, text string, args ...any) ([]catalog.Event, error) {
	var texts []string
	err := a.c.query(ctx, func(s scanner) error {
		var doc string
		if err := s.Scan(&doc); err != nil {
			return err
		}
		texts = append(texts, doc)
		return nil
	}, text, args...)
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	list := make([]catalog.Event, len(texts))
	err = share(len(texts), func(from, to int) error {
		for i := from; i < to; i++ {
			// A document of an event is hardly longer than its texts.
			if err := decodeShared(texts[i], &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

func (a events) Last(ctx context.Context) (int64, error) {
	var last int64
	err := a.c.query(ctx, func(s scanner) error { return s.Scan(&last) },
		"SELECT value FROM counters WHERE name = 'event'")
	if err != nil {
		return 0, fmt.Errorf("last event: %w", err)
	}
	return last, nil
}

func (a events) Restore(ctx context.Context, list ...catalog.Event) error {
	var highest int64
	for i := range list {
		if list[i].Number <= 0 {
			return fmt.Errorf("restore event %d: numbers begin at 1: %w", list[i].Number, catalog.ErrInvalid)
		}
		highest = max(highest, list[i].Number)
	}
	return a.c.atomic(ctx, func() error {
		if _, err := a.insert(ctx, pointers(list)); err != nil {
			return err
		}
		return a.raise(ctx, highest)
	})
}

// raise makes the next event number higher than the given one.
func (a events) raise(ctx context.Context, number int64) error {
	if _, err := a.c.exec(ctx, "UPDATE counters SET value = $1 WHERE name = 'event' AND value < $1", number); err != nil {
		return fmt.Errorf("raise event counter to %d: %w", number, err)
	}
	return nil
}

func pointers[T any](list []T) []*T {
	ps := make([]*T, len(list))
	for i := range list {
		ps[i] = &list[i]
	}
	return ps
}
