package verify

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// stalePage is how many verdicts are made stale in one transaction.
const stalePage = 500

// MarkStale writes STALE, with its event, for every entry that went too long
// without a success (see Age), and returns how many there were. Only entries
// in the timetable are looked at: nobody expects news of the others. One that came
// back to the timetable has as long again for its first check.
func MarkStale(ctx context.Context, st catalog.Store, now time.Time) (int, error) {
	var ids []string
	err := st.View(ctx, func(tx catalog.Tx) error {
		ids = nil
		due := map[string]time.Time{}
		err := tx.Probes().Scan(ctx, catalog.Range{}, func(p *catalog.Probe) error {
			due[p.EntryID] = p.DueAt
			return nil
		})
		if err != nil {
			return err
		}
		var back []string
		err = tx.CheckStates().Scan(ctx, catalog.Range{}, func(s *catalog.CheckState) error {
			at, planned := due[s.EntryID]
			switch next, event := Age(s, now); {
			case !planned || event == nil && next == *s:
			case event != nil && at.Before(s.LastCheckedAt):
				// A check puts the next one behind itself, so there was none yet.
				back = append(back, s.EntryID)
			default:
				ids = append(ids, s.EntryID)
			}
			return nil
		})
		if err != nil || len(back) == 0 {
			return err
		}
		entries, err := tx.Entries().Get(ctx, back...)
		for i := range entries {
			if now.Sub(entries[i].UpdatedAt) >= StaleAfter {
				ids = append(ids, entries[i].ID)
			}
		}
		return err
	})
	n := 0
	for err == nil && len(ids) > 0 {
		part := ids[:min(len(ids), stalePage)]
		ids = ids[len(part):]
		var marked int
		err = st.Update(ctx, func(tx catalog.Tx) (err error) {
			marked, err = markStale(ctx, tx, part, now)
			return err
		})
		n += marked
	}
	if err != nil {
		return n, fmt.Errorf("mark stale entries: %w", err)
	}
	return n, nil
}

// markStale looks again: a check may have come in between.
func markStale(ctx context.Context, tx catalog.Tx, ids []string, now time.Time) (int, error) {
	old, err := tx.CheckStates().Of(ctx, ids...)
	if err != nil {
		return 0, err
	}
	var states []catalog.CheckState
	var events []catalog.Event
	for i := range old {
		next, event := Age(&old[i], now)
		if event != nil {
			events = append(events, *event)
		}
		if event != nil || next != old[i] {
			states = append(states, next)
		}
	}
	return len(events), tx.CheckStates().Set(ctx, states, events)
}
