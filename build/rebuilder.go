package build

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Defaults of a Rebuilder (decisions §2: whole-catalog artefacts follow a change
// within 15 minutes and are rebuilt at most that often).
const (
	DefaultPoll   = 500 * time.Millisecond
	DefaultQuiet  = 2 * time.Minute
	DefaultLatest = 8 * time.Minute
	// bulk is how many changed entries are refreshed one by one; what changes
	// more is a harvest, which the next build shows.
	bulk = 2000
	// eventsRead is how many events are read at a time.
	eventsRead = 1000
	// buildRetry is the pause after a build that failed.
	buildRetry = time.Minute
)

// Rebuilder keeps a site fresh: it writes the pages of an entry anew as soon as
// the entry changes, and builds the whole when changes have calmed down, or at
// the latest some minutes after the first one. What a build itself writes into
// the log of events leads to no build.
type Rebuilder struct {
	Store catalog.Store
	// Refresh and Build do the work; both are told the instant. Build is told
	// what was refreshed since it began.
	Refresh func(ctx context.Context, at time.Time, ids []string) (Refreshed, error)
	Build   func(ctx context.Context, at time.Time, live func(entry string) bool) error
	// Link writes the pages of entries that name others, while no build is at
	// work; nil leaves them to the next build.
	Link func(ctx context.Context, at time.Time, ids []string) error
	// Grown returns a channel that closes when the log of events has grown.
	Grown func() <-chan struct{}
	Clock func() time.Time
	// Poll is how often the clock is looked at; Poll, Quiet and Latest are the
	// defaults if zero.
	Poll, Quiet, Latest time.Duration
	Log                 *slog.Logger

	cursor int64
	// unread tells that the log has grown since it was read.
	unread bool
	// first and last are the times of the first and the last change that no
	// build has shown yet, next is when an entry becomes public by itself.
	first, last, next time.Time
	checked           time.Time
	notBefore         time.Time

	mu sync.Mutex
	// fresh are the entries that were refreshed since the running build began,
	// or the last one if none runs.
	fresh    map[string]bool
	building chan error
	// unlinked are the refreshed entries whose other pages are still as they
	// were; linking ends when those under way are written.
	unlinked map[string]bool
	linking  chan error
}

// Run keeps the site fresh until ctx ends. It begins with a build.
func (k *Rebuilder) Run(ctx context.Context) error {
	k.fresh, k.unlinked, k.checked = map[string]bool{}, map[string]bool{}, k.Clock()
	err := k.Store.View(ctx, func(tx catalog.Tx) (err error) {
		k.cursor, err = tx.Events().Last(ctx)
		return err
	})
	if err != nil {
		return err
	}
	grown := k.Grown()
	k.unread = true
	k.begin(ctx)
	tick := time.NewTicker(cmp.Or(k.Poll, DefaultPoll))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			for _, under := range []chan error{k.building, k.linking} {
				if under != nil {
					<-under //nolint:errcheck // the end of ctx broke it off
				}
			}
			return nil
		case err := <-k.building:
			k.end(ctx, err)
		case err := <-k.linking:
			if k.linking = nil; err != nil && ctx.Err() == nil {
				k.Log.Error("rebuild", "error", err)
			}
		case <-grown:
			grown, k.unread = k.Grown(), true
			k.turn(ctx)
		case <-tick.C:
			k.turn(ctx)
		}
	}
}

func (k *Rebuilder) turn(ctx context.Context) {
	if err := k.look(ctx); err != nil && ctx.Err() == nil {
		k.Log.Error("rebuild", "error", err)
	}
	k.maybeBuild(ctx)
	k.maybeLink(ctx)
}

// look refreshes what changed since the last look.
func (k *Rebuilder) look(ctx context.Context) error {
	now := k.Clock()
	var ids []string
	changed, cursor := false, k.cursor
	if k.unread {
		var err error
		if ids, changed, cursor, err = changes(ctx, k.Store, cursor); err != nil {
			return err
		}
	}
	if !k.next.IsZero() && !k.next.After(now) {
		due, err := k.published(ctx, now)
		if err != nil {
			return err
		}
		ids, changed = append(ids, due...), true
	}
	// Scores move with the UTC day (decisions §2).
	if day(now).After(day(k.checked)) {
		changed = true
	}
	if changed {
		if k.last = now; k.first.IsZero() {
			k.first = now
		}
	}
	if len(ids) > 0 && len(ids) <= bulk {
		if err := k.refresh(ctx, now, ids); err != nil {
			return err
		}
	}
	k.cursor, k.checked, k.unread = cursor, now, false
	return nil
}

