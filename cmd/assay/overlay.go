package main

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// searcher is a service whose searches take an overlay, which ends with the
// snapshot that it lies over.
type searcher interface {
	Snapshot() string
	Current() *snapshot.Catalog
	Overlay(changes []query.Change) error
}

// searchOverlay tells a service what changed since the build whose snapshot it
// serves.
type searchOverlay struct {
	log *slog.Logger

	mu      sync.Mutex
	service searcher
	changes map[string]change
	// builds counts those that ended, newest is the snapshot of the last one,
	// over the snapshot that the overlay lies over.
	builds       int
	newest, over string
}

// change is a change and how many builds had ended when it was told: a later
// one shows it.
type change struct {
	query.Change
	builds int
}

// serve names the service.
func (o *searchOverlay) serve(s searcher) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.service = s
}

// told takes over what was refreshed.
func (o *searchOverlay) told(r build.Refreshed) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.changes == nil {
		o.changes = map[string]change{}
	}
	put := func(c query.Change) {
		if _, known := o.changes[c.ID]; known || len(o.changes) < query.OverlayMax {
			o.changes[c.ID] = change{c, o.builds}
		}
	}
	for i := range r.Visible {
		e := &r.Visible[i]
		put(query.Change{ID: e.Line.ID, Line: &e.Line, Item: e.Item, Document: e.Document})
	}
	for _, id := range r.Gone {
		put(query.Change{ID: id})
	}
	if len(r.Visible)+len(r.Gone) > 0 {
		o.send()
	}
}

// followed takes over what a tailer tells; anew, it is all that there is.
func (o *searchOverlay) followed(anew bool, r build.Refreshed) {
	if anew {
		o.mu.Lock()
		o.changes = nil
		o.mu.Unlock()
	}
	o.told(r)
}

// tailer tells the overlay what changed since the snapshot that is served,
// whoever builds the site.
func (o *searchOverlay) tailer(st catalog.Store) *build.Tailer {
	return &build.Tailer{Store: st, Clock: now, Max: query.OverlayMax, Notify: o.followed,
		Served: func() (string, int64) {
			if c := o.served(); c != nil {
				return c.ID, c.Through
			}
			return "", 0
		},
		Preview: func(ctx context.Context, at time.Time, ids []string) (build.Refreshed, error) {
			c := o.served()
			if c == nil {
				return build.Refreshed{}, nil
			}
			return build.Preview(ctx, st, c.Site, at, ids)
		}}
}

func (o *searchOverlay) served() *snapshot.Catalog {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.service == nil {
		return nil
	}
	return o.service.Current()
}

// built notes that a build ended with a snapshot.
func (o *searchOverlay) built(snapshot string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.builds++
	o.newest = snapshot
}

// send gives the service all changes; one without a search index has no use
// for them.
func (o *searchOverlay) send() {
	if o.service == nil {
		return
	}
	var list []query.Change
	for _, c := range slices.SortedFunc(maps.Values(o.changes), func(a, b change) int { return strings.Compare(a.ID, b.ID) }) {
		list = append(list, c.Change)
	}
	o.over = o.service.Snapshot()
	if err := o.service.Overlay(list); err != nil {
		o.log.Warn("search does not show the latest changes", "error", err)
	}
}

// renew lays the overlay over a new snapshot, without what that shows itself.
func (o *searchOverlay) renew() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.service == nil || o.service.Snapshot() == o.over {
		return
	}
	if o.service.Snapshot() == o.newest {
		maps.DeleteFunc(o.changes, func(_ string, c change) bool { return c.builds < o.builds })
	}
	o.send()
}
