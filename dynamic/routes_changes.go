package dynamic

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/events"
	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/dynamic/watches"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/dynamic/webhooks"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// changeRoutes are those by which a client learns what changed; they need a
// store.
func (s *Service) changeRoutes() []Route {
	feed := events.New(s.config.Store, s.site)
	hooks := &webhooks.Group{Store: s.config.Store, Site: s.site, Now: s.config.Now, AllowPlain: s.config.AllowPrivate, DrainFor: drainFor}
	const hook = wire.RouteWebhooks + "/{id}"
	return []Route{
		{"listEvents", http.MethodGet, wire.RouteFeed, web.CacheMutable, feed.List},
		{"getFeedSummary", http.MethodGet, wire.RouteFeedSummary, web.CacheMutable, feed.Summary},
		{"listWebhooks", http.MethodGet, wire.RouteWebhooks, web.CacheNever, hooks.List},
		{"createWebhook", http.MethodPost, wire.RouteWebhooks, web.CacheNever, hooks.Create},
		{"getWebhook", http.MethodGet, hook, web.CacheNever, hooks.Get},
		{"updateWebhook", http.MethodPatch, hook, web.CacheNever, hooks.Update},
		{"deleteWebhook", http.MethodDelete, hook, web.CacheNever, hooks.Delete},
		{"testWebhook", http.MethodPost, wire.WebhookActions + "test", web.CacheNever, hooks.Test},
		{"rotateWebhookSecret", http.MethodPost, wire.WebhookActions + "rotate-secret", web.CacheNever, hooks.Rotate},
		{"replayWebhook", http.MethodPost, wire.WebhookActions + "replay", web.CacheNever, hooks.Replay},
		{"listDeliveries", http.MethodGet, wire.WebhookActions + "deliveries", web.CacheNever, hooks.Deliveries},
		{"retryDelivery", http.MethodPost, wire.WebhookActions + "deliveries/{delivery}/retry", web.CacheNever, hooks.Retry},
	}
}

// watchRoutes are those by which readers get mail about entries.
func (s *Service) watchRoutes() []Route {
	g := &watches.Group{Store: s.config.Store, Keys: notify.NewKeys(s.config.Store, s.config.MailKey), Site: s.site, Now: s.config.Now,
		Views: s.views, Current: s.Current}
	const token = "{token}"
	return []Route{
		{"createWatch", http.MethodPost, wire.RouteWatches, web.CacheNever, g.Create},
		{"verifyWatch", http.MethodGet, notify.RouteVerify + token, web.CacheNever, g.Verify},
		{"confirmWatch", http.MethodPost, notify.RouteVerify + token, web.CacheNever, g.Confirm},
		{"getWatch", http.MethodGet, notify.RouteManage + token, web.CacheNever, g.Manage},
		{"", http.MethodPost, notify.RouteManage + token, web.CacheNever, g.ManageForm},
		{"", http.MethodGet, notify.RouteUnsubscribe + token, web.CacheNever, g.AskUnsubscribe},
		{"unsubscribeWatch", http.MethodPost, notify.RouteUnsubscribe + token, web.CacheNever, g.Unsubscribe},
		{"updateWatch", http.MethodPatch, wire.RouteWatches + "/{id}", web.CacheNever, g.Update},
		{"deleteWatch", http.MethodDelete, wire.RouteWatches + "/{id}", web.CacheNever, g.Delete},
	}
}

// drainFor is how long a change that ends deliveries waits for those under way:
// longer than an attempt, shorter than a request.
const drainFor = 20 * time.Second

// byAction makes the handlers of the patterns. Those of the actions on one
// webhook share a pattern, because http.ServeMux cannot tell them from
// …/watches/{id}; the last segment chooses, and what is no action is a document.
func (s *Service) byAction(byPattern map[string]map[string]web.Handler) map[string]web.Handler {
	out, actions := map[string]web.Handler{}, map[string]web.Handler{}
	for pattern, byMethod := range byPattern {
		action, ok := strings.CutPrefix(pattern, wire.WebhookActions)
		if ok && !strings.Contains(action, "/") {
			actions[action] = web.Methods(byMethod)
		} else {
			out[pattern] = web.Methods(byMethod)
		}
	}
	out[wire.WebhookActions+"{action}"] = func(w http.ResponseWriter, r *http.Request) error {
		if h := actions[r.PathValue("action")]; h != nil {
			return h(w, r)
		}
		return out["/"](w, r)
	}
	return out
}

// loops are what runs beside the server by itself.
func (s *Service) loops() []func(context.Context) error {
	c := &s.config
	if c.Store == nil {
		return nil
	}
	announcer := &notify.Announcer{Store: c.Store, Now: c.Now, Events: c.Events}
	list, tasks := []func(context.Context) error{c.Events.Run, announcer.Run}, []catalog.JobTask{announcer.Task()}
	if c.Outbound != nil {
		list = append(list, s.withSite(notify.New(notify.Config{Store: c.Store, Client: c.Outbound, Site: s.site, Now: c.Now, Log: c.Logger,
			Observe: s.metrics.Attempt, Notice: c.Mail != nil && c.Operator != ""}).Run))
	}
	if c.Mail != nil {
		mailer := notify.NewMailer(notify.MailConfig{Store: c.Store, Sender: c.Mail, Keys: notify.NewKeys(c.Store, c.MailKey), Site: s.site,
			Now: c.Now, Log: c.Logger, Events: c.Events, Gather: c.MailGather, Mend: s.mend, Operator: c.Operator, Observe: s.metrics.Mail})
		list, tasks = append(list, s.withSite(mailer.Run)), append(tasks, mailer.Task())
	}
	if c.Outbound != nil {
		tasks = append(tasks, s.claims().Tasks(c.Mail)...)
	}
	if c.Jobs != nil {
		for i := range tasks {
			tasks[i].Ready = s.library.Ready() // what is sent bears addresses of the site
		}
		list = append(list, c.Jobs(tasks...))
	}
	return list
}

// withSite begins a loop with the first snapshot: what it sends bears addresses
// of the site.
func (s *Service) withSite(loop func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return nil
		case <-s.library.Ready():
			return loop(ctx)
		}
	}
}

// site is the register as the current snapshot knows it.
func (s *Service) site() snapshot.Site {
	site, _ := s.library.Site()
	return site
}
