package store

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

type webhooks struct{ c *conn }

var (
	webhookList    = docs[catalog.Webhook]("webhooks", "created_at", "id")
	insertWebhooks = newInsert("webhooks", "id state cursor not_before created_at doc",
		`ON CONFLICT (id) DO UPDATE SET state = excluded.state, cursor = excluded.cursor,
		not_before = excluded.not_before, doc = excluded.doc`)
)

func (a webhooks) Put(ctx context.Context, list ...catalog.Webhook) error {
	for i := range list {
		if list[i].ID == "" || list[i].State == "" {
			return fmt.Errorf("put webhook %q: id and state are required: %w", list[i].ID, catalog.ErrInvalid)
		}
	}
	list = lastOf(list, func(v *catalog.Webhook) string { return v.ID })
	return putDocs(ctx, a.c, insertWebhooks, list, func(v *catalog.Webhook) []any {
		notBefore := int64(0)
		if !v.NotBefore.IsZero() {
			notBefore = micros(v.NotBefore)
		}
		return []any{v.ID, string(v.State), v.Cursor, notBefore, micros(v.CreatedAt)}
	})
}

func (a webhooks) Get(ctx context.Context, id string) (*catalog.Webhook, error) {
	return webhookList.one(ctx, a.c, "id", id)
}

func (a webhooks) All(ctx context.Context) ([]catalog.Webhook, error) {
	rows, err := webhookList.rows(ctx, a.c, "SELECT created_at, id, doc FROM webhooks ORDER BY created_at, id", nil)
	if err != nil {
		return nil, fmt.Errorf("webhooks: %w", err)
	}
	return webhookList.decodeAll(rows)
}

func (a webhooks) Delete(ctx context.Context, id string) error {
	n, err := a.c.exec(ctx, "DELETE FROM webhooks WHERE id = $1", id)
	if err == nil && n == 0 {
		err = catalog.ErrNotFound
	}
	if err == nil {
		_, err = a.c.exec(ctx, "DELETE FROM deliveries WHERE webhook_id = $1", id)
	}
	if err != nil {
		return fmt.Errorf("delete webhook %q: %w", id, err)
	}
	return nil
}

// readyWebhook is the condition of an endpoint with something to do; $1 is the
// present time, $2 the end of the last lease that can be (catalog.LeaseHeld).
const readyWebhook = `(lease_until <= $1 OR lease_until > $2) AND not_before <= $1 AND state <> 'disabled' AND (
	state = 'active' AND cursor < (SELECT value FROM counters WHERE name = 'event')
	OR EXISTS (SELECT 1 FROM deliveries d WHERE d.webhook_id = webhooks.id AND d.state = 'pending' AND d.next_at <= $1))`

func (a webhooks) Ready(ctx context.Context, now time.Time, n int) ([]string, error) {
	var ids []string
	err := a.c.query(ctx, func(s scanner) error {
		var id string
		err := s.Scan(&id)
		ids = append(ids, id)
		return err
	}, "SELECT id FROM webhooks WHERE "+readyWebhook+" ORDER BY lease_until, id LIMIT $3", micros(now), micros(now.Add(catalog.ClockSlack)), n)
	if err != nil {
		return nil, fmt.Errorf("ready webhooks: %w", err)
	}
	return ids, nil
}

func (a webhooks) Lease(ctx context.Context, worker string, now, until time.Time, ids ...string) ([]catalog.Webhook, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	args := append([]any{micros(now), micros(now.Add(catalog.ClockSlack)), worker, micros(until)}, anys(ids)...)
	rows, err := webhookList.rows(ctx, a.c, "UPDATE webhooks SET worker = $3, lease_until = $4 WHERE id IN "+places(5, len(ids))+
		" AND "+readyWebhook+" RETURNING created_at, id, doc", args)
	if err != nil {
		return nil, fmt.Errorf("lease webhooks for worker %q: %w", worker, err)
	}
	return webhookList.decodeAll(rows)
}

func (a webhooks) Release(ctx context.Context, id, worker string, now time.Time) error {
	if _, err := a.c.exec(ctx, "UPDATE webhooks SET worker = '', lease_until = $3 WHERE id = $1 AND worker = $2", id, worker, micros(now)); err != nil {
		return fmt.Errorf("release webhook %q: %w", id, err)
	}
	return nil
}

func (a webhooks) Leased(ctx context.Context, id string, now time.Time) (worker string, until time.Time, err error) {
	var at int64
	err = a.c.query(ctx, func(s scanner) error { return s.Scan(&worker, &at) },
		"SELECT worker, lease_until FROM webhooks WHERE id = $1 AND lease_until > $2 AND lease_until <= $3", id, micros(now), micros(now.Add(catalog.ClockSlack)))
	if err != nil {
		return "", time.Time{}, fmt.Errorf("lease of webhook %q: %w", id, err)
	}
	if worker == "" {
		return "", time.Time{}, nil
	}
	return worker, fromMicros(at), nil
}

func (a webhooks) Rewind(ctx context.Context, now time.Time) (int64, error) {
	list, err := a.All(ctx)
	if err != nil {
		return 0, fmt.Errorf("rewind: %w", err)
	}
	var changed []catalog.Webhook
	for _, w := range list {
		rests, fails := w.NotBefore.Sub(now) > catalog.LongestPause, w.FailingSince.Sub(now) > catalog.ClockSlack
		if rests {
			w.NotBefore = time.Time{}
		}
		if fails {
			w.FailingSince = now
		}
		if rests || fails {
			changed = append(changed, w)
		}
	}
	return int64(len(changed)), a.Put(ctx, changed...)
}
