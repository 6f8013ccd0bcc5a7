package notify

import (
	"crypto/rand"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/wire"
)

// bodyMax is the largest body in bytes; receivers need not take more (Standard
// Webhooks, "Payload size").
const bodyMax = 20_000

// DeliveryID is the webhook-id of an event for an endpoint. It follows from
// both, so it is the same in every attempt and in every replay.
func DeliveryID(webhookID string, event int64) string {
	return "msg_" + strings.ReplaceAll(catalog.NewID("delivery", webhookID+"|"+strconv.FormatInt(event, 10)), "-", "")
}

// newDelivery is the first state of the delivery of an event.
func newDelivery(w *catalog.Webhook, e *catalog.Event, shown *wire.FeedEvent, now time.Time) (catalog.Delivery, error) {
	body, err := eventBody(shown)
	return catalog.Delivery{ID: DeliveryID(w.ID, e.Number), WebhookID: w.ID, Event: e.Number, Type: string(e.Type),
		State: catalog.DeliveryPending, NextAt: now, CreatedAt: now, Body: body}, err
}

// eventBody leaves out the values of changed fields when they are too long.
func eventBody(e *wire.FeedEvent) (string, error) {
	body, err := encode(string(e.Type), e.OccurredAt, e)
	if err != nil || len(body) < bodyMax {
		return body, err
	}
	short := *e
	short.Changes = nil
	for _, c := range e.Changes {
		short.Changes = append(short.Changes, wire.Changed{Field: c.Field, FieldDelta: wire.FieldDelta{Cut: true}})
	}
	return encode(string(e.Type), e.OccurredAt, &short)
}

func encode(kind, at string, data any) (string, error) {
	b, err := jsonx.Marshal(wire.WebhookMessage{Type: kind, Timestamp: at, Data: data})
	return string(b), err
}

// Challenge is the message by which an endpoint shows that it wants events: it
// must answer with the challenge.
func Challenge(w *catalog.Webhook, now time.Time) (catalog.Delivery, error) {
	d := message(w, catalog.MessageVerify, now)
	d.Challenge = rand.Text() + rand.Text()
	var err error
	d.Body, err = encode(d.Type, stamp(now), wire.WebhookChallenge{Challenge: d.Challenge, Webhook: w.ID})
	return d, err
}

// Test is the message of a test delivery.
func Test(w *catalog.Webhook, now time.Time) (catalog.Delivery, error) {
	d := message(w, catalog.MessageTest, now)
	var err error
	d.Body, err = encode(d.Type, stamp(now), wire.WebhookTest{Webhook: w.ID, Text: "This is a test. Real events have the same form and another type."})
	return d, err
}

func message(w *catalog.Webhook, kind string, now time.Time) catalog.Delivery {
	return catalog.Delivery{ID: "msg_" + strings.ToLower(rand.Text()), WebhookID: w.ID, Type: kind, State: catalog.DeliveryPending, NextAt: now, CreatedAt: now}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
