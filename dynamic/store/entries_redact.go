package store

import (
	"context"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

func (a entries) Redact(ctx context.Context, w catalog.Write) error {
	return a.c.atomic(ctx, func() error {
		if err := events(a).forget(ctx, w.Entry.ID); err != nil {
			return err
		}
		if _, err := a.c.exec(ctx, "DELETE FROM slugs WHERE entry_id = $1", w.Entry.ID); err != nil {
			return fmt.Errorf("forget the slugs of entry %s: %w", w.Entry.ID, err)
		}
		if _, err := a.c.exec(ctx, "DELETE FROM entry_keys WHERE entry_id = $1", w.Entry.ID); err != nil {
			return fmt.Errorf("forget the keys of entry %s: %w", w.Entry.ID, err)
		}
		return a.Put(ctx, w)
	})
}

// forget leaves of the events of an entry what happened and when.
func (a events) forget(ctx context.Context, entryID string) error {
	var list []catalog.Event
	err := a.c.query(ctx, func(s scanner) error {
		var doc string
		var e catalog.Event
		if err := s.Scan(&doc); err != nil {
			return err
		}
		err := decodeInto(doc, &e)
		list = append(list, e)
		return err
	}, "SELECT doc FROM events WHERE entry_id = $1 ORDER BY number", entryID)
	if err != nil {
		return fmt.Errorf("events of entry %s: %w", entryID, err)
	}
	for i := range list {
		list[i].Changes, list[i].Data = nil, nil
	}
	docs, err := encode(list)
	if err != nil {
		return err
	}
	for i := range list {
		if _, err := a.c.exec(ctx, "UPDATE events SET doc = $1 WHERE number = $2", docs[i], list[i].Number); err != nil {
			return fmt.Errorf("redact event %d: %w", list[i].Number, err)
		}
	}
	return nil
}
