// Package documents serves the documents of a snapshot file, with what lies over it, as a
// static host would, and says what became of those that are no longer there.
package documents

import (
	"net/http"
	"strings"

	"golang.org/x/sync/singleflight"

	"github.com/assay-register/assay/dynamic/lru"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Budget is how many bytes of documents a server keeps in memory by default.
const Budget = 64 << 20

// Server serves the documents of a library. It is safe for concurrent use.
type Server struct {
	library *query.Library
	held    *lru.Cache[*document]
	reading singleflight.Group
	derived []Derived
}

// New makes a server that keeps up to budget bytes of documents in memory, and makes
// documents of the derived kinds.
func New(library *query.Library, budget int64, derived ...Derived) *Server {
	return &Server{library: library, held: lru.New[*document](budget), derived: derived}
}

// Serve answers GET and HEAD with the document of a route.
func (d *Server) Serve(w http.ResponseWriter, r *http.Request) error {
	s, err := d.library.At(r.Context(), "")
	if err != nil {
		return err
	}
	return d.at(s).serve(w, r)
}

// site is what one request sees: the documents of one snapshot.
type site struct {
	*Server
	s *query.Snapshot
}

func (d *Server) at(s *query.Snapshot) site { return site{d, s} }

func (d site) serve(w http.ResponseWriter, r *http.Request) error {
	route := r.URL.Path
	if len(route) > 1 && strings.HasSuffix(route, "/") {
		return d.redirect(w, r, strings.TrimRight(route, "/"))
	}
	if parent, ok := indexOf(route); ok && d.exists(route) {
		return d.redirect(w, r, parent)
	}
	if d.merged(route) {
		return d.missing(w, r, route)
	}
	w, done, err := d.alternate(w, r, route)
	if done {
		return err
	}
	doc, err := d.get(route)
	if err != nil {
		return err
	}
	if doc == nil {
		if found, err := d.negotiated(w, r, route); found {
			return err
		}
		return d.missing(w, r, route)
	}
	if err := refuseQuery(r, doc.head.Type); err != nil {
		return err
	}
	return d.answer(w, r, doc)
}

// indexOf tells that a route spells out the index file of another route.
func indexOf(route string) (string, bool) {
	for _, name := range []string{"/index.json", "/index.html"} {
		if parent, ok := strings.CutSuffix(route, name); ok {
			return parent, true
		}
	}
	return "", false
}

// refuseQuery lets only pages that a person reads ignore parameters; for all
// else a parameter without effect is an error (decisions §3).
func refuseQuery(r *http.Request, media string) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	media, _, _ = strings.Cut(media, ";")
	switch media {
	case "text/html", "text/css", "text/javascript", "image/svg+xml":
		return nil
	}
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	return query.ParseNone(values)
}

// answer writes a document.
func (d site) answer(w http.ResponseWriter, r *http.Request, doc *document) error {
	if doc.body == nil {
		return d.stream(w, r, doc)
	}
	answer := web.Document{Head: doc.head, Body: doc.body}
	err := answer.Write(w, r)
	d.keep(doc)
	return err
}

// pinnedTo is the snapshot that a pinned route names, else "".
func pinnedTo(route string) string {
	rest, ok := strings.CutPrefix(route, wire.PinnedPrefix)
	if !ok {
		return ""
	}
	id, _, _ := strings.Cut(rest, "/")
	if !snapshot.IsID(id) {
		return ""
	}
	return id
}

// redirect sends the client to another route, with its parameters.
func (d site) redirect(w http.ResponseWriter, r *http.Request, route string) error {
	if route == "" {
		route = "/"
	}
	web.Redirect(w, r, wire.Path(d.s.Site, route))
	return nil
}

// Used is how many bytes of documents are held in memory.
func (d *Server) Used() int64 { return d.held.Used() }
