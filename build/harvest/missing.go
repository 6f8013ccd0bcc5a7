package harvest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// goneAfter is how many complete harvests in a row must miss an entry before
// it is deprecated (decisions §4).
const goneAfter = 3

// markMissing counts, for each active entry of the source that this complete
// harvest did not meet, one more harvest that missed it, and deprecates those
// that were missed three times in a row. A harvest that misses more than half
// of what the source is known for says something about the source, not about
// its entries: it counts nothing (an emptied portal still answers 200).
func (r *run) markMissing(ctx context.Context) error {
	known, missing, err := r.absent(ctx)
	if err != nil {
		return err
	}
	r.report.Missing = len(missing)
	if len(missing)*2 > known {
		r.report.Notice = fmt.Sprintf("the source lists only %d of the %d entries known from it; none is counted as missing",
			known-len(missing), known)
		return nil
	}
	return r.store.Update(ctx, func(tx catalog.Tx) error { return r.count(ctx, tx, missing) })
}

// count counts one more missing harvest for the entries, none for all others
// of the source, and deprecates those that have been missed often enough.
func (r *run) count(ctx context.Context, tx catalog.Tx, missing []string) error {
	r.report.Gone = 0
	key := "harvest.missing." + r.in.Source.ID
	before, err := counts(ctx, tx, key)
	if err != nil {
		return err
	}
	now := map[string]int{}
	var gone []string
	for _, id := range missing {
		if now[id] = before[id] + 1; now[id] >= goneAfter {
			gone = append(gone, id)
			delete(now, id)
		}
	}
	if err := r.deprecate(ctx, tx, gone); err != nil {
		return err
	}
	if maps.Equal(before, now) {
		return nil
	}
	value := ""
	if len(now) > 0 {
		doc, err := json.Marshal(now)
		if err != nil {
			return fmt.Errorf("encode missing entries: %w", err)
		}
		value = string(doc)
	}
	return tx.Meta().Set(ctx, key, value)
}

// absent lists the active entries of the source that this run did not meet,
// and counts all of them.
func (r *run) absent(ctx context.Context) (known int, missing []string, err error) {
	err = r.store.View(ctx, func(tx catalog.Tx) error {
		known, missing = 0, nil
		return tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			if e.SourceID != r.in.Source.ID || e.Status != catalog.StatusActive {
				return nil
			}
			known++
			if !r.seen[e.ID] && !r.refs[e.UpstreamRef] {
				missing = append(missing, e.ID)
			}
			return nil
		})
	})
	if err != nil {
		return 0, nil, fmt.Errorf("look for missing entries of %s: %w", r.in.Source.ID, err)
	}
	slices.Sort(missing)
	return known, missing, nil
}

func counts(ctx context.Context, tx catalog.Tx, key string) (map[string]int, error) {
	value, err := tx.Meta().Get(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("read missing entries: %w", err)
	}
	m := map[string]int{}
	if value == "" {
		return m, nil
	}
	if err := json.Unmarshal([]byte(value), &m); err != nil {
		return nil, fmt.Errorf("read missing entries: %w", err)
	}
	return m, nil
}

func (r *run) deprecate(ctx context.Context, tx catalog.Tx, ids []string) error {
	list, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return fmt.Errorf("load missing entries: %w", err)
	}
	var writes []catalog.Write
	for i := range list {
		kind, err := list[i].Transition(catalog.Change{To: catalog.StatusDeprecated, Reason: reasonGone, At: r.opts.Now})
		if errors.Is(err, catalog.ErrConflict) {
			continue // it left the state ACTIVE since it was looked up
		}
		if err != nil {
			return err
		}
		writes = append(writes, catalog.Write{Entry: &list[i], Events: []catalog.Event{{Type: kind, OccurredAt: r.opts.Now}}})
	}
	if len(writes) == 0 {
		return nil
	}
	r.report.Gone = len(writes)
	return tx.Entries().Put(ctx, writes...)
}
