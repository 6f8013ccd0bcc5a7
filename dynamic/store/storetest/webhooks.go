package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var webhookTests = map[string]func(*testing.T, catalog.Store){
	"WebhookFields":    testWebhookFields,
	"WebhookReady":     testWebhookReady,
	"WebhookLease":     testWebhookLease,
	"WebhookDelete":    testWebhookDelete,
	"DeliveryDue":      testDeliveryDue,
	"DeliveryList":     testDeliveryList,
	"DeliveryKeepBody": testDeliveryKeepBody,
	"DeliveryPrune":    testDeliveryPrune,
	"WebhookRewind":    testWebhookRewind,
	"DeliveryRewind":   testDeliveryRewind,
}

func newWebhook(n int) catalog.Webhook {
	at := day.Add(time.Duration(n) * time.Minute)
	return catalog.Webhook{ID: catalog.NewID("webhook", fmt.Sprint(n)), URL: "https://hooks.example/", State: catalog.WebhookActive, CreatedAt: at, UpdatedAt: at}
}

func newDelivery(w *catalog.Webhook, n int64) catalog.Delivery {
	at := day.Add(time.Duration(n) * time.Second)
	return catalog.Delivery{ID: fmt.Sprintf("msg_%s_%d", w.ID[:8], n), WebhookID: w.ID, Event: n, Type: "entry.created",
		State: catalog.DeliveryPending, NextAt: at, CreatedAt: at, Body: fmt.Sprintf(`{"n":%d}`, n)}
}

func addDeliveries(t *testing.T, s catalog.Store, list ...catalog.Delivery) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Deliveries().Add(ctx, list...) })
}

func putWebhooks(t *testing.T, s catalog.Store, list ...catalog.Webhook) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Webhooks().Put(ctx, list...) })
}

func testWebhookFields(t *testing.T, s catalog.Store) {
	want := filled[catalog.Webhook](t, 1)
	other := newWebhook(1)
	putWebhooks(t, s, want, other)
	want.Description, want.Cursor = "changed", 7
	putWebhooks(t, s, want)
	d := filled[catalog.Delivery](t, 1)
	addDeliveries(t, s, d)
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Webhooks().Get(ctx, want.ID)
		if err != nil {
			return err
		}
		wantEqual(t, "webhook", *got, want)
		_, err = tx.Webhooks().Get(ctx, "unknown")
		wantErr(t, "unknown webhook", err, catalog.ErrNotFound)
		all, err := tx.Webhooks().All(ctx)
		if err != nil {
			return err
		}
		wantEqual(t, "webhooks", len(all), 2)
		back, err := tx.Deliveries().Get(ctx, d.ID)
		if err != nil {
			return err
		}
		wantEqual(t, "delivery", *back, d)
		_, err = tx.Deliveries().Get(ctx, "unknown")
		wantErr(t, "unknown delivery", err, catalog.ErrNotFound)
		return nil
	})
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Webhooks().Put(ctx, catalog.Webhook{ID: "x"})
	})
	wantErr(t, "webhook without state", err, catalog.ErrInvalid)
	err = tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Deliveries().Add(ctx, catalog.Delivery{ID: "x"})
	})
	wantErr(t, "delivery without webhook", err, catalog.ErrInvalid)
}

func ready(t *testing.T, s catalog.Store, at time.Time) (ids []string) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
		ids, err = tx.Webhooks().Ready(ctx, at, 10)
		return err
	})
	return ids
}

func testWebhookReady(t *testing.T, s catalog.Store) {
	active, asleep, unverified, disabled := newWebhook(1), newWebhook(2), newWebhook(3), newWebhook(4)
	asleep.NotBefore = day.Add(time.Hour)
	unverified.State, disabled.State = catalog.WebhookUnverified, catalog.WebhookDisabled
	putWebhooks(t, s, active, asleep, unverified, disabled)
	wantEqual(t, "nothing to do", ready(t, s, day), []string(nil))
	put(t, s, newEntry(1))
	wantEqual(t, "events to take", ready(t, s, day), []string{active.ID})
	active.Cursor = lastEvent(t, s)
	putWebhooks(t, s, active)
	addDeliveries(t, s, newDelivery(&unverified, 5), newDelivery(&disabled, 5))
	wantEqual(t, "too early", ready(t, s, day), []string(nil))
	wantEqual(t, "a delivery is due", ready(t, s, day.Add(5*time.Second)), []string{unverified.ID})
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Deliveries().Cancel(ctx, unverified.ID, day) })
	wantEqual(t, "it was cancelled", ready(t, s, day.Add(5*time.Second)), []string(nil))
	wantEqual(t, "the pause is over", ready(t, s, day.Add(time.Hour)), []string{asleep.ID})
}

