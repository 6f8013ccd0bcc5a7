// Package watches answers the operations by which readers ask for mail about
// entries: they ask, confirm by a link in a mail, change and end. No answer
// tells whether an address is known.
package watches

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Group answers the operations on watches.
type Group struct {
	Store catalog.Store
	Keys  *notify.Keys
	Site  func() snapshot.Site
	Now   func() time.Time
	// Views renders the pages of watches, from the present snapshot; Current is
	// nil when there is none.
	Views   *view.Pages
	Current func() *snapshot.Catalog
}

// Receipt is the answer to who asks for mail, whatever the address.
var Receipt = wire.WatchReceipt{Status: "accepted",
	Detail: "If this address may get mail from the register, a message with a link to confirm is on its way. Without confirmation within 48 hours nothing is kept."}

// Create is the operation createWatch. Whoever asks, the same is written and
// answered; whether mail is sent is decided later, by the job.
func (g *Group) Create(w http.ResponseWriter, r *http.Request) error {
	var ask wire.WatchRequest
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	if ask.Lang == "" {
		ask.Lang = Wanted(r)
	}
	watch, err := g.read(&ask)
	if err != nil {
		return err
	}
	ctx := r.Context()
	err = g.Store.Update(ctx, func(tx catalog.Tx) error {
		if ask.Entry != "" {
			id, err := g.entry(ctx, tx, ask.Entry)
			if err != nil {
				return err
			}
			watch.Filter.Entries = []string{id}
		}
		if err := watch.Validate(); err != nil {
			return err
		}
		return Ask(ctx, tx, &watch)
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusAccepted, Receipt)
}

// Ask stores a watch that is to be confirmed, and queues the mail that asks for it.
func Ask(ctx context.Context, tx catalog.Tx, watch *catalog.Watch) error {
	now := watch.CreatedAt
	if err := pause(ctx, tx, watch.ID, now); err != nil {
		return err
	}
	if err := tx.Watches().Put(ctx, *watch); err != nil {
		return err
	}
	_, err := tx.Jobs().Enqueue(ctx, notify.NewMailJob(notify.JobConfirm, watch.ID, now, now))
	return err
}

// read makes a watch of a request.
func (g *Group) read(ask *wire.WatchRequest) (catalog.Watch, error) {
	now := g.Now().UTC()
	watch := catalog.Watch{ID: catalog.NewID("watch", rand.Text()), Email: strings.TrimSpace(ask.Email), State: catalog.WatchPending,
		Frequency: ask.Frequency, Filter: filterOf(ask.Events, ask.Filter), Lang: ask.Lang, CreatedAt: now, UpdatedAt: now}
	if watch.Frequency == "" {
		watch.Frequency = catalog.FrequencyDaily
	}
	if err := spoken(ask.Lang); err != nil {
		return watch, err
	}
	if ask.Entry != "" && ask.Filter != nil {
		return watch, &catalog.FieldError{Field: "filter", Remedy: "name an entry or a filter, not both"}
	}
	if ask.Entry == "" { // else the entry is looked up first
		return watch, watch.Validate()
	}
	return watch, catalog.CheckMail("email", watch.Email)
}

// Language is the one that mail is asked for in: that of its code, or where that is "" the one that the
// request wants most. Another one is a FieldError at lang.
func Language(r *http.Request, code string) (string, error) {
	code = cmp.Or(code, Wanted(r))
	return code, spoken(code)
}

// spoken refuses what is no interface language.
func spoken(code string) error {
	if all := view.Languages(); !slices.Contains(all, code) {
		return &catalog.FieldError{Field: "lang", Value: code, Remedy: "use one of " + strings.Join(all, ", ")}
	}
	return nil
}

// Wanted is the interface language that a request wants most.
func Wanted(r *http.Request) string {
	return view.Preferred(strings.Join(r.Header.Values("Accept-Language"), ","))
}

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

// entry finds the public entry of an id or slug.
func (g *Group) entry(ctx context.Context, tx catalog.Tx, name string) (string, error) {
	unknown := &catalog.FieldError{Field: "entry", Value: name, Remedy: "use the id or slug of an entry of this register"}
	if len(name) > catalog.SlugMax {
		return "", unknown
	}
	bySlug, err := tx.Entries().BySlug(ctx, name)
	if err != nil {
		return "", err
	}
	id := name
	if found := bySlug[name]; found != "" {
		id = found
	}
	list, err := tx.Entries().Get(ctx, id)
	if err != nil {
		return "", err
	}
	if len(list) == 0 || !list[0].Visible(g.Now()) {
		return "", unknown
	}
	return id, nil
}

// confirm makes the watch of a token active. Its token is used up; an older
// watch of the same address and kind gives way.
func (g *Group) confirm(ctx context.Context, token string) (*catalog.Watch, error) {
	var found *catalog.Watch
	err := g.Store.Update(ctx, func(tx catalog.Tx) error {
		var err error
		if found, err = tx.Watches().ByVerifyHash(ctx, notify.HashToken(token)); err != nil {
			return err
		}
		now := g.Now().UTC()
		if now.Sub(found.CreatedAt) > catalog.VerifyWithin {
			return catalog.ErrNotFound
		}
		if found.Since, err = notify.Begin(ctx, tx); err != nil {
			return err
		}
		found.State, found.VerifyHash, found.VerifiedAt, found.UpdatedAt = catalog.WatchActive, "", now, now
		if found.Digest != nil {
			found, err = g.own(ctx, tx, found, now)
			return err
		}
		if err := g.replace(ctx, tx, found); err != nil {
			return err
		}
		if err := count(ctx, tx, found, now); err != nil {
			return err
		}
		return tx.Watches().Put(ctx, *found)
	})
	return found, err
}

// count counts the confirmed watch of one entry for its popularity.
func count(ctx context.Context, tx catalog.Tx, w *catalog.Watch, now time.Time) error {
	if w.Entry() == "" {
		return nil
	}
	return tx.UseDays().Add(ctx, catalog.UseDay{EntryID: w.Entry(), Day: now.Format(time.DateOnly), Uses: catalog.Uses{Watches: 1}})
}

// replace deletes the other active watches of the address with the same scope.
func (g *Group) replace(ctx context.Context, tx catalog.Tx, w *catalog.Watch) error {
	all, err := tx.Watches().Of(ctx, w.Email)
	if err != nil {
		return err
	}
	var same []string
	for i := range all {
		o := &all[i]
		if o.ID != w.ID && o.State == catalog.WatchActive && o.Digest == nil && slices.Equal(o.Filter.Entries, w.Filter.Entries) && slices.Equal(o.Filter.Countries, w.Filter.Countries) &&
			slices.Equal(o.Filter.Institutions, w.Filter.Institutions) && slices.Equal(o.Filter.Tags, w.Filter.Tags) {
			same, w.Sent = append(same, o.ID), append(w.Sent, o.Sent...)
		}
	}
	return tx.Watches().Delete(ctx, same...)
}

// look returns the watch of a token that an address of it may still confirm.
func (g *Group) look(ctx context.Context, token string) (found *catalog.Watch, err error) {
	err = g.Store.View(ctx, func(tx catalog.Tx) (err error) {
		found, err = tx.Watches().ByVerifyHash(ctx, notify.HashToken(token))
		return err
	})
	if err == nil && g.Now().Sub(found.CreatedAt) > catalog.VerifyWithin {
		err = catalog.ErrNotFound
	}
	return found, err
}

// managed returns the watch of a management token; ErrNotFound when it ended.
func (g *Group) managed(ctx context.Context, token string) (w *catalog.Watch, err error) {
	id, err := g.Keys.Managed(ctx, token)
	if err != nil {
		return nil, err
	}
	err = g.Store.View(ctx, func(tx catalog.Tx) (err error) {
		w, err = tx.Watches().Get(ctx, id)
		return err
	})
	return w, err
}

// change stores what do changes of a watch.
func (g *Group) change(ctx context.Context, id string, do func(*catalog.Watch) error) (w *catalog.Watch, err error) {
	err = g.Store.Update(ctx, func(tx catalog.Tx) error {
		if w, err = tx.Watches().Get(ctx, id); err != nil {
			return err
		}
		if err := do(w); err != nil {
			return err
		}
		w.UpdatedAt = g.Now().UTC()
		if err := w.Validate(); err != nil {
			return err
		}
		return tx.Watches().Put(ctx, *w)
	})
	return w, err
}

// end deletes a watch; one that ended before has ended.
func (g *Group) end(ctx context.Context, id string) error {
	return g.Store.Update(ctx, func(tx catalog.Tx) error { return tx.Watches().Delete(ctx, id) })
}

// token reads the management token of a request, and checks that it is for the
// watch of its path.
func (g *Group) token(r *http.Request) error {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return web.Unauthorized("Send the management token of the watch: Authorization: Bearer TOKEN.")
	}
	id, err := g.Keys.Managed(r.Context(), strings.TrimSpace(token))
	if errors.Is(err, catalog.ErrNotFound) || err == nil && id != r.PathValue("id") {
		return web.Unauthorized("The token is not the management token of this watch.")
	}
	return err
}

func noParams(r *http.Request) error {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		return &web.Error{Problem: wire.Problem{Status: http.StatusUnprocessableEntity, Type: web.ProblemParameter, Detail: "One parameter cannot be used.",
			Errors: []wire.ProblemError{{Location: "query." + web.Shorten(name), Message: "unknown parameter; this resource has none"}}}}
	}
	return nil
}
