package webhooks

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Create is the operation createWebhook: the endpoint gets a signed challenge
// and, once it has echoed it, events.
func (g *Group) Create(w http.ResponseWriter, r *http.Request) error {
	var ask wire.WebhookCreate
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	now := g.Now().UTC()
	hook := catalog.Webhook{ID: catalog.NewID("webhook", rand.Text()), URL: ask.URL, Description: ask.Description, State: catalog.WebhookUnverified,
		Filter: filterOf(ask.Events, ask.Filter), CreatedAt: now, UpdatedAt: now}
	if err := hook.Validate(g.AllowPlain); err != nil {
		return err
	}
	secret := notify.NewSecret()
	hook.Rotate(secret, now, now)
	ctx := r.Context()
	err := g.Store.Update(ctx, func(tx catalog.Tx) error {
		all, err := tx.Webhooks().All(ctx)
		if err != nil {
			return err
		}
		if len(all) >= webhooksMax {
			return &web.Error{Problem: wire.Problem{Status: http.StatusConflict, Detail: fmt.Sprintf("A register has at most %d webhooks; delete one first.", webhooksMax)}}
		}
		if err := tx.Webhooks().Put(ctx, hook); err != nil {
			return err
		}
		if err := g.challenge(ctx, tx, &hook); err != nil {
			return err
		}
		return g.audit(ctx, tx, "createWebhook", hook.ID, map[string]any{"url": hook.URL, "filter": hook.Filter})
	})
	if err != nil {
		return err
	}
	shown := wire.NewWebhook(g.Site(), &hook, g.Now())
	shown.Secret = &secret
	w.Header().Set("Location", wire.Path(g.Site(), "/api/v1/webhooks/"+hook.ID))
	return web.Reply(w, r, http.StatusCreated, shown)
}

func (g *Group) challenge(ctx context.Context, tx catalog.Tx, hook *catalog.Webhook) error {
	m, err := notify.Challenge(hook, g.Now().UTC())
	if err != nil {
		return err
	}
	return tx.Deliveries().Add(ctx, m)
}

// filterOf sorts the lists, so that equal filters are stored alike.
func filterOf(events []catalog.EventKind, f *wire.WebhookFilter) catalog.EventFilter {
	out := catalog.EventFilter{Types: sorted(events)}
	if f != nil {
		out.Entries, out.Countries, out.Institutions, out.Tags = sorted(f.Entries), sorted(f.Countries), sorted(f.Institutions), sorted(f.Tags)
	}
	return out
}

func sorted[T ~string](list []T) []T {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// Update is the operation updateWebhook.
func (g *Group) Update(w http.ResponseWriter, r *http.Request) error {
	var ask wire.WebhookChange
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	hook, err := g.change(r, "updateWebhook", ask, func(ctx context.Context, tx catalog.Tx, hook *catalog.Webhook) error {
		return g.apply(ctx, tx, hook, &ask)
	})
	if err == nil && hook.State == catalog.WebhookDisabled {
		err = g.drain(r.Context(), hook.ID)
	}
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, wire.NewWebhook(g.Site(), hook, g.Now()))
}

// apply changes what the request names. Another address must be verified like
// a new one, and so must an endpoint that was disabled.
func (g *Group) apply(ctx context.Context, tx catalog.Tx, hook *catalog.Webhook, ask *wire.WebhookChange) error {
	now := g.Now().UTC()
	hook.UpdatedAt = now
	moved := ask.URL != nil && *ask.URL != hook.URL
	if moved {
		hook.URL = *ask.URL
	}
	if ask.Description != nil {
		hook.Description = *ask.Description
	}
	f := hook.Filter
	if ask.Events != nil {
		f.Types = sorted(*ask.Events)
	}
	if ask.Filter != nil {
		types := f.Types
		f = filterOf(types, ask.Filter)
	}
	hook.Filter = f
	if err := hook.Validate(g.AllowPlain); err != nil {
		return err
	}
	off := ask.Active != nil && !*ask.Active
	on := ask.Active != nil && *ask.Active && hook.State == catalog.WebhookDisabled
	switch {
	case off && hook.State != catalog.WebhookDisabled:
		hook.Disable("disabled by an administrator", now)
		return tx.Deliveries().Cancel(ctx, hook.ID, now)
	case !off && (on || moved && hook.State != catalog.WebhookDisabled):
		if err := tx.Deliveries().Cancel(ctx, hook.ID, now); err != nil {
			return err
		}
		hook.State, hook.DisabledReason, hook.DisabledAt, hook.VerifiedAt = catalog.WebhookUnverified, "", time.Time{}, time.Time{}
		hook.FailureStreak, hook.FailingSince, hook.NotBefore = 0, time.Time{}, time.Time{}
		return g.challenge(ctx, tx, hook)
	}
	return nil
}

// Delete is the operation deleteWebhook.
func (g *Group) Delete(w http.ResponseWriter, r *http.Request) error {
	if err := noParams(r); err != nil {
		return err
	}
	// Disabled first, so that nothing is under way when the row goes.
	hook, err := g.change(r, "deleteWebhook", nil, func(ctx context.Context, tx catalog.Tx, hook *catalog.Webhook) error {
		hook.Disable("deleted by an administrator", g.Now().UTC())
		return nil
	})
	if err == nil {
		err = g.drain(r.Context(), hook.ID)
	}
	if err == nil {
		err = g.Store.Update(r.Context(), func(tx catalog.Tx) error { return tx.Webhooks().Delete(r.Context(), hook.ID) })
	}
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", web.CacheNever)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// drainPoll is how often the end of a lease is looked for.
const drainPoll = 20 * time.Millisecond

// drain waits until nobody delivers to the endpoint any more, so that nothing
// arrives there after the answer.
func (g *Group) drain(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, g.DrainFor)
	defer cancel()
	for {
		var worker string
		err := g.Store.View(ctx, func(tx catalog.Tx) (err error) {
			worker, _, err = tx.Webhooks().Leased(ctx, id, g.Now())
			return err
		})
		switch {
		case ctx.Err() != nil, err == nil && worker == "":
			// A holder that died sends nothing; a live one has seen the change
			// by now.
			return nil
		case err != nil:
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(drainPoll):
		}
	}
}
