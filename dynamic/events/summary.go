package events

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Summary is the operation getFeedSummary.
func (f *Feed) Summary(w http.ResponseWriter, r *http.Request) error {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		return invalid(wire.ProblemError{Location: "query." + web.Shorten(name), Message: "unknown parameter; this resource has none"})
	}
	var s wire.FeedSummary
	err = f.store.View(r.Context(), func(tx catalog.Tx) error {
		s, err = f.summary(r.Context(), tx)
		return err
	})
	if err != nil {
		return err
	}
	s.Links = f.links(wire.RouteFeed + "?cursor=" + s.EndCursor)
	return f.write(w, r, s, "")
}

// summary looks at the latest numbers of the log only, so that its cost does
// not grow with the register.
func (f *Feed) summary(ctx context.Context, tx catalog.Tx) (wire.FeedSummary, error) {
	s := wire.FeedSummary{BeginCursor: wire.Cursor(0), Types: []wire.TypeCount{}}
	last, err := tx.Events().Last(ctx)
	if err != nil {
		return s, err
	}
	s.EndCursor = wire.Cursor(last)
	list, entries, err := read(ctx, tx, max(0, last-wire.SummaryOver), wire.SummaryOver)
	if err != nil {
		return s, err
	}
	counts := map[catalog.EventKind]int{}
	for i := range list {
		e, ok := wire.NewFeedEvent(f.site(), &list[i], entries[list[i].EntryID])
		if !ok {
			continue
		}
		if s.Counted++; s.Counted == 1 {
			s.Since = &e.OccurredAt
		}
		counts[e.Type]++
		s.Latest = &e
	}
	for _, kind := range catalog.EventKinds() {
		if n := counts[kind]; n > 0 {
			s.Types = append(s.Types, wire.TypeCount{Type: kind, Count: n})
		}
	}
	return s, nil
}
