package store

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

type sessions struct{ c *conn }

var insertSessions = newInsert("sessions", "hash token_id begun_at expires_at", "ON CONFLICT (hash) DO NOTHING")

const selectSessions = "SELECT hash, token_id, begun_at, expires_at FROM sessions "

func (a sessions) Put(ctx context.Context, list ...catalog.Session) error {
	values := make([]any, 0, len(list)*len(insertSessions.cols))
	for i := range list {
		v := &list[i]
		if v.Hash == "" || v.TokenID == "" {
			return fmt.Errorf("put session of token %q: a key is empty: %w", v.TokenID, catalog.ErrInvalid)
		}
		values = append(values, v.Hash, v.TokenID, micros(v.BegunAt), micros(v.ExpiresAt))
	}
	if _, err := a.c.insertRows(ctx, insertSessions, values); err != nil {
		return fmt.Errorf("put %d sessions: %w", len(list), err)
	}
	return nil
}

func (a sessions) Get(ctx context.Context, hash string) (*catalog.Session, error) {
	list, err := a.read(ctx, selectSessions+"WHERE hash = $1", hash)
	if err == nil && len(list) == 0 {
		err = catalog.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	return &list[0], nil
}

func (a sessions) Of(ctx context.Context, tokenID string) ([]catalog.Session, error) {
	list, err := a.read(ctx, selectSessions+"WHERE token_id = $1 ORDER BY begun_at, hash", tokenID)
	if err != nil {
		return nil, fmt.Errorf("sessions of token %q: %w", tokenID, err)
	}
	return list, nil
}

func (a sessions) read(ctx context.Context, text string, args ...any) (list []catalog.Session, err error) {
	err = a.c.query(ctx, func(s scanner) error {
		var v catalog.Session
		var begun, expires int64
		if err := s.Scan(&v.Hash, &v.TokenID, &begun, &expires); err != nil {
			return err
		}
		v.BegunAt, v.ExpiresAt = fromMicros(begun), fromMicros(expires)
		list = append(list, v)
		return nil
	}, text, args...)
	return list, err
}

func (a sessions) Delete(ctx context.Context, hashes ...string) error {
	for _, hash := range hashes {
		if _, err := a.c.exec(ctx, "DELETE FROM sessions WHERE hash = $1", hash); err != nil {
			return fmt.Errorf("delete session: %w", err)
		}
	}
	return nil
}

func (a sessions) Expire(ctx context.Context, now time.Time) (int64, error) {
	n, err := a.c.exec(ctx, "DELETE FROM sessions WHERE expires_at <= $1", micros(now))
	if err != nil {
		return 0, fmt.Errorf("expire sessions: %w", err)
	}
	return n, nil
}