func testWebhookLease(t *testing.T, s catalog.Store) {
	w := newWebhook(1)
	putWebhooks(t, s, w)
	addDeliveries(t, s, newDelivery(&w, 1))
	at := day.Add(time.Minute)
	lease := func(worker string, now time.Time) (n int) {
		update(t, s, func(ctx context.Context, tx catalog.Tx) error {
			got, err := tx.Webhooks().Lease(ctx, worker, now, now.Add(time.Minute), w.ID)
			n = len(got)
			return err
		})
		return n
	}
	wantEqual(t, "first lease", lease("a", at), 1)
	wantEqual(t, "second lease", lease("b", at), 0)
	w.Description = "changed"
	putWebhooks(t, s, w)
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		worker, until, err := tx.Webhooks().Leased(ctx, w.ID, at)
		wantEqual(t, "holder", worker, "a")
		wantEqual(t, "end", until, at.Add(time.Minute))
		return err
	})
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Webhooks().Release(ctx, w.ID, "b", at) })
	wantEqual(t, "released by another", lease("b", at), 0)
	wantEqual(t, "expired", lease("b", at.Add(time.Minute)), 1)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Webhooks().Release(ctx, w.ID, "b", at.Add(time.Minute))
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		worker, _, err := tx.Webhooks().Leased(ctx, w.ID, at)
		wantEqual(t, "holder", worker, "")
		return err
	})
	other := newWebhook(0)
	putWebhooks(t, s, other)
	addDeliveries(t, s, newDelivery(&other, 1))
	wantEqual(t, "served last, ready last", ready(t, s, at.Add(time.Hour)), []string{other.ID, w.ID})
}

func testWebhookDelete(t *testing.T, s catalog.Store) {
	w := newWebhook(1)
	putWebhooks(t, s, w)
	d := newDelivery(&w, 1)
	addDeliveries(t, s, d)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Webhooks().Delete(ctx, w.ID) })
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		_, err := tx.Deliveries().Get(ctx, d.ID)
		wantErr(t, "its delivery", err, catalog.ErrNotFound)
		return nil
	})
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Webhooks().Delete(ctx, w.ID) })
	wantErr(t, "deleted again", err, catalog.ErrNotFound)
}

func due(t *testing.T, s catalog.Store, w *catalog.Webhook, at time.Time, limit int) (events []int64) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		list, err := tx.Deliveries().Due(ctx, w.ID, at, limit)
		for i := range list {
			events = append(events, list[i].Event)
		}
		return err
	})
	return events
}

func testDeliveryDue(t *testing.T, s catalog.Store) {
	w, other := newWebhook(1), newWebhook(2)
	late, done := newDelivery(&w, 9), newDelivery(&w, 2)
	done.State = catalog.DeliveryDelivered
	addDeliveries(t, s, newDelivery(&w, 3), newDelivery(&w, 1), done, late, newDelivery(&other, 1))
	wantEqual(t, "due", due(t, s, &w, day.Add(5*time.Second), 10), []int64{1, 3})
	wantEqual(t, "the first", due(t, s, &w, day.Add(5*time.Second), 1), []int64{1})
	wantEqual(t, "all", due(t, s, &w, day.Add(time.Minute), 10), []int64{1, 3, 9})
}

func testDeliveryList(t *testing.T, s catalog.Store) {
	w := newWebhook(1)
	var list []catalog.Delivery
	for n := range int64(5) {
		d := newDelivery(&w, n+1)
		if n%2 == 0 {
			d.State = catalog.DeliveryFailed
		}
		list = append(list, d)
	}
	addDeliveries(t, s, list...)
	ask := func(f catalog.DeliveryFilter) (events []int64) {
		f.WebhookID = w.ID
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			got, err := tx.Deliveries().List(ctx, f)
			for i := range got {
				events = append(events, got[i].Event)
			}
			return err
		})
		return events
	}
	wantEqual(t, "newest first", ask(catalog.DeliveryFilter{Limit: 3}), []int64{5, 4, 3})
	wantEqual(t, "older ones", ask(catalog.DeliveryFilter{Before: list[2].ID}), []int64{2, 1})
	wantEqual(t, "failed ones", ask(catalog.DeliveryFilter{State: catalog.DeliveryFailed}), []int64{5, 3, 1})
}

