package webhooks

import (
	"context"
	"net/http"
	"time"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Overlap of secrets, in hours.
const (
	overlapDefault = 24
	overlapMax     = 7 * 24
)

// Rotate is the operation rotateWebhookSecret.
func (g *Group) Rotate(w http.ResponseWriter, r *http.Request) error {
	var ask wire.WebhookRotate
	if err := optional(r, &ask); err != nil {
		return err
	}
	hours := overlapDefault
	if ask.OverlapHours != nil {
		hours = *ask.OverlapHours
	}
	if hours < 0 || hours > overlapMax {
		return &catalog.FieldError{Field: "overlap_hours", Remedy: "use 0 to 168 hours"}
	}
	secret := notify.NewSecret()
	hook, err := g.change(r, "rotateWebhookSecret", map[string]int{"overlap_hours": hours}, func(_ context.Context, _ catalog.Tx, hook *catalog.Webhook) error {
		now := g.Now().UTC()
		hook.Rotate(secret, now, now.Add(time.Duration(hours)*time.Hour))
		hook.UpdatedAt = now
		return nil
	})
	if err != nil {
		return err
	}
	shown := wire.NewWebhook(g.Site(), hook, g.Now())
	shown.Secret = &secret
	return web.Reply(w, r, http.StatusOK, shown)
}

// Test is the operation testWebhook. An endpoint that is not verified gets the
// challenge once more.
func (g *Group) Test(w http.ResponseWriter, r *http.Request) error {
	if err := noParams(r); err != nil {
		return err
	}
	var sent catalog.Delivery
	_, err := g.change(r, "testWebhook", nil, func(ctx context.Context, tx catalog.Tx, hook *catalog.Webhook) (err error) {
		switch hook.State {
		case catalog.WebhookActive:
			sent, err = notify.Test(hook, g.Now().UTC())
		case catalog.WebhookUnverified:
			// The older challenges end, so that one answer is awaited.
			if err := tx.Deliveries().Cancel(ctx, hook.ID, g.Now().UTC()); err != nil {
				return err
			}
			sent, err = notify.Challenge(hook, g.Now().UTC())
		default:
			return disabled()
		}
		if err != nil {
			return err
		}
		return tx.Deliveries().Add(ctx, sent)
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusAccepted, wire.NewDelivery(g.Site(), &sent))
}

func disabled() error {
	return &web.Error{Problem: wire.Problem{Status: http.StatusConflict, Detail: "The webhook is disabled: set active to true first."}}
}

// Replay is the operation replayWebhook.
func (g *Group) Replay(w http.ResponseWriter, r *http.Request) error {
	var ask wire.WebhookReplay
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	since, err := wire.ParseCursor(ask.Since)
	if err != nil {
		return &catalog.FieldError{Field: "since", Value: ask.Since, Remedy: "use a cursor of the change feed"}
	}
	hook, err := g.change(r, "replayWebhook", ask, func(ctx context.Context, tx catalog.Tx, hook *catalog.Webhook) error {
		if hook.State != catalog.WebhookActive {
			return &web.Error{Problem: wire.Problem{Status: http.StatusConflict, Detail: "Only an active webhook gets events; this one is " + string(hook.State) + "."}}
		}
		if since > hook.Cursor {
			return &catalog.FieldError{Field: "since", Value: ask.Since, Remedy: "use a cursor that lies before the webhook's own"}
		}
		hook.ReplayThrough = max(hook.ReplayThrough, hook.Cursor)
		hook.Cursor = since
		return nil
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusAccepted, wire.NewWebhook(g.Site(), hook, g.Now()))
}
