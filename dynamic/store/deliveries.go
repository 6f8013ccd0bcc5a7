package store

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

type deliveries struct{ c *conn }

const deliveryColumns = "id webhook_id event state next_at created_at body doc"

var (
	addDeliveries = newInsert("deliveries", deliveryColumns, "ON CONFLICT (id) DO NOTHING")
	putDeliveries = newInsert("deliveries", deliveryColumns,
		"ON CONFLICT (id) DO UPDATE SET state = excluded.state, next_at = excluded.next_at, doc = excluded.doc")
	deliveryList = &listing[catalog.Delivery]{from: "deliveries", keys: []string{"created_at", "id"}, rest: []string{"doc", "body"},
		page: 256, decode: decodeDelivery}
)

func decodeDelivery(row []any, d *catalog.Delivery, shared bool) error {
	if err := decodeDoc(row[2], d, shared); err != nil {
		return err
	}
	body, ok := row[3].(string)
	if !ok {
		return fmt.Errorf("the body of a delivery is %T", row[3])
	}
	d.Body = body
	return nil
}

func (a deliveries) Add(ctx context.Context, list ...catalog.Delivery) error {
	return a.insert(ctx, addDeliveries, list)
}

func (a deliveries) Put(ctx context.Context, list ...catalog.Delivery) error {
	return a.insert(ctx, putDeliveries, list)
}

func (a deliveries) insert(ctx context.Context, in insert, list []catalog.Delivery) error {
	list = lastOf(list, func(v *catalog.Delivery) string { return v.ID })
	docs, err := encode(list)
	if err != nil {
		return err
	}
	values := make([]any, 0, len(list)*len(in.cols))
	for i := range list {
		d := &list[i]
		if d.ID == "" || d.WebhookID == "" || d.State == "" || d.Body == "" {
			return fmt.Errorf("store delivery %q: id, webhook, state and body are required: %w", d.ID, catalog.ErrInvalid)
		}
		values = append(values, d.ID, d.WebhookID, d.Event, string(d.State), micros(d.NextAt), micros(d.CreatedAt), d.Body, docs[i])
	}
	if _, err := a.c.insertRows(ctx, in, values); err != nil {
		return fmt.Errorf("store %d deliveries: %w", len(list), err)
	}
	return nil
}

func (a deliveries) Get(ctx context.Context, id string) (*catalog.Delivery, error) {
	return deliveryList.one(ctx, a.c, "id", id)
}

func (a deliveries) Due(ctx context.Context, webhookID string, now time.Time, limit int) ([]catalog.Delivery, error) {
	rows, err := deliveryList.rows(ctx, a.c, "SELECT created_at, id, doc, body FROM deliveries WHERE webhook_id = $1 AND state = 'pending'"+
		" AND next_at <= $2 ORDER BY next_at, event, id LIMIT $3", []any{webhookID, micros(now), limit})
	if err != nil {
		return nil, fmt.Errorf("due deliveries of webhook %q: %w", webhookID, err)
	}
	return deliveryList.decodeAll(rows)
}

func (a deliveries) List(ctx context.Context, f catalog.DeliveryFilter) ([]catalog.Delivery, error) {
	text, args := "SELECT created_at, id, doc, body FROM deliveries WHERE webhook_id = $1", []any{f.WebhookID}
	if f.State != "" {
		args = append(args, string(f.State))
		text += " AND state = $" + strconv.Itoa(len(args))
	}
	if f.Before != "" {
		args = append(args, f.Before)
		text += " AND (created_at, id) < (SELECT created_at, id FROM deliveries WHERE id = $" + strconv.Itoa(len(args)) + ")"
	}
	text += " ORDER BY created_at DESC, id DESC"
	if f.Limit > 0 {
		text += " LIMIT " + strconv.Itoa(f.Limit)
	}
	rows, err := deliveryList.rows(ctx, a.c, text, args)
	if err != nil {
		return nil, fmt.Errorf("deliveries of webhook %q: %w", f.WebhookID, err)
	}
	return deliveryList.decodeAll(rows)
}

func (a deliveries) Cancel(ctx context.Context, webhookID string, now time.Time) error {
	for {
		rows, err := deliveryList.rows(ctx, a.c, "SELECT created_at, id, doc, body FROM deliveries WHERE webhook_id = $1 AND state = 'pending' LIMIT "+
			strconv.Itoa(batchRows), []any{webhookID})
		if err != nil {
			return fmt.Errorf("cancel deliveries of webhook %q: %w", webhookID, err)
		}
		list, err := deliveryList.decodeAll(rows)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			list[i].State, list[i].DoneAt = catalog.DeliveryCancelled, now
		}
		if err := a.Put(ctx, list...); err != nil {
			return err
		}
	}
}

// Rewind goes through the pending deliveries that are not due, of which there
// are few: the document of each says when it is due, too.
func (a deliveries) Rewind(ctx context.Context, now time.Time) (int64, error) {
	for total := int64(0); ; {
		rows, err := deliveryList.rows(ctx, a.c, "SELECT created_at, id, doc, body FROM deliveries WHERE state = 'pending' AND next_at > $1"+
			" AND (next_at > $2 OR created_at > $3) LIMIT "+strconv.Itoa(batchRows),
			[]any{micros(now), micros(now.Add(catalog.LongestPause)), micros(now.Add(catalog.ClockSlack))})
		if err != nil {
			return 0, fmt.Errorf("rewind deliveries: %w", err)
		}
		list, err := deliveryList.decodeAll(rows)
		if err != nil || len(list) == 0 {
			return total, err
		}
		for i := range list {
			list[i].NextAt = now
		}
		if err := a.Put(ctx, list...); err != nil {
			return 0, err
		}
		total += int64(len(list))
	}
}

func (a deliveries) Prune(ctx context.Context, before time.Time, limit int) (int64, error) {
	n, err := a.c.exec(ctx, "DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE state <> 'pending' AND created_at < $1 ORDER BY created_at LIMIT $2)",
		micros(before), limit)
	if err != nil {
		return 0, fmt.Errorf("prune deliveries: %w", err)
	}
	return n, nil
}
