// Package webhooks answers the operations by which administrators manage the
// endpoints that get events. Delivering is the business of package notify.
package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Group answers the operations on webhooks.
type Group struct {
	Store catalog.Store
	Site  func() snapshot.Site
	Now   func() time.Time
	// AllowPlain lets endpoints have http addresses.
	AllowPlain bool
	// DrainFor is how long disabling waits for what is under way; a second
	// longer than an attempt may take.
	DrainFor time.Duration
}

// webhooksMax is how many endpoints a register has at most: each gets a copy
// of every event.
const webhooksMax = 1000

// List is the operation listWebhooks.
func (g *Group) List(w http.ResponseWriter, r *http.Request) error {
	if err := noParams(r); err != nil {
		return err
	}
	page := wire.WebhooksPage{Items: []wire.Webhook{}}
	err := g.Store.View(r.Context(), func(tx catalog.Tx) error {
		all, err := tx.Webhooks().All(r.Context())
		for i := range all {
			page.Items = append(page.Items, wire.NewWebhook(g.Site(), &all[i], g.Now()))
		}
		return err
	})
	if err != nil {
		return err
	}
	page.Total = len(page.Items)
	return web.Reply(w, r, http.StatusOK, page)
}

// Get is the operation getWebhook.
func (g *Group) Get(w http.ResponseWriter, r *http.Request) error {
	if err := noParams(r); err != nil {
		return err
	}
	var found *catalog.Webhook
	err := g.Store.View(r.Context(), func(tx catalog.Tx) (err error) {
		found, err = tx.Webhooks().Get(r.Context(), r.PathValue("id"))
		return err
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, wire.NewWebhook(g.Site(), found, g.Now()))
}

// change reads a webhook, lets do change it, and stores it with its audit row,
// all in one transaction.
func (g *Group) change(r *http.Request, action string, details any, do func(ctx context.Context, tx catalog.Tx, w *catalog.Webhook) error) (*catalog.Webhook, error) {
	ctx, id := r.Context(), r.PathValue("id")
	var found *catalog.Webhook
	err := g.Store.Update(ctx, func(tx catalog.Tx) (err error) {
		if found, err = tx.Webhooks().Get(ctx, id); err != nil {
			return err
		}
		if err := do(ctx, tx, found); err != nil {
			return err
		}
		if err := tx.Webhooks().Put(ctx, *found); err != nil {
			return err
		}
		return g.audit(ctx, tx, action, id, details)
	})
	return found, err
}

func (g *Group) audit(ctx context.Context, tx catalog.Tx, action, subject string, details any) error {
	caller := web.CallerOf(ctx)
	row := catalog.AuditRow{At: g.Now().UTC(), By: caller.Token, Name: caller.Name, Action: action, Subject: subject}
	if details != nil {
		b, err := json.Marshal(details)
		if err != nil {
			return err
		}
		row.Details = b
	}
	return tx.Audits().Append(ctx, row)
}

func noParams(r *http.Request) error {
	_, err := params(r)
	return err
}

// params reads the query string and refuses parameters that are not known.
func params(r *http.Request, known ...string) (url.Values, error) {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch {
		case !slices.Contains(known, name):
			return nil, wrong("query."+name, values.Get(name), "unknown parameter of this operation")
		case len(values[name]) > 1:
			return nil, wrong("query."+name, values[name][1], "given more than once")
		}
	}
	return values, nil
}

// wrong is the 422 of one value.
func wrong(location, value, message string) error {
	return &web.Error{Problem: wire.Problem{Status: http.StatusUnprocessableEntity, Type: web.ProblemParameter, Detail: "One value cannot be used.",
		Errors: []wire.ProblemError{{Location: location, Message: message, Value: web.Shorten(value)}}}}
}

// optional reads a body that may be missing.
func optional(r *http.Request, v any) error {
	if r.ContentLength == 0 && r.Header.Get("Content-Type") == "" {
		return nil
	}
	err := web.Decode(r, v)
	var e *web.Error
	if r.ContentLength == 0 && errors.As(err, &e) {
		return nil
	}
	return err
}
