package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

type checkStates struct{ c *conn }

var (
	checkStateList = docs[catalog.CheckState]("check_states", "entry_id")
	// statesOf has %s for the list of entry ids.
	statesOf          = "SELECT doc FROM check_states WHERE entry_id IN %s"
	insertCheckStates = newInsert("check_states", "entry_id doc", "ON CONFLICT (entry_id) DO UPDATE SET doc = excluded.doc")
)

func (a checkStates) Set(ctx context.Context, states []catalog.CheckState, list []catalog.Event) error {
	states = lastOf(states, func(v *catalog.CheckState) string { return v.EntryID })
	return a.c.atomic(ctx, func() error {
		err := putDocs(ctx, a.c, insertCheckStates, states, func(v *catalog.CheckState) []any { return []any{v.EntryID} })
		if err != nil {
			return err
		}
		return events(a).appendAndRevise(ctx, list)
	})
}

func (a checkStates) Get(ctx context.Context, entryID string) (*catalog.CheckState, error) {
	return checkStateList.one(ctx, a.c, "entry_id", entryID)
}

func (a checkStates) Of(ctx context.Context, entryIDs ...string) ([]catalog.CheckState, error) {
	ids := distinct(entryIDs)
	list := make([]catalog.CheckState, 0, len(ids))
	err := a.c.in(ctx, func(s scanner) error {
		var doc string
		if err := s.Scan(&doc); err != nil {
			return err
		}
		var v catalog.CheckState
		if err := decodeInto(doc, &v); err != nil {
			return err
		}
		list = append(list, v)
		return nil
	}, statesOf, ids)
	if err != nil {
		return nil, fmt.Errorf("states of %d entries: %w", len(ids), err)
	}
	slices.SortFunc(list, func(a, b catalog.CheckState) int { return cmp.Compare(a.EntryID, b.EntryID) })
	return list, nil
}

func (a checkStates) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.CheckState) error) error {
	return checkStateList.scan(ctx, a.c, r, nil, fn)
}
