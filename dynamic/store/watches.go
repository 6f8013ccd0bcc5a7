package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

type watches struct{ c *conn }

var (
	watchList     = docs[catalog.Watch]("watches", "created_at", "id")
	insertWatches = newInsert("watches", "id state email entry_id verify_hash created_at doc",
		`ON CONFLICT (id) DO UPDATE SET state = excluded.state, email = excluded.email, entry_id = excluded.entry_id,
		verify_hash = excluded.verify_hash, doc = excluded.doc`)
)

func (a watches) Put(ctx context.Context, list ...catalog.Watch) error {
	list = lastOf(list, func(v *catalog.Watch) string { return v.ID })
	docs, err := encode(list)
	if err != nil {
		return err
	}
	values := make([]any, 0, len(list)*len(insertWatches.cols))
	for i := range list {
		v := &list[i]
		if v.ID == "" || v.State == "" || v.Email == "" {
			return fmt.Errorf("put watch %q: id, state and address are required: %w", v.ID, catalog.ErrInvalid)
		}
		values = append(values, v.ID, string(v.State), strings.ToLower(v.Email), v.Entry(), v.VerifyHash, micros(v.CreatedAt), docs[i])
	}
	if _, err := a.c.insertRows(ctx, insertWatches, values); err != nil {
		return fmt.Errorf("put %d watches: %w", len(list), err)
	}
	return nil
}

func (a watches) Get(ctx context.Context, id string) (*catalog.Watch, error) {
	return watchList.one(ctx, a.c, "id", id)
}

func (a watches) ByVerifyHash(ctx context.Context, hash string) (*catalog.Watch, error) {
	return watchList.one(ctx, a.c, "verify_hash <> '' AND verify_hash", hash)
}

func (a watches) Of(ctx context.Context, email string) ([]catalog.Watch, error) {
	rows, err := watchList.rows(ctx, a.c, "SELECT created_at, id, doc FROM watches WHERE email = $1 ORDER BY created_at, id", []any{strings.ToLower(email)})
	if err != nil {
		return nil, fmt.Errorf("watches of an address: %w", err)
	}
	return watchList.decodeAll(rows)
}

func (a watches) Following(ctx context.Context, entryIDs ...string) ([]catalog.Watch, error) {
	var list []catalog.Watch
	err := a.c.in(ctx, func(s scanner) error {
		var doc string
		var v catalog.Watch
		if err := s.Scan(&doc); err != nil {
			return err
		}
		err := decodeInto(doc, &v)
		list = append(list, v)
		return err
	}, "SELECT doc FROM watches WHERE state = 'active' AND entry_id IN %s ORDER BY created_at, id", append([]string{""}, distinct(entryIDs)...))
	if err != nil {
		return nil, fmt.Errorf("watches of %d entries: %w", len(entryIDs), err)
	}
	return list, nil
}

func (a watches) Delete(ctx context.Context, ids ...string) error {
	for _, table := range []struct{ name, key string }{{"watch_items", "watch_id"}, {"watches", "id"}} {
		for _, id := range ids {
			if _, err := a.c.exec(ctx, "DELETE FROM "+table.name+" WHERE "+table.key+" = $1", id); err != nil {
				return fmt.Errorf("delete watch %q: %w", id, err)
			}
		}
	}
	return nil
}

func (a watches) Expire(ctx context.Context, before time.Time) (int64, error) {
	n, err := a.c.exec(ctx, "DELETE FROM watches WHERE state = 'pending' AND created_at < $1", micros(before))
	if err != nil {
		return 0, fmt.Errorf("expire watches: %w", err)
	}
	return n, nil
}

type watchItems struct{ c *conn }

var insertWatchItems = newInsert("watch_items", "watch_id event mail", "ON CONFLICT (watch_id, event) DO NOTHING")

func (a watchItems) Add(ctx context.Context, list ...catalog.WatchItem) error {
	values := make([]any, 0, 3*len(list))
	for _, v := range list {
		values = append(values, v.WatchID, v.Event, "")
	}
	if _, err := a.c.insertRows(ctx, insertWatchItems, values); err != nil {
		return fmt.Errorf("add %d items of watches: %w", len(list), err)
	}
	return nil
}

func (a watchItems) Bind(ctx context.Context, watchID, mail string, limit int) ([]int64, error) {
	events, err := a.of(ctx, watchID, mail)
	if err != nil || len(events) > 0 {
		return events, err
	}
	_, err = a.c.exec(ctx, `UPDATE watch_items SET mail = $2 WHERE watch_id = $1 AND event IN
		(SELECT event FROM watch_items WHERE watch_id = $1 AND mail = '' ORDER BY event LIMIT $3)`, watchID, mail, limit)
	if err != nil {
		return nil, fmt.Errorf("bind items of watch %q: %w", watchID, err)
	}
	return a.of(ctx, watchID, mail)
}

func (a watchItems) of(ctx context.Context, watchID, mail string) ([]int64, error) {
	var events []int64
	err := a.c.query(ctx, func(s scanner) error {
		var n int64
		err := s.Scan(&n)
		events = append(events, n)
		return err
	}, "SELECT event FROM watch_items WHERE watch_id = $1 AND mail = $2 ORDER BY event", watchID, mail)
	if err != nil {
		return nil, fmt.Errorf("items of watch %q: %w", watchID, err)
	}
	return events, nil
}

func (a watchItems) Told(ctx context.Context, watchID, mail string) (more bool, err error) {
	if _, err = a.c.exec(ctx, "DELETE FROM watch_items WHERE watch_id = $1 AND mail = $2", watchID, mail); err == nil {
		err = a.c.query(ctx, func(scanner) error { more = true; return nil }, "SELECT event FROM watch_items WHERE watch_id = $1 LIMIT 1", watchID)
	}
	if err != nil {
		return false, fmt.Errorf("items of watch %q: %w", watchID, err)
	}
	return more, nil
}