func testDeliveryKeepBody(t *testing.T, s catalog.Store) {
	w := newWebhook(1)
	d := newDelivery(&w, 1)
	addDeliveries(t, s, d)
	again := d
	again.Body, again.State = "other", catalog.DeliveryFailed
	addDeliveries(t, s, again)
	get := func() (got *catalog.Delivery) {
		view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
			got, err = tx.Deliveries().Get(ctx, d.ID)
			return err
		})
		return got
	}
	wantEqual(t, "added again", *get(), d)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Deliveries().Put(ctx, again) })
	again.Body = d.Body
	wantEqual(t, "put", *get(), again)
}

func testDeliveryPrune(t *testing.T, s catalog.Store) {
	w := newWebhook(1)
	var list []catalog.Delivery
	for n := range int64(6) {
		d := newDelivery(&w, n)
		if n != 1 {
			d.State = catalog.DeliveryDelivered
		}
		list = append(list, d)
	}
	addDeliveries(t, s, list...)
	prune := func(limit int) (n int64) {
		update(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
			n, err = tx.Deliveries().Prune(ctx, day.Add(4*time.Second), limit)
			return err
		})
		return n
	}
	wantEqual(t, "the first", prune(1), int64(1))
	wantEqual(t, "the rest", prune(10), int64(2))
	wantEqual(t, "pending ones stay", due(t, s, &w, day.Add(time.Hour), 10), []int64{1})
}

// testWebhookRewind: what a clock wrote that ran a year ahead keeps no endpoint.
func testWebhookRewind(t *testing.T, s catalog.Store) {
	at, ahead := day.Add(time.Minute), day.AddDate(1, 0, 0)
	leased, released, asleep, fine := newWebhook(1), newWebhook(2), newWebhook(3), newWebhook(4)
	asleep.NotBefore, asleep.FailingSince = ahead, ahead
	fine.NotBefore, fine.FailingSince = at.Add(24*time.Hour), day
	for _, w := range []catalog.Webhook{leased, released, asleep, fine} {
		putWebhooks(t, s, w)
		addDeliveries(t, s, newDelivery(&w, 1))
	}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if _, err := tx.Webhooks().Lease(ctx, "dead", at, ahead, leased.ID, released.ID); err != nil {
			return err
		}
		return tx.Webhooks().Release(ctx, released.ID, "dead", ahead)
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		worker, _, err := tx.Webhooks().Leased(ctx, leased.ID, at)
		wantEqual(t, "holder by a clock that ran ahead", worker, "")
		return err
	})
	rewind := func() (n int64) {
		update(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
			n, err = tx.Webhooks().Rewind(ctx, at)
			return err
		})
		return n
	}
	wantEqual(t, "changed", rewind(), int64(1))
	wantEqual(t, "changed again", rewind(), int64(0))
	free := ready(t, s, at)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Webhooks().Lease(ctx, "w", at, at.Add(time.Minute), free...)
		wantEqual(t, "leased", len(got), 3)
		return err
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		w, err := tx.Webhooks().Get(ctx, asleep.ID)
		wantEqual(t, "fails since", w.FailingSince, at)
		return err
	})
}

func testDeliveryRewind(t *testing.T, s catalog.Store) {
	w, ahead := newWebhook(1), day.AddDate(1, 0, 0)
	late, made, fine, done := newDelivery(&w, 1), newDelivery(&w, 2), newDelivery(&w, 3), newDelivery(&w, 4)
	late.NextAt = ahead
	made.CreatedAt, made.NextAt = day.Add(2*time.Hour), day.Add(2*time.Hour)
	fine.NextAt = day.Add(26 * time.Hour)
	done.NextAt, done.State = ahead, catalog.DeliveryFailed
	addDeliveries(t, s, late, made, fine, done)
	rewind := func() (n int64) {
		update(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
			n, err = tx.Deliveries().Rewind(ctx, day)
			return err
		})
		return n
	}
	wantEqual(t, "changed", rewind(), int64(2))
	wantEqual(t, "changed again", rewind(), int64(0))
	wantEqual(t, "due", due(t, s, &w, day, 9), []int64{1, 2})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		d, err := tx.Deliveries().Get(ctx, late.ID)
		wantEqual(t, "shown as due", d.NextAt, day)
		return err
	})
}
