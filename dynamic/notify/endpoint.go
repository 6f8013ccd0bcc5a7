package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

const (
	// takeMax is how many events are taken from the log at a time.
	takeMax = 200
	// cautious is the streak of failures from which an endpoint gets one
	// message at a time.
	cautious = 10
)

// endpointWorker serves one endpoint while its lease lasts.
type endpointWorker struct {
	d        *Dispatcher
	id       string
	stop     time.Time
	results  chan result
	inflight map[string]bool
	// over tells that nothing more may be sent.
	over bool
	// delivered and failed count the attempts of the turn.
	delivered, failed int
}

// run sends what is due until nothing is left or the turn ends, then waits for
// what is under way.
func (l *endpointWorker) run(ctx context.Context) error {
	err := l.step(ctx, nil)
	for len(l.inflight) > 0 {
		done := []result{<-l.results}
		for len(done) < len(l.inflight) {
			select {
			case r := <-l.results:
				done = append(done, r)
				continue
			default:
			}
			break
		}
		for i := range done {
			delete(l.inflight, done[i].delivery.ID)
			l.count(&done[i])
		}
		done = slices.DeleteFunc(done, func(r result) bool { return r.aborted })
		// What was sent is written down even when the process is told to end.
		err = errors.Join(err, l.step(context.WithoutCancel(ctx), done))
		if ctx.Err() != nil || err != nil {
			l.over = true
		}
	}
	return err
}

func (l *endpointWorker) count(r *result) {
	switch {
	case r.aborted:
	case r.ok:
		l.delivered++
	default:
		l.failed++
	}
}

// step writes down in one transaction what became of the attempts, takes
// further events, and begins to send what is due.
func (l *endpointWorker) step(ctx context.Context, done []result) error {
	var w *catalog.Webhook
	var due []catalog.Delivery
	err := l.d.Store.Update(ctx, func(tx catalog.Tx) error {
		due = nil
		now := l.d.Now()
		holder, _, err := tx.Webhooks().Leased(ctx, l.id, now)
		if err != nil {
			return err
		}
		if w, err = tx.Webhooks().Get(ctx, l.id); err != nil {
			return err
		}
		if err := l.d.settle(ctx, tx, w, done); err != nil {
			return err
		}
		if holder != l.d.worker || w.State == catalog.WebhookDisabled || w.NotBefore.After(now) || !now.Before(l.stop) || l.over {
			l.over = true
			return tx.Webhooks().Put(ctx, *w)
		}
		if err := l.d.take(ctx, tx, w); err != nil {
			return err
		}
		if due, err = tx.Deliveries().Due(ctx, l.id, now, l.d.Each+len(l.inflight)); err != nil {
			return err
		}
		return tx.Webhooks().Put(ctx, *w)
	})
	if errors.Is(err, catalog.ErrNotFound) { // deleted
		l.over = true
		return nil
	}
	if err != nil {
		l.over = true
		return err
	}
	l.begin(ctx, w, due)
	return nil
}

// begin starts as many attempts as the endpoint gets at a time.
func (l *endpointWorker) begin(ctx context.Context, w *catalog.Webhook, due []catalog.Delivery) {
	each := l.d.Each
	if w.FailureStreak >= cautious || w.State != catalog.WebhookActive {
		each = 1
	}
	for _, m := range due {
		if l.over || len(l.inflight) >= each || l.inflight[m.ID] {
			continue
		}
		if w.State != catalog.WebhookActive && m.Type != catalog.MessageVerify {
			continue
		}
		l.inflight[m.ID] = true
		go func() {
			r := l.d.send(ctx, w, m)
			l.d.Observe(r.ok, time.Duration(r.attempt.LatencyMS)*time.Millisecond)
			l.results <- r
		}()
	}
}

// take makes deliveries of the next events of the log. The cursor moves in the
// same transaction, so each event is taken once, however often processes die.
func (d *Dispatcher) take(ctx context.Context, tx catalog.Tx, w *catalog.Webhook) error {
	if w.State != catalog.WebhookActive {
		return nil
	}
	list, err := tx.Events().After(ctx, w.Cursor, takeMax)
	if err != nil || len(list) == 0 {
		return err
	}
	entries, err := catalog.EntriesOf(ctx, tx, list)
	if err != nil {
		return err
	}
	var fresh, again []catalog.Delivery
	for i := range list {
		e := &list[i]
		entry := entries[e.EntryID]
		if !w.Filter.Match(e, entry) {
			continue
		}
		shown, public := wire.NewFeedEvent(d.Site(), e, entry)
		if !public {
			continue
		}
		m, err := newDelivery(w, e, &shown, d.Now().UTC())
		if err != nil {
			return fmt.Errorf("event %d: %w", e.Number, err)
		}
		if e.Number <= w.ReplayThrough {
			again = append(again, m)
		} else {
			fresh = append(fresh, m)
		}
	}
	w.Cursor = list[len(list)-1].Number
	return errors.Join(tx.Deliveries().Add(ctx, fresh...), tx.Deliveries().Put(ctx, again...))
}
