package build

import (
	"context"
	"fmt"
	"slices"

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
	entries, err := catalog.EntriesOf(ctx, tx, list)
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
