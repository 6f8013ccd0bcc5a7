// Package submissions takes what readers propose and report, and tells what
// came of it. Nothing that it answers is personal.
package submissions

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/limit"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Handlers take what readers propose and report.
type Handlers struct {
	store catalog.Store
	now   func() time.Time
	site  func() (snapshot.Site, string)
	gate  gate
	// reports counts those of a client on an entry.
	reports *limit.Limiter
}

// New makes the handlers over a store. site tells where the register is.
func New(store catalog.Store, now func() time.Time, site func() (snapshot.Site, string)) *Handlers {
	d := &Handlers{store: store, now: now, site: site, reports: limit.NewWithin("reports", reportsOfOne, 24*time.Hour, now)}
	d.gate.write = d.write
	return d
}

// path is the path of a route under the register's address.
func (d *Handlers) path(route string) string {
	site, _ := d.site()
	return wire.Path(site, route)
}

// url is the whole address of a route.
func (d *Handlers) url(route string) string {
	site, _ := d.site()
	return site.BaseURL + route
}

// link leads to an entry.
func (d *Handlers) link(e *catalog.Entry) *wire.EntryLink {
	return &wire.EntryLink{ID: e.ID, Slug: e.Slug, Name: e.Name, Href: d.path("/api/v1/entries/" + e.Slug)}
}

// newID makes the id of what was handed in; nobody can guess it.
func newID(kind string) string { return catalog.NewID(kind, rand.Text()) }

// oneLine refuses a text of several lines.
func oneLine(field, s string) error {
	if strings.ContainsAny(s, "\n\t") {
		return &catalog.FieldError{Field: field, Value: s, Remedy: "write it in one line"}
	}
	return nil
}
