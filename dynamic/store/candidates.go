package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

type candidates struct{ c *conn }

// pendingEntry is the condition of the partial index of entries, word by word.
const pendingEntry = "status = 'PENDING_REVIEW'"

func (a candidates) Pending(ctx context.Context, after string, limit int) ([]catalog.Entry, error) {
	rows, err := entryList.rows(ctx, a.c, "SELECT id, revision, doc FROM entries WHERE "+pendingEntry+" AND id > $1 ORDER BY id LIMIT $2", []any{after, limit})
	if err != nil {
		return nil, fmt.Errorf("pending entries: %w", err)
	}
	return entryList.decodeAll(rows)
}

func (a candidates) Count(ctx context.Context) (map[catalog.Status]int, error) {
	counts := map[catalog.Status]int{}
	err := a.c.query(ctx, func(s scanner) error {
		var status catalog.Status
		var n int
		err := s.Scan(&status, &n)
		counts[status] = n
		return err
	}, "SELECT status, COUNT(*) FROM entries GROUP BY status")
	if err != nil {
		return nil, fmt.Errorf("count entries: %w", err)
	}
	return counts, nil
}

// atOnce is for how many addresses one statement looks.
const atOnce = 3

// At asks the index of match keys for those that begin with a type and an
// address. A key that was too long to be indexed as it is cannot be found.
func (a candidates) At(ctx context.Context, urls ...string) (map[string][]string, error) {
	asked := map[string][]string{}
	var prefixes []string
	for _, u := range distinct(urls) {
		for _, t := range catalog.EntryTypes() {
			prefix := catalog.MatchKey(t, u, "")
			if len(prefix) > longKey {
				continue
			}
			if asked[prefix] == nil {
				prefixes = append(prefixes, prefix)
			}
			asked[prefix] = append(asked[prefix], u)
		}
	}
	found := map[string][]string{}
	for part := range slices.Chunk(prefixes, atOnce*len(catalog.EntryTypes())) {
		if err := a.at(ctx, part, asked, found); err != nil {
			return nil, fmt.Errorf("entries at %d addresses: %w", len(urls), err)
		}
	}
	for u := range found {
		slices.Sort(found[u])
		found[u] = slices.Compact(found[u])
	}
	return found, nil
}

func (a candidates) at(ctx context.Context, prefixes []string, asked, found map[string][]string) error {
	var conds []string
	var args []any
	for n := range roundUp(len(prefixes)) {
		prefix := prefixes[min(n, len(prefixes)-1)]
		// The byte after the separator ends the range of keys below it.
		args = append(args, prefix, strings.TrimSuffix(prefix, "|")+"}")
		conds = append(conds, "match_key >= $"+strconv.Itoa(2*n+1)+" AND match_key < $"+strconv.Itoa(2*n+2))
	}
	text := "SELECT match_key, id FROM entries WHERE match_key <> '' AND (" + strings.Join(conds, " OR ") + ")"
	return a.c.query(ctx, func(s scanner) error {
		var key, id string
		if err := s.Scan(&key, &id); err != nil {
			return err
		}
		for _, prefix := range prefixes {
			if strings.HasPrefix(key, prefix) {
				for _, u := range asked[prefix] {
					found[u] = append(found[u], id)
				}
			}
		}
		return nil
	}, text, args...)
}
