package evidence

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// form is one way to show a citation.
type form struct {
	name, media, cache string
	make               func(*snapshot.Catalog, *catalog.Evidence) ([]byte, error)
}

// forms lists them; the first is sent to a client without a preference. The
// page changes with the design of the site, and speaks the reader's language;
// all else never changes.
func (d *Handlers) forms(e *catalog.Evidence, lang string) []form {
	return []form{
		{"json", cmp.Or(e.Media, artifact.JSON), web.CacheHashed, func(_ *snapshot.Catalog, e *catalog.Evidence) ([]byte, error) { return e.Body, nil }},
		{"html", pages.HTML, web.CacheMutable, d.page(lang)},
		{"bibtex", wire.MediaBibTeX + "; charset=utf-8", web.CacheHashed, bibtex},
		{"csl", wire.MediaCSL, web.CacheHashed, csl},
	}
}

// Replay sends a cited answer byte for byte, or what is known about it in
// another form.
func (d *Handlers) Replay() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		name, err := query.ParseEvidence(values)
		if err != nil {
			return err
		}
		e, err := d.get(r.Context(), r.PathValue("id"))
		if err != nil {
			return err
		}
		s, err := d.Library.At(r.Context(), "")
		if err != nil {
			return err
		}
		f := choose(d.forms(e, pages.Preferred(strings.Join(r.Header.Values("Accept-Language"), ","))), name, r.Header.Get("Accept"))
		body, err := f.make(s.Catalog, e)
		if err != nil {
			return err
		}
		w.Header().Del("Assay-Snapshot")
		head := web.Head{Type: f.media, Cache: f.cache, Snapshot: e.Snapshot,
			Link: "<" + wire.EvidencePath(s.Site, e.ID) + `>; rel="canonical"`}
		return (&web.Document{Head: head, Body: web.NewBody(body)}).Write(web.Varied(w, "Accept, Accept-Language"), r)
	}
}

func (d *Handlers) get(ctx context.Context, id string) (*catalog.Evidence, error) {
	unknown := web.NotFound("No citation has this id.")
	if id = strings.ToLower(id); !catalog.IsID(id) {
		return nil, unknown
	}
	var e *catalog.Evidence
	err := d.Store.View(ctx, func(tx catalog.Tx) error {
		var err error
		e, err = tx.Evidences().Get(ctx, id)
		return err
	})
	if errors.Is(err, catalog.ErrNotFound) {
		return nil, unknown
	}
	return e, err
}

// choose finds the form that a request names, else the one it prefers.
func choose(list []form, name, accept string) form {
	media := make([]string, len(list))
	for i, f := range list {
		media[i] = f.media
		if f.name == name {
			return f
		}
	}
	best := web.Prefer(accept, media...)
	for _, f := range list {
		if f.media == best {
			return f
		}
	}
	return list[0]
}
