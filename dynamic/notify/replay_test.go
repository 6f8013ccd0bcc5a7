package notify

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// TestDeliveriesAreWhatAReplayShows lets a webhook look at the log between the
// check of a submission and its approval, which comes within the same second: it
// must get what the change feed shows afterwards.
func TestDeliveriesAreWhatAReplayShows(t *testing.T) {
	onBoth(t, func(t *testing.T, s catalog.Store) {
		now := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
		d := New(Config{Store: s, Client: http.DefaultClient, Site: func() snapshot.Site { return snapshot.Site{} }, Now: func() time.Time { return now }})
		w := catalog.Webhook{ID: "w", State: catalog.WebhookActive, CreatedAt: now, UpdatedAt: now}
		e := catalog.Entry{ID: catalog.EntryID("rain", "", 1), Slug: "rain", Type: catalog.TypeAPI, Name: "rain", UpstreamRef: "rain", IdentityKey: "rain", MatchKey: "rain",
			Status: catalog.StatusPending, CreatedAt: now, UpdatedAt: now}
		write := func(kind catalog.EventKind) {
			t.Helper()
			if err := s.Update(t.Context(), func(tx catalog.Tx) error {
				if err := tx.Entries().Put(t.Context(), catalog.Write{Entry: &e, Events: []catalog.Event{{Type: kind, OccurredAt: now}}}); err != nil {
					return err
				}
				return d.take(t.Context(), tx, &w)
			}); err != nil {
				t.Fatal(err)
			}
		}
		write(catalog.EventUpdated)
		now = now.Add(300 * time.Millisecond)
		e.Status, e.PublishedAt = catalog.StatusActive, now
		write(catalog.EventCreated)
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			log, err := tx.Events().After(ctx, 0, 10)
			if err != nil {
				return err
			}
			told, err := tx.Deliveries().List(ctx, catalog.DeliveryFilter{WebhookID: w.ID})
			got := map[int64]bool{}
			for _, m := range told {
				got[m.Event] = true
			}
			for i := range log {
				if _, shown := wire.NewFeedEvent(snapshot.Site{}, &log[i], &e); shown != got[log[i].Number] {
					t.Errorf("event %d, %s: the feed shows it is %t, the webhook got it is %t", log[i].Number, log[i].Type, shown, got[log[i].Number])
				}
			}
			return err
		})
	})
}
