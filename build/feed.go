package build

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/events"
	"github.com/assay-register/assay/render/wire"
)

// feed writes the change feed as static pages.
func (r *run) feed(st catalog.Store) func(context.Context) error {
	return func(ctx context.Context) error {
		return st.View(ctx, func(tx catalog.Tx) error {
			last, err := lastTold(ctx, tx)
			if err != nil {
				return err
			}
			for n := 1; n <= events.Full(last); n++ {
				if err := r.feedPage(ctx, tx, n); err != nil {
					return fmt.Errorf("page %d: %w", n, err)
				}
			}
			after, _ := events.Range(events.Full(last) + 1)
			list, err := r.told(ctx, tx, after, last)
			if err != nil {
				return err
			}
			head, err := events.Head(r.opts.Site, last, list)
			if err != nil {
				return err
			}
			return r.single(head)
		})
	}
}

func (r *run) feedPage(ctx context.Context, tx catalog.Tx, n int) error {
	after, through := events.Range(n)
	list, err := r.told(ctx, tx, after, through)
	if err != nil {
		return err
	}
	page, err := events.Page(r.opts.Site, n, list)
	if err != nil {
		return err
	}
	return r.single(page)
}

// told are the public events of a range of numbers.
func (r *run) told(ctx context.Context, tx catalog.Tx, after, through int64) ([]wire.FeedEvent, error) {
	list, err := tx.Events().After(ctx, after, int(through-after))
	if err != nil {
		return nil, err
	}
	entries, err := r.entriesOf(ctx, tx, list)
	if err != nil {
		return nil, err
	}
	var out []wire.FeedEvent
	for i := range list {
		// Numbers may have gaps, so more than the range can have come.
		if list[i].Number > through {
			break
		}
		if e, ok := wire.NewFeedEvent(r.opts.Site, &list[i], entries[list[i].EntryID]); ok {
			out = append(out, e)
		}
	}
	return out, nil
}

// entriesOf are the entries of events, by their ids. Of most events the feed says only what the catalogue knows of
// the entry: reading the entries would make a build cost what has ever happened.
func (r *run) entriesOf(ctx context.Context, tx catalog.Tx, list []catalog.Event) (map[string]*catalog.Entry, error) {
	known := map[string]*catalog.Entry{}
	rest := list[:0:0]
	for i := range list {
		if e := r.known(&list[i]); e != nil {
			known[e.ID] = e
		} else {
			rest = append(rest, list[i])
		}
	}
	entries, err := catalog.EntriesOf(ctx, tx, rest)
	for id, e := range known {
		if entries != nil && entries[id] == nil {
			entries[id] = e
		}
	}
	return entries, err
}

// known is what the catalogue knows of the entry of an event, nil where that does not do: it left at the event, or
// was published in the second of it.
func (r *run) known(e *catalog.Event) *catalog.Entry {
	i := r.catalog.ByID(e.EntryID)
	if i < 0 || wire.Departs(e.Type) {
		return nil
	}
	l := &r.catalog.Lines[i]
	entry := &catalog.Entry{ID: l.ID, Type: l.Type, PublishedAt: time.Unix(l.Published+1, 0)}
	if l.Published == 0 || !e.Public(entry) {
		return nil
	}
	return entry
}

// byBuild are the events that a build itself writes. They never trigger one, so
// a build that finds nothing else since the last one changes no page for them.
var byBuild = []catalog.EventKind{catalog.EventCatalogBuilt, catalog.EventScoreChanged}

// lastTold is the number of the last event that no build wrote.
func lastTold(ctx context.Context, tx catalog.Tx) (int64, error) {
	last, err := tx.Events().Last(ctx)
	for err == nil && last > 0 {
		after := max(0, last-wire.FeedPageSize)
		var list []catalog.Event
		if list, err = tx.Events().After(ctx, after, int(last-after)); err != nil {
			break
		}
		for _, e := range slices.Backward(list) {
			if e.Number <= last && !slices.Contains(byBuild, e.Type) {
				return e.Number, nil
			}
		}
		last = after
	}
	return last, err
}
