package evidence

import (
	"errors"
	"io/fs"
	"net/http"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/bundle"
	"github.com/assay-register/assay/render/wire"
)

// Bundle answers the evidence about an entry in one file.
func (d *Handlers) Bundle() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		s, err := d.Library.At(r.Context(), "")
		if err != nil {
			return err
		}
		name := r.PathValue("idOrSlug")
		place := s.Find(name)
		if place.Standing == query.Moved {
			web.Redirect(w, r, wire.Path(s.Site, entryPrefix+place.ID+"/bundle.zip"))
			return nil
		}
		if err := absent(name, place); err != nil {
			return err
		}
		records, err := Published(r.Context(), d.Store, place.ID, false)
		if err != nil {
			return err
		}
		log, err := d.Log()
		if err != nil {
			return err
		}
		// What lies over the snapshot is ahead of the head that a bundle is proven by.
		body, err := bundle.Make(bundle.Parts{BaseURL: s.Site.BaseURL, EntryID: place.ID, Snapshot: s.ID, Records: &records, Log: log,
			Read: func(route string) ([]byte, error) { return d.Source.ReadIn(s.ID, route) }})
		if errors.Is(err, fs.ErrNotExist) {
			return web.NotFound("The present snapshot does not have the entry, or no rules as data yet: the next build writes both.")
		}
		if err != nil {
			return err
		}
		h := web.Head{Type: wire.MediaZIP, Cache: web.CacheLive}
		w.Header().Set("Content-Disposition", `attachment; filename="`+place.ID+`.zip"`)
		return (&web.Document{Head: h, Body: web.NewBody(body)}).Write(w, r)
	}
}
