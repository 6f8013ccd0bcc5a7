package notify

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// settle writes down what became of attempts, and what follows for the
// endpoint; the caller stores the endpoint.
func (d *Dispatcher) settle(ctx context.Context, tx catalog.Tx, w *catalog.Webhook, done []result) error {
	wasDisabled := w.State == catalog.WebhookDisabled
	list := make([]catalog.Delivery, len(done))
	for i := range done {
		m, err := tx.Deliveries().Get(ctx, done[i].delivery.ID)
		if err != nil {
			return err
		}
		if again := m.State == catalog.DeliveryPending && !m.NextAt.Equal(done[i].delivery.NextAt); again {
			// It was asked for once more meanwhile: that attempt is still to come.
			list[i] = *m
			continue
		}
		m.Note(done[i].attempt)
		if done[i].ok {
			if err := d.succeed(ctx, tx, w, m); err != nil {
				return err
			}
		} else {
			d.fail(w, m, &done[i])
		}
		list[i] = *m
	}
	for i := range list {
		if w.State == catalog.WebhookDisabled && list[i].State == catalog.DeliveryPending {
			list[i].State, list[i].DoneAt = catalog.DeliveryCancelled, d.Now().UTC()
		}
	}
	if err := tx.Deliveries().Put(ctx, list...); err != nil {
		return err
	}
	if w.State != catalog.WebhookDisabled || wasDisabled {
		return nil
	}
	d.Log.Warn("webhook disabled", "webhook", w.ID, "reason", w.DisabledReason)
	if err := tx.Deliveries().Cancel(ctx, w.ID, d.Now().UTC()); err != nil {
		return err
	}
	if d.Notice {
		if _, err := tx.Jobs().Enqueue(ctx, NewDisabledJob(w, d.Now().UTC())); err != nil {
			return err
		}
	}
	return tx.Audits().Append(ctx, catalog.AuditRow{At: d.Now().UTC(), Name: "register", Action: "disableWebhook", Subject: w.ID, Reason: w.DisabledReason})
}

func (d *Dispatcher) succeed(ctx context.Context, tx catalog.Tx, w *catalog.Webhook, m *catalog.Delivery) error {
	m.State, m.DoneAt = catalog.DeliveryDelivered, d.Now().UTC()
	w.FailureStreak, w.FailingSince, w.NotBefore = 0, time.Time{}, time.Time{}
	if m.Type != catalog.MessageVerify || w.State != catalog.WebhookUnverified {
		return nil
	}
	last, err := tx.Events().Last(ctx)
	if err != nil {
		return err
	}
	w.State, w.VerifiedAt, w.UpdatedAt, w.Cursor, w.ReplayThrough = catalog.WebhookActive, m.DoneAt, m.DoneAt, last, 0
	return nil
}

func (d *Dispatcher) fail(w *catalog.Webhook, m *catalog.Delivery, r *result) {
	now := d.Now().UTC()
	w.FailureStreak++
	if w.FailingSince.IsZero() {
		w.FailingSince = r.attempt.At
	}
	if r.wait > 0 {
		w.NotBefore = now.Add(r.wait)
	}
	wait, left := pause(d.Schedule, m.Tries)
	if left {
		m.NextAt = now.Add(max(wait, r.wait))
	} else {
		m.State, m.DoneAt = catalog.DeliveryFailed, now
	}
	if w.State == catalog.WebhookDisabled {
		return
	}
	switch {
	case r.attempt.Status == http.StatusGone:
		w.Disable("the endpoint answered 410 Gone", now)
	case now.Sub(w.FailingSince) >= giveUpAfter:
		w.Disable(fmt.Sprintf("every attempt since %s failed; the last one: %s", w.FailingSince.Format(time.RFC3339), r.attempt.Error), now)
	case m.Type == catalog.MessageVerify && !left:
		w.Disable("the endpoint was never verified; the last attempt: "+r.attempt.Error, now)
	}
}
