package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

type entries struct{ c *conn }

// entryList reads entries. The column revision counts, because a change of
// state raises it without touching the document.
var entryList = &listing[catalog.Entry]{
	from: "entries", keys: []string{"id"}, rest: []string{"revision", "doc"}, page: 64,
	decode: func(row []any, e *catalog.Entry, shared bool) error {
		if err := decodeDoc(row[2], e, shared); err != nil {
			return err
		}
		id, ok1 := row[0].(string)
		revision, ok2 := row[1].(int64)
		if !ok1 || !ok2 {
			return fmt.Errorf("id and revision hold %T and %T", row[0], row[1])
		}
		e.ID, e.Revision = id, revision
		if shared {
			ownHandles(e)
		}
		return nil
	},
}

// ownHandles gives the ids and slugs of entries memory of their own: of all
// texts these are kept most often. The id of the entry has it already.
func ownHandles(e *catalog.Entry) {
	e.Slug, e.SuccessorID, e.MergedIntoID = strings.Clone(e.Slug), strings.Clone(e.SuccessorID), strings.Clone(e.MergedIntoID)
	for i := range e.FormerSlugs {
		e.FormerSlugs[i] = strings.Clone(e.FormerSlugs[i])
	}
}

const (
	entriesByID = "SELECT id, revision, doc FROM entries WHERE id IN %s ORDER BY id"
	slugOwners  = "SELECT slug, entry_id FROM slugs WHERE slug IN %s"
)

// matchTexts look entries up by all their keys.
var matchTexts = []string{matchText("match_key"), matchText("upstream_ref"),
	"SELECT k.key, e.id, e.created_at FROM entry_keys k JOIN entries e ON e.id = k.entry_id WHERE k.key IN %s"}

// matchText looks entries up by a column of keys. The second condition lets
// the planner use the partial index.
func matchText(column string) string {
	return "SELECT " + column + ", id, created_at FROM entries WHERE " + column + " IN %s AND " + column + " <> ''"
}

func (a entries) Get(ctx context.Context, ids ...string) ([]catalog.Entry, error) {
	var rows [][]any
	for part := range slices.Chunk(distinct(ids), batchRows) {
		found, err := entryList.rows(ctx, a.c, inText(entriesByID, len(part)), padded(part))
		if err != nil {
			return nil, fmt.Errorf("get %d entries: %w", len(ids), err)
		}
		rows = append(rows, found...)
	}
	if len(rows) == 0 {
		return nil, nil
	}
	list, err := entryList.decodeRows(rows, true)
	if err != nil {
		return nil, fmt.Errorf("get entries: %w", err)
	}
	return list, nil
}

// distinct sorts the keys and drops repeated and empty ones.
func distinct(keys []string) []string {
	keys = slices.Compact(slices.Sorted(slices.Values(keys)))
	if len(keys) > 0 && keys[0] == "" {
		keys = keys[1:]
	}
	return keys
}

func (a entries) BySlug(ctx context.Context, slugs ...string) (map[string]string, error) {
	owners := make(map[string]string, len(slugs))
	err := a.c.in(ctx, func(s scanner) error {
		var slug, id string
		if err := s.Scan(&slug, &id); err != nil {
			return err
		}
		owners[slug] = id
		return nil
	}, slugOwners, distinct(slugs))
	if err != nil {
		return nil, fmt.Errorf("owners of %d slugs: %w", len(slugs), err)
	}
	return owners, nil
}

// match is an entry found by a key.
type match struct {
	id        string
	createdAt int64
}

func (a entries) Match(ctx context.Context, keys ...string) (map[string][]string, error) {
	original := make(map[string]string, len(keys))
	stored := make([]string, len(keys))
	for i, k := range keys {
		stored[i] = lookupKey(k)
		original[stored[i]] = k
	}
	found := map[string][]match{}
	row := func(s scanner) error {
		var key string
		var m match
		if err := s.Scan(&key, &m.id, &m.createdAt); err != nil {
			return err
		}
		found[original[key]] = append(found[original[key]], m)
		return nil
	}
	for _, text := range matchTexts {
		if err := a.c.in(ctx, row, text, distinct(stored)); err != nil {
			return nil, fmt.Errorf("match %d keys: %w", len(keys), err)
		}
	}
	return matchIDs(found), nil
}

func matchIDs(found map[string][]match) map[string][]string {
	ids := make(map[string][]string, len(found))
	for key, list := range found {
		slices.SortFunc(list, func(a, b match) int {
			return cmp.Or(cmp.Compare(a.createdAt, b.createdAt), cmp.Compare(a.id, b.id))
		})
		// An entry may have the key in several ways.
		for _, m := range slices.Compact(list) {
			ids[key] = append(ids[key], m.id)
		}
	}
	return ids
}

func (a entries) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.Entry) error) error {
	return entryList.scan(ctx, a.c, r, nil, fn)
}

func (a entries) Since(ctx context.Context, revision int64, limit int) ([]catalog.Entry, error) {
	if limit <= 0 {
		return nil, nil
	}
	// The second condition lets the planner use the partial index.
	text := "SELECT id, revision, doc FROM entries WHERE revision > $1 AND revision > 0 ORDER BY revision LIMIT $2"
	rows, err := entryList.rows(ctx, a.c, text, []any{revision, limit})
	if err != nil {
		return nil, fmt.Errorf("entries since revision %d: %w", revision, err)
	}
	return entryList.decodeAll(rows)
}
