// Package events answers the change feed: the public part of the event log,
// read by a cursor that never expires.
package events

import (
	"context"
	"fmt"
	"net/http"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

const (
	// scanMax is how many events one request looks at: a filter that fits
	// few of them gets an answer with has_more instead of a long wait.
	scanMax = 20_000
	// batch is how many are read at a time.
	batch = 1000
)

// Feed answers from the event log of a store.
type Feed struct {
	store catalog.Store
	site  func() snapshot.Site
}

// New makes the feed; site tells under which address the register answers.
func New(store catalog.Store, site func() snapshot.Site) *Feed { return &Feed{store, site} }

// List is the operation listEvents.
func (f *Feed) List(w http.ResponseWriter, r *http.Request) error {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	q, err := parse(values)
	if err != nil {
		return err
	}
	var page wire.FeedPage
	err = f.store.View(r.Context(), func(tx catalog.Tx) error {
		if err := q.resolve(r.Context(), tx); err != nil {
			return err
		}
		page, err = f.page(r.Context(), tx, q)
		return err
	})
	if err != nil {
		return err
	}
	page.Links = f.links(q.at(page.NextCursor))
	return f.write(w, r, page, `<`+page.Links.Next+`>; rel="next"`)
}

func (f *Feed) links(next string) wire.FeedLinks {
	return wire.FeedLinks{Next: wire.Path(f.site(), next), Head: wire.Path(f.site(), wire.RouteFeedHead)}
}

func (f *Feed) write(w http.ResponseWriter, r *http.Request, v any, link string) error {
	body, err := jsonx.Marshal(v)
	if err != nil {
		return err
	}
	d := web.Document{Head: web.Head{Type: artifact.JSON, Cache: web.CacheMutable, Link: link}, Body: web.NewBody(body)}
	return d.Write(w, r)
}

// page reads on from the cursor until the page is full, the log ends or enough
// was looked at.
func (f *Feed) page(ctx context.Context, tx catalog.Tx, q *request) (wire.FeedPage, error) {
	page := wire.FeedPage{Events: []wire.FeedEvent{}}
	last, err := tx.Events().Last(ctx)
	if err != nil {
		return page, err
	}
	if q.after > last {
		return page, ahead(q.cursor)
	}
	at := q.after
	for scanned := 0; at < last && len(page.Events) < q.limit && scanned < scanMax; {
		list, entries, err := read(ctx, tx, at, batch)
		if err != nil {
			return page, err
		}
		if len(list) == 0 {
			at = last
			break
		}
		scanned += len(list)
		at = q.take(f.site(), list, entries, &page)
	}
	page.NextCursor, page.HasMore = wire.Cursor(at), at < last
	return page, nil
}

// take adds what passes the filter until the page is full, and tells up to
// which number it came.
func (q *request) take(site snapshot.Site, list []catalog.Event, entries map[string]*catalog.Entry, page *wire.FeedPage) (at int64) {
	for i := range list {
		e := &list[i]
		entry := entries[e.EntryID]
		if !q.filter.Match(e, entry) {
			at = e.Number
			continue
		}
		if len(page.Events) == q.limit {
			return at
		}
		if shown, ok := wire.NewFeedEvent(site, e, entry); ok {
			page.Events = append(page.Events, shown)
		}
		at = e.Number
	}
	return at
}

// read returns the next events and the entries that they are about.
func read(ctx context.Context, tx catalog.Tx, after int64, limit int) ([]catalog.Event, map[string]*catalog.Entry, error) {
	list, err := tx.Events().After(ctx, after, limit)
	if err != nil {
		return nil, nil, err
	}
	entries, err := catalog.EntriesOf(ctx, tx, list)
	if err != nil {
		return nil, nil, fmt.Errorf("entries of events after %d: %w", after, err)
	}
	return list, entries, nil
}
