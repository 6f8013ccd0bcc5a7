package store

import (
	"context"

	"github.com/assay-register/assay/render/catalog"
)

type checkStates struct{ c *conn }

var (
	checkStateList    = docs[catalog.CheckState]("check_states", "entry_id")
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

func (a checkStates) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.CheckState) error) error {
	return checkStateList.scan(ctx, a.c, r, nil, fn)
}
