// Package web holds the words of HTTP that all URL groups share: handlers that
// return an error, the one table from errors to statuses, problem documents,
// validators, content codings and the checks before a request reaches a
// handler.
package web

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/wire"
)

// Handler answers a request or returns why it could not; then nothing has been
// written yet.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Methods chooses a handler by method. HEAD is answered by GET, OPTIONS by the
// list of the methods; any other method is a 405 that names them.
func Methods(byMethod map[string]Handler) Handler {
	allow := allowed(byMethod)
	return func(w http.ResponseWriter, r *http.Request) error {
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		if h, ok := byMethod[method]; ok {
			return h(w, r)
		}
		if method == http.MethodOptions {
			options(w, r, allow)
			return nil
		}
		return &Error{
			Problem: wire.Problem{Status: http.StatusMethodNotAllowed, Detail: "This resource answers " + allow + "."},
			Header:  http.Header{"Allow": {allow}},
		}
	}
}

func allowed(byMethod map[string]Handler) string {
	list := slices.Collect(maps.Keys(byMethod))
	if byMethod[http.MethodGet] != nil {
		list = append(list, http.MethodHead)
	}
	list = append(list, http.MethodOptions)
	slices.Sort(list)
	return strings.Join(slices.Compact(list), ", ")
}
