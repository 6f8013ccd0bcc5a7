package notify

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// TestClockThatRanAhead: what a process wrote whose clock was a year ahead, and
// died while it held the endpoint, keeps no message from being delivered.
func TestClockThatRanAhead(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s catalog.Store) {
		var got atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { got.Add(1) }))
		t.Cleanup(server.Close)
		now := time.Now().UTC()
		ahead := now.AddDate(1, 0, 0)
		resting := catalog.Webhook{ID: catalog.NewID("webhook", "1"), URL: server.URL, State: catalog.WebhookActive, CreatedAt: now, UpdatedAt: now}
		resting.Rotate(NewSecret(), now, now)
		held := resting
		held.ID = catalog.NewID("webhook", "2")
		resting.NotBefore = ahead
		ctx := t.Context()
		err := s.Update(ctx, func(tx catalog.Tx) error {
			if err := tx.Webhooks().Put(ctx, resting, held); err != nil {
				return err
			}
			for _, w := range []*catalog.Webhook{&resting, &held} {
				late := catalog.Delivery{ID: "msg_" + w.ID, WebhookID: w.ID, Type: "entry.created", State: catalog.DeliveryPending, NextAt: ahead, CreatedAt: now, Body: `{}`}
				if err := tx.Deliveries().Add(ctx, late); err != nil {
					return err
				}
			}
			_, err := tx.Webhooks().Lease(ctx, "dead", ahead, ahead.Add(time.Minute), held.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		background(t, hasty(s).Run)
		until(t, "both endpoints have their message", func() bool { return got.Load() == 2 })
	})
}

// TestLongestPause: no pause that is meant is taken for that of a clock that ran
// ahead.
func TestLongestPause(t *testing.T) {
	t.Parallel()
	for _, d := range append(Schedule(), retryAfterMax) {
		if longest := time.Duration(float64(d) * (1 + jitter)); longest >= catalog.LongestPause {
			t.Errorf("a pause of %s may last %s", d, longest)
		}
	}
}
