package store

import (
	"context"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

type tokens struct{ c *conn }

var (
	tokenList    = docs[catalog.Token]("tokens", "created_at", "id")
	insertTokens = newInsert("tokens", "id hash created_at doc", "ON CONFLICT (id) DO UPDATE SET doc = excluded.doc")
)

func (a tokens) Put(ctx context.Context, list ...catalog.Token) error {
	for _, v := range list {
		if v.ID == "" || v.Hash == "" {
			return fmt.Errorf("put token %q: a key is empty: %w", v.ID, catalog.ErrInvalid)
		}
	}
	list = lastOf(list, func(v *catalog.Token) string { return v.ID })
	return putDocs(ctx, a.c, insertTokens, list, func(v *catalog.Token) []any { return []any{v.ID, v.Hash, micros(v.CreatedAt)} })
}

func (a tokens) ByHash(ctx context.Context, hash string) (*catalog.Token, error) {
	return tokenList.one(ctx, a.c, "hash", hash)
}

func (a tokens) All(ctx context.Context) ([]catalog.Token, error) {
	var list []catalog.Token
	err := a.c.query(ctx, func(s scanner) error {
		var doc string
		var v catalog.Token
		if err := s.Scan(&doc); err != nil {
			return err
		}
		if err := decodeInto(doc, &v); err != nil {
			return err
		}
		list = append(list, v)
		return nil
	}, "SELECT doc FROM tokens ORDER BY created_at, id")
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	return list, nil
}
