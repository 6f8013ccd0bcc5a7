package store

import (
	"context"
	"fmt"
)

type meta struct{ c *conn }

func (a meta) Get(ctx context.Context, key string) (string, error) {
	var value string
	err := a.c.query(ctx, func(s scanner) error { return s.Scan(&value) }, "SELECT value FROM meta WHERE name = $1", key)
	if err != nil {
		return "", fmt.Errorf("meta %q: %w", key, err)
	}
	return value, nil
}

func (a meta) Set(ctx context.Context, key, value string) error {
	text, args := "DELETE FROM meta WHERE name = $1", []any{key}
	if value != "" {
		text = "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
		args = append(args, value)
	}
	if _, err := a.c.exec(ctx, text, args...); err != nil {
		return fmt.Errorf("set meta %q: %w", key, err)
	}
	return nil
}
