// Package admin is for those who look after the register: moderators decide on
// what was proposed, found and reported; administrators change entries and the
// tables of the register, and steer its work. Every change is one transaction
// with its event, its audit row and the jobs that it causes.
//
// It is larger than most packages, for the handlers share what makes that so (act): one file
// is one page of the desk.
package admin

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Config is what administration needs.
type Config struct {
	Store catalog.Store
	Now   func() time.Time
	// Site tells where the register is, and its snapshot.
	Site func() (snapshot.Site, string)
	// PublishWindow is the window from which the delay between an approval and
	// the publication is drawn.
	PublishWindow time.Duration
	// Kinds are the kinds of sources that can be harvested; any if empty.
	Kinds []string
	// Unite merges two entries; nil refuses it.
	Unite Unite
	// Spend counts further items of a client that decides on many at once, beside the
	// request itself, and refuses more than its quota; nil for any number.
	Spend func(ctx context.Context, items int) error
}

// Unite makes the newer of two entries a part of the older one, by the rules of a harvest
// that recognises two records as one thing, and writes both with their events; it changes
// them. Two that cannot merge are catalog.ErrConflict.
type Unite func(ctx context.Context, tx catalog.Tx, older, newer *catalog.Entry, at time.Time) error

// API answers moderators and administrators.
type API struct{ Config }

// New makes the handlers. Who may ask is decided before a request comes here.
func New(c Config) *API { return &API{c} }

// act is one change that somebody makes.
type act struct {
	ctx    context.Context
	tx     catalog.Tx
	now    time.Time
	caller web.Caller
	api    *API
	// action is the id of the operation.
	action string
	unite  Unite
	// batch is shared by the decisions of one request; noted is the last one.
	batch string
	noted *catalog.Decision
	taken map[string]catalog.Assignment
}

// change runs fn in one transaction. fn may run more than once.
func (o *API) change(r *http.Request, action string, fn func(*act) error) error {
	ctx := r.Context()
	now := o.Now().UTC().Truncate(time.Microsecond)
	return o.Store.Update(ctx, func(tx catalog.Tx) error {
		return fn(o.act(ctx, tx, action, now))
	})
}

// act is what the caller of ctx changes in a transaction.
func (o *API) act(ctx context.Context, tx catalog.Tx, action string, now time.Time) *act {
	return &act{ctx: ctx, tx: tx, now: now, caller: web.CallerOf(ctx), api: o, action: action, unite: o.Unite, batch: catalog.NewID("batch", rand.Text())}
}

// view runs fn in one reading transaction.
func (o *API) view(r *http.Request, fn func(context.Context, catalog.Tx) error) error {
	ctx := r.Context()
	return o.Store.View(ctx, func(tx catalog.Tx) error { return fn(ctx, tx) })
}

// audit writes down who changed what and why.
func (a *act) audit(subject, reason string, details any) error {
	row := catalog.AuditRow{At: a.now, By: a.caller.Token, Name: a.caller.Name, Action: a.action, Subject: subject, Reason: reason}
	if details != nil {
		doc, err := web.JSON(details)
		if err != nil {
			return err
		}
		row.Details = json.RawMessage(doc)
	}
	return a.tx.Audits().Append(a.ctx, row)
}

// who is how the caller is named in a record that is kept.
func (a *act) who() string {
	if a.caller.Name != "" {
		return a.caller.Name
	}
	return a.caller.Token
}

// path is the path of a route under the register's address.
func (o *API) path(route string) string {
	site, _ := o.Site()
	return wire.Path(site, route)
}

// url is the whole address of a route.
func (o *API) url(route string) string {
	site, _ := o.Site()
	return site.BaseURL + route
}

// link leads to an entry.
func (o *API) link(e *catalog.Entry) wire.EntryLink {
	return wire.EntryLink{ID: e.ID, Slug: e.Slug, Name: e.Name, Href: o.path("/api/v1/entries/" + e.Slug)}
}

// reason checks the reason of a decision and gives it without the space
// around it.
func reason(s string) (string, error) {
	if s = strings.TrimSpace(s); s == "" {
		return "", &catalog.FieldError{Field: "reason", Remedy: "say why; the reason is public and kept"}
	}
	return s, catalog.CheckText("reason", s, catalog.ReasonMax)
}

// conflict is a 409 that says what stands in the way.
func conflict(format string, args ...any) error {
	return &web.Error{Problem: wire.Problem{Status: http.StatusConflict, Detail: fmt.Sprintf(format, args...)}}
}

// invalid is a 422 about one member of the body.
func invalid(field, value, remedy string) error {
	return &catalog.FieldError{Field: field, Value: value, Remedy: remedy}
}

// find is the entry of an id, a slug or a former slug, public or not.
func find(ctx context.Context, tx catalog.Tx, name string) (*catalog.Entry, error) {
	id := name
	if !catalog.IsID(name) {
		owners, err := tx.Entries().BySlug(ctx, name)
		if err != nil {
			return nil, err
		}
		id = owners[name]
	}
	list, err := tx.Entries().Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, web.NotFound("No entry is known under this name.")
	}
	return &list[0], nil
}
