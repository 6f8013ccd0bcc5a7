// Package changes answers the pages of the DCAT-AP catalogue that a harvester
// asks for by query: those of the entries that changed. Without parameters the
// catalogue is a document of the snapshot.
package changes

import (
	"errors"
	"io/fs"
	"net/http"

	"github.com/assay-register/assay/dynamic/lru"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Maker makes a page of the catalogue from the pinned pages of a snapshot, which
// pinned reads by route. A page that does not exist is catalog.ErrNotFound.
type Maker func(c *snapshot.Catalog, q *wire.CatalogChanges, pinned func(route string) ([]byte, error)) (*wire.CatalogPage, error)

// Source reads the document of a route; fs.ErrNotExist when there is none.
type Source interface {
	Read(route string) ([]byte, error)
}

const (
	// answersBudget bounds the remembered pages of one form, in bytes; a page has up to
	// two megabytes, and its coded forms are smaller.
	answersBudget = 32 << 20
	// makersMax is how many pages are made at the same time: each reads up to
	// eight pinned pages.
	makersMax = 2
)

// answer is a finished page.
type answer struct {
	body *web.Body
	link string
}

type handler struct {
	library *query.Library
	form    string
	media   string
	source  Source
	make    Maker
	gate    chan struct{}
	answers *lru.Cache[*answer]
}

// Start leads a harvester to the first page of the snapshot that is presented. It is
// another page tomorrow, so nobody may keep the redirect (302).
func Start(library *query.Library, form string) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err == nil {
			err = query.ParseNone(values)
		}
		if err != nil {
			return err
		}
		s, err := library.At(r.Context(), "")
		if err != nil {
			return err
		}
		h := w.Header()
		h.Set("Location", wire.Path(s.Site, wire.PinnedPrefix+s.ID+"/api/v1/catalog/dcat/1."+form))
		h.Set("Cache-Control", web.CacheMutable)
		h.Set("Content-Length", "0")
		w.WriteHeader(http.StatusFound)
		return nil
	}
}

// Pages answers in the form of the extension, ttl, jsonld or rdf; file answers a
// request without parameters, and every request when there is no maker.
func Pages(library *query.Library, form, media string, source Source, maker Maker, file web.Handler) web.Handler {
	h := &handler{library, form, media, source, maker, make(chan struct{}, makersMax), lru.New[*answer](answersBudget)}
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.URL.RawQuery == "" || maker == nil {
			return file(w, r)
		}
		return h.serve(w, r)
	}
}

func (h *handler) serve(w http.ResponseWriter, r *http.Request) error {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	ask, err := query.ParseChanges(values)
	if err != nil {
		return err
	}
	s, err := h.library.At(r.Context(), ask.Snapshot)
	if err != nil {
		return err
	}
	q := &wire.CatalogChanges{Since: ask.Query.UpdatedSince, Number: ask.Page, Form: h.form, Snapshot: s.ID}
	key := q.Route(q.Number)
	a, ok := h.answers.Get(key)
	if !ok {
		if a, err = h.answer(r, s, q); err != nil {
			return err
		}
	}
	before := a.body.Size()
	d := web.Document{Body: a.body, Head: web.Head{Type: h.media, Cache: web.CacheLive, Snapshot: s.ID, Link: a.link}, Prefer: web.PreferSmall}
	err = d.Write(w, r)
	if size := a.body.Size(); !ok || size != before {
		h.answers.Put(key, a, size+int64(len(key)+len(a.link)))
	}
	return err
}

// answer makes a page, when its turn has come.
func (h *handler) answer(r *http.Request, s *query.Snapshot, q *wire.CatalogChanges) (*answer, error) {
	select {
	case <-r.Context().Done():
		return nil, r.Context().Err()
	case h.gate <- struct{}{}:
		defer func() { <-h.gate }()
	}
	page, err := h.make(s.Catalog, q, h.source.Read)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, query.Expired(s.ID)
	case errors.Is(err, catalog.ErrNotFound):
		return nil, web.NotFound("The selection has no page of this number; page 1 leads to the last one.")
	}
	if err != nil {
		return nil, err
	}
	return &answer{web.NewBody(page.Body), web.Link(links(s.Site, q, page.Pages))}, nil
}

// links lead to the pages of the same walk.
func links(site snapshot.Site, q *wire.CatalogChanges, pages int) wire.Links {
	at := func(n int) string { return wire.Path(site, q.Route(n)) }
	l := wire.Links{Self: at(q.Number), First: at(1), Last: at(pages)}
	if q.Number > 1 {
		prev := at(q.Number - 1)
		l.Prev = &prev
	}
	if q.Number < pages {
		next := at(q.Number + 1)
		l.Next = &next
	}
	return l
}
