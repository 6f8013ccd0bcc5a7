package web

import (
	"net/http"

	"github.com/assay-register/assay/render/wire"
)

// open sets what every answer carries: reads are open to all origins
// (decisions §3), and no client guesses a type.
func open(h http.Header) {
	for i := range common {
		h[common[i].name] = common[i].values
	}
}

// common are shared by all answers; nothing appends to them in place, as they
// are full.
var common = []struct {
	name   string
	values []string
}{
	{"Access-Control-Allow-Origin", []string{"*"}},
	{"Access-Control-Expose-Headers", []string{wire.ExposedHeaders}},
	{"Cross-Origin-Resource-Policy", []string{"cross-origin"}},
	{"Referrer-Policy", []string{"strict-origin-when-cross-origin"}},
	{"X-Content-Type-Options", []string{"nosniff"}},
}

// options answers OPTIONS, also as the preflight of a browser.
func options(w http.ResponseWriter, r *http.Request, allow string) {
	h := w.Header()
	h.Set("Allow", allow)
	h.Set("Cache-Control", "public, max-age=86400")
	if r.Header.Get("Access-Control-Request-Method") != "" {
		h.Set("Access-Control-Allow-Methods", allow)
		h.Set("Access-Control-Allow-Headers", "Accept, Accept-Language, Authorization, Content-Type, Idempotency-Key, "+
			"If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Range, X-Request-Id")
		h.Set("Access-Control-Max-Age", "86400")
	}
	w.WriteHeader(http.StatusNoContent)
}
