//go:build linux

package main

import (
	"cmp"
	"context"
	"flag"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/render/catalog"
)

// checkVerb checks every entry once, at its moment in the six hours from an instant on, and
// asks nobody: all sources answer but those of a share.
func checkVerb(flags *flag.FlagSet) func(context.Context) error {
	db := flags.String("db", "", "store: sqlite:PATH or postgres://…")
	late := flags.Duration("late", 0, "how long after the register's instant the round begins")
	down := flags.Float64("down", 0, "part of the entries whose source does not answer")
	return func(ctx context.Context) error {
		st, err := setup.Open(ctx, *db)
		if err != nil {
			return err
		}
		defer st.Close()
		return st.Update(ctx, func(tx catalog.Tx) error {
			var ids []string
			err := tx.Entries().Keys(ctx, func(k *catalog.Key) error { ids = append(ids, k.ID); return nil })
			if err != nil {
				return err
			}
			slices.Sort(ids)
			from, away := sample.Instant.Add(*late), 0
			if *down > 0 {
				away = int(1 / *down)
			}
			for i, chunk := range slices.Collect(slices.Chunk(ids, checked)) {
				if err := checkEntries(ctx, tx, chunk, from, i*checked, away); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// checked is how many entries are checked together.
const checked = 500

func checkEntries(ctx context.Context, tx catalog.Tx, ids []string, from time.Time, first, away int) error {
	old, err := tx.CheckStates().Of(ctx, ids...)
	if err != nil {
		return err
	}
	entries, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return err
	}
	addresses := map[string]string{}
	for i := range entries {
		addresses[entries[i].ID] = cmp.Or(entries[i].PrimarySourceURL, entries[i].HomepageURL)
	}
	var checks []catalog.Check
	var states []catalog.CheckState
	var events []catalog.Event
	for i, id := range ids {
		c := catalog.Check{EntryID: id, At: verify.NextSlot(id, verify.DefaultCadence, from), Kind: "http", URL: addresses[id], Method: "GET",
			Up: away == 0 || (first+i)%away > 0, HTTPStatus: 200, ContentType: "application/json", LatencyMS: 40 + (first+i+from.Hour())%900, Vantages: 1}
		if !c.Up {
			c.HTTPStatus, c.Class, c.Error = 503, catalog.ErrorHTTP, "status 503"
		}
		var last *catalog.CheckState
		if n, found := slices.BinarySearchFunc(old, id, func(s catalog.CheckState, id string) int { return strings.Compare(s.EntryID, id) }); found {
			last = &old[n]
		}
		next, event := verify.Next(last, &c)
		checks, states = append(checks, c), append(states, next)
		if event != nil {
			events = append(events, *event)
		}
	}
	if err := tx.Checks().Append(ctx, checks...); err != nil {
		return err
	}
	return tx.CheckStates().Set(ctx, states, events)
}
