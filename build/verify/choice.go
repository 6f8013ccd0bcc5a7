package verify

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// choice is what a run has to check before it ends.
type choice struct {
	forever bool
	// only are the entries that may be probed; nil is all.
	only map[string]bool
	// hosts are theirs.
	hosts []string
	since time.Time

	mu    sync.Mutex
	total int
	left  map[string]bool
	// count is how many checks were stored.
	count int
}

// choose notes what is due at the beginning of a run.
func choose(ctx context.Context, st catalog.Store, sel Selection, now time.Time) (*choice, error) {
	c := &choice{forever: sel.Forever, since: now, left: map[string]bool{}}
	if len(sel.Entries) > 0 {
		c.only = map[string]bool{}
		for _, id := range sel.Entries {
			c.only[id] = true
		}
	}
	if c.only != nil || sel.All {
		at := now
		if c.only != nil {
			at = time.Unix(0, 0) // before all that is overdue
		}
		err := st.Update(ctx, func(tx catalog.Tx) error { return tx.Probes().Advance(ctx, at, sel.Entries...) })
		if err != nil {
			return nil, fmt.Errorf("make entries due: %w", err)
		}
	}
	if c.forever {
		return c, nil
	}
	hosts := map[string]bool{}
	err := c.scan(ctx, st, func(p *catalog.Probe) {
		// What was made due may have been checked by another worker already.
		if c.wants(p.EntryID) && (c.only != nil || sel.All || !p.DueAt.After(now) || !p.FailedAt.IsZero()) {
			c.left[p.EntryID] = true
			hosts[p.Host] = true
		}
	})
	c.total = len(c.left)
	if c.only != nil {
		c.hosts = slices.Sorted(maps.Keys(hosts))
	}
	return c, err
}

func (c *choice) scan(ctx context.Context, st catalog.Store, fn func(*catalog.Probe)) error {
	return st.View(ctx, func(tx catalog.Tx) error {
		return tx.Probes().Scan(ctx, catalog.Range{}, func(p *catalog.Probe) error { fn(p); return nil })
	})
}

func (c *choice) wants(id string) bool { return c.only == nil || c.only[id] }

// checked strikes an entry off and tells how far the run is.
func (c *choice) checked(ids ...string) Progress {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count += len(ids)
	if c.forever {
		return Progress{Checked: c.count}
	}
	for _, id := range ids {
		delete(c.left, id)
	}
	return Progress{Total: c.total, Checked: c.total - len(c.left)}
}

func (c *choice) waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.left)
}

// ended tells whether nothing is left. What other workers have checked, and
// what has left the timetable, is struck off.
func (c *choice) ended(ctx context.Context, st catalog.Store) (bool, error) {
	if c.forever {
		return false, nil
	}
	if c.waiting() == 0 {
		return true, nil
	}
	still := map[string]bool{}
	err := c.scan(ctx, st, func(p *catalog.Probe) {
		if !p.DueAt.After(c.since) || !p.FailedAt.IsZero() {
			still[p.EntryID] = true
		}
	})
	if err != nil {
		return false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.left, func(id string, _ bool) bool { return !still[id] })
	return len(c.left) == 0, nil
}

func sortBy[T any, K cmp.Ordered](list []T, key func(*T) K) {
	slices.SortFunc(list, func(a, b T) int { return cmp.Compare(key(&a), key(&b)) })
}