func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// changes reads the events after one and lists the entries that they are
// about. The cursor is the number of the last one.
func changes(ctx context.Context, st catalog.Store, after int64) (ids []string, changed bool, cursor int64, err error) {
	seen := map[string]bool{}
	cursor = after
	for {
		var list []catalog.Event
		err := st.View(ctx, func(tx catalog.Tx) (err error) {
			list, err = tx.Events().After(ctx, cursor, eventsRead)
			return err
		})
		if err != nil {
			return nil, false, cursor, err
		}
		for i := range list {
			e := &list[i]
			cursor = e.Number
			if !counts(e.Type) {
				continue
			}
			changed = true
			if e.EntryID != "" {
				seen[e.EntryID] = true
			}
		}
		if len(list) < eventsRead {
			return slices.Sorted(maps.Keys(seen)), changed, cursor, nil
		}
	}
}

// counts tells whether an event is a change that a build shows: what builds
// write themselves is none, and neither is what only moderators see.
func counts(kind catalog.EventKind) bool {
	switch kind {
	case catalog.EventScoreChanged, catalog.EventCatalogBuilt, catalog.EventSubmissionReceived, catalog.EventSubmissionApproved,
		catalog.EventSubmissionRejected, catalog.EventHostFailing, catalog.EventHostRecovered:
		return false
	}
	return true
}

// published lists the entries that became public by themselves since the last
// look.
func (k *Rebuilder) published(ctx context.Context, now time.Time) (ids []string, err error) {
	err = k.Store.View(ctx, func(tx catalog.Tx) error {
		ids = nil
		return tx.Entries().Keys(ctx, func(key *catalog.Key) error {
			if key.Visible(now) && key.PublishedAt.After(k.checked) {
				ids = append(ids, key.ID)
			}
			return nil
		})
	})
	return ids, err
}

func (k *Rebuilder) refresh(ctx context.Context, now time.Time, ids []string) error {
	k.mu.Lock()
	for _, id := range ids {
		k.fresh[id] = true // before its pages appear, so that a build spares them
	}
	k.mu.Unlock()
	began := time.Now()
	done, err := k.Refresh(ctx, now, ids)
	if err != nil {
		return err
	}
	if len(ids) > 0 {
		k.Log.Info("refreshed", "entries", len(ids), "visible", len(done.Visible), "gone", len(done.Gone), "ms", time.Since(began).Milliseconds())
	}
	k.next = done.Next
	for _, id := range ids {
		k.unlinked[id] = true
	}
	return nil
}

// maybeBuild begins a build when changes have calmed down or have waited long
// enough.
func (k *Rebuilder) maybeBuild(ctx context.Context) {
	now := k.Clock()
	if k.building != nil || k.first.IsZero() || now.Before(k.notBefore) {
		return
	}
	if now.Sub(k.last) >= cmp.Or(k.Quiet, DefaultQuiet) || now.Sub(k.first) >= cmp.Or(k.Latest, DefaultLatest) {
		k.begin(ctx)
	}
}

// linkMax is how many entries are linked at a time.
const linkMax = 200

// maybeLink begins to write the pages of refreshed entries that name others.
func (k *Rebuilder) maybeLink(ctx context.Context) {
	if k.Link == nil || k.linking != nil || k.building != nil || len(k.unlinked) == 0 {
		return
	}
	ids := slices.Sorted(maps.Keys(k.unlinked))
	ids = ids[:min(len(ids), linkMax)]
	for _, id := range ids {
		delete(k.unlinked, id)
	}
	done, at := make(chan error, 1), k.Clock()
	k.linking = done
	go func() { done <- k.Link(ctx, at, ids) }()
}

func (k *Rebuilder) begin(ctx context.Context) {
	k.mu.Lock()
	k.fresh = map[string]bool{}
	k.mu.Unlock()
	k.first, k.last = time.Time{}, time.Time{}
	done, at := make(chan error, 1), k.Clock()
	k.building = done
	go func() { done <- k.Build(ctx, at, k.refreshed) }()
}

// refreshed tells of an entry while the set grows.
func (k *Rebuilder) refreshed(entry string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.fresh[entry]
}

// end takes up what a build left: the entries that changed while it ran are
// refreshed once more, as it may have written over them just before.
func (k *Rebuilder) end(ctx context.Context, err error) {
	k.building = nil
	if err != nil && ctx.Err() == nil {
		k.Log.Error("rebuild", "error", err)
		if k.notBefore = k.Clock().Add(buildRetry); k.first.IsZero() {
			k.first, k.last = k.Clock(), k.Clock()
		}
		return
	}
	k.mu.Lock()
	ids := slices.Sorted(maps.Keys(k.fresh))
	k.mu.Unlock()
	// Without any, this learns when the next entry becomes public.
	if err := k.refresh(ctx, k.Clock(), ids); err != nil && ctx.Err() == nil {
		k.Log.Error("rebuild", "error", err)
	}
}
