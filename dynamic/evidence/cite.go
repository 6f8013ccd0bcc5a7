// Package evidence keeps answers that readers cite, replays them byte for byte,
// and says what has a hash.
package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// Source reads the file of a route; fs.ErrNotExist when there is none.
type Source interface {
	Read(route string) ([]byte, error)
	// ReadAt reads it in a snapshot, or in what lies over it.
	ReadAt(s *query.Snapshot, route string) ([]byte, error)
	// ReadIn reads it in a snapshot, without what lies over it.
	ReadIn(snapshot, route string) ([]byte, error)
}

// Handlers keeps and shows citations.
type Handlers struct {
	Store   catalog.Store
	Library *query.Library
	Source  Source
	Pages   *pages.Pages
	Now     func() time.Time
	// Log is the log of verdicts, nil where the register keeps none.
	Log func() (*translog.Log, error)
}

const entryPrefix = "/api/v1/entries/"

// Cite stores the present page of an entry, once for each hash, and says where
// it is kept. HEAD stores nothing (decisions §6).
func (d *Handlers) Cite() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		if err := query.ParseNone(values); err != nil {
			return err
		}
		s, err := d.Library.At(r.Context(), "")
		if err != nil {
			return err
		}
		name := r.PathValue("idOrSlug")
		place := s.Find(name)
		if place.Standing == query.Moved {
			web.Redirect(w, r, wire.Path(s.Site, entryPrefix+place.ID+"/evidence"))
			return nil
		}
		if err := absent(name, place); err != nil {
			return err
		}
		e, err := d.read(s, place.ID)
		if err != nil {
			return err
		}
		if r.Method != http.MethodHead {
			if err := d.keep(r.Context(), e); err != nil {
				return err
			}
		}
		body, err := web.JSON(wire.NewCitation(s.Site, e))
		if err != nil {
			return err
		}
		h := web.Head{Type: artifact.JSON, Cache: web.CacheNever}
		return (&web.Document{Head: h, Body: web.NewBody(body)}).Write(w, r)
	}
}

// absent says why there is nothing to cite, nil if there is.
func absent(name string, p query.Place) error {
	switch p.Standing {
	case query.Unknown:
		return web.NotFound("No entry has this id or slug.")
	case query.Removed:
		return web.Removed(name, p.Successor)
	}
	return nil
}

// read makes the citation of an entry's page as it is served. The
// snapshot is named only if it has the page: one may just be replaced.
func (d *Handlers) read(s *query.Snapshot, id string) (*catalog.Evidence, error) {
	route := entryPrefix + id
	body, err := d.Source.Read(route)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, web.NotFound("The entry is just leaving the register.")
	}
	if err != nil {
		return nil, fmt.Errorf("cite %s: %w", id, err)
	}
	sum := sha256.Sum256(body)
	e := &catalog.Evidence{EntryID: id, SHA256: hex.EncodeToString(sum[:]), Body: body, Route: route, Media: artifact.JSON,
		CreatedAt: d.Now().UTC().Truncate(time.Second)}
	e.ID = catalog.NewID("evidence", id+" "+e.SHA256)
	if answer := wire.ManifestSum(body); answer != ([sha256.Size]byte{}) {
		e.AnswerSHA256 = hex.EncodeToString(answer[:])
	}
	if d.Library.Published(s.ID, sum) {
		e.Snapshot = s.ID
	}
	return e, nil
}

// keep stores a citation and counts it, or takes over what was kept of the same
// bytes before.
func (d *Handlers) keep(ctx context.Context, e *catalog.Evidence) error {
	return d.Store.Update(ctx, func(tx catalog.Tx) error {
		kept, err := tx.Evidences().ByHash(ctx, e.SHA256)
		if err != nil {
			return err
		}
		for i := range kept {
			if kept[i].EntryID == e.EntryID && kept[i].SHA256 == e.SHA256 {
				*e = kept[i]
				return nil
			}
		}
		use := catalog.UseDay{EntryID: e.EntryID, Day: e.CreatedAt.Format(time.DateOnly), Uses: catalog.Uses{Citations: 1}}
		return errors.Join(tx.Evidences().Put(ctx, *e), tx.UseDays().Add(ctx, use))
	})
}
