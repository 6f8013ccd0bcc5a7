package documents

import (
	"errors"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// asPage answers a browser that asked for a page which does not exist with one
// that a person can read, in the language of the address. Programs, and all that ask for what is no
// page, get the problem document.
func (d *Server) asPage(w http.ResponseWriter, r *http.Request, err error) error {
	var e *web.Error
	if !errors.As(err, &e) || !WantsPage(r) {
		return err
	}
	status := e.Problem.Status
	if status != http.StatusNotFound && status != http.StatusGone {
		return err
	}
	lang, _ := wire.RouteLang(r.URL.Path)
	body, missing := d.Read(wire.LocalRoute(lang, wire.RouteLost))
	if missing != nil {
		return err
	}
	h := w.Header()
	web.Page(h)
	h.Set("Cache-Control", web.CacheNever)
	h.Set("Vary", "Accept")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // the client is gone, nobody can be told
	}
	return nil
}

// programs are the first segments of the routes of operations below which no page lies. The names
// of entries are people's, too.
var programs = func() map[string]bool {
	list := map[string]bool{}
	for _, op := range wire.Operations() {
		if first, rest, _ := strings.Cut(op.Path[1:], "/"); rest != "" {
			list[first] = true
		}
	}
	delete(list, strings.Trim(namePrefix, "/"))
	return list
}()

// forPrograms tells of a route that it is no page's, whether it exists or not: it lies where
// operations do, or has the extension of a file.
func forPrograms(route string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(route, "/"), "/")
	ext := path.Ext(route)
	return programs[first] || ext != "" && ext != ".html"
}

// WantsPage tells a browser that asks for a page, as it names text/html, from a program, and from
// what asks for no page.
func WantsPage(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/html") && !forPrograms(r.URL.Path)
}
