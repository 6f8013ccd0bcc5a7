package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-register/assay/render/wire"
)

// Redirect answers 308 with another path of this host; the query string goes
// along.
func Redirect(w http.ResponseWriter, r *http.Request, path string) {
	target := (&url.URL{Path: path}).EscapedPath()
	if r.URL.RawQuery != "" {
		target += "?" + r.URL.RawQuery
	}
	h := w.Header()
	h.Set("Location", target)
	h.Set("Cache-Control", CacheMutable)
	h.Set("Content-Length", "0")
	w.WriteHeader(http.StatusPermanentRedirect)
}

// Link writes the links of a list as a header (RFC 8288).
func Link(l wire.Links) string {
	var b strings.Builder
	add := func(rel, target string) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString("<" + target + `>; rel="` + rel + `"`)
	}
	add("self", l.Self)
	add("first", l.First)
	if l.Prev != nil {
		add("prev", *l.Prev)
	}
	if l.Next != nil {
		add("next", *l.Next)
	}
	add("last", l.Last)
	return b.String()
}
