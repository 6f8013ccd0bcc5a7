// Package submissions takes what readers propose and report, and tells what
// came of it. Nothing that it answers is personal.
package submissions

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/web"
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
}

// New makes the handlers over a store. site tells where the register is.
func New(store catalog.Store, now func() time.Time, site func() (snapshot.Site, string)) *Handlers {
	d := &Handlers{store: store, now: now, site: site}
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

// keyMax is the longest idempotency key, in bytes.
const keyMax = 255

// idempotency reads the client's key of a request and makes it the one under
// which the answer is kept, "" when the client gave none.
func idempotency(r *http.Request, operation string) (string, error) {
	given := r.Header.Values("Idempotency-Key")
	if len(given) == 0 {
		return "", nil
	}
	key := strings.TrimSpace(given[0])
	bad := len(given) > 1 || key == "" || len(key) > keyMax
	for _, c := range []byte(key) {
		bad = bad || c < ' ' || c > '~'
	}
	if bad {
		return "", &web.Error{Problem: wire.Problem{Status: http.StatusUnprocessableEntity, Detail: "The idempotency key cannot be used.",
			Errors: []wire.ProblemError{{Location: "header.Idempotency-Key", Message: "send one key of 1 to 255 printable ASCII characters"}}}}
	}
	return hash(operation + "\n" + key), nil
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// errReused says that a key came with another request before.
func errReused() error {
	return &web.Error{Problem: wire.Problem{Status: http.StatusUnprocessableEntity, Detail: "This idempotency key came with another request before.",
		Errors: []wire.ProblemError{{Location: "header.Idempotency-Key", Message: "use a new key for a new request"}}}}
}

// tooMany is a 429 with the seconds to wait.
func tooMany(detail, seconds string) error {
	return &web.Error{Problem: wire.Problem{Status: http.StatusTooManyRequests, Detail: detail}, Header: http.Header{"Retry-After": {seconds}}}
}

// oneLine refuses a text of several lines.
func oneLine(field, s string) error {
	if strings.ContainsAny(s, "\n\t") {
		return &catalog.FieldError{Field: field, Value: s, Remedy: "write it in one line"}
	}
	return nil
}
