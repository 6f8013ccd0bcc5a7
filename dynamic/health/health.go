// Package health tells whether the service can answer.
package health

import (
	"net/http"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// Get answers 200 while a snapshot is loaded and the site that it belongs to is
// there, else 503.
func Get(library *query.Library) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		if err := query.ParseNone(values); err != nil {
			return err
		}
		if err := library.Check(); err != nil {
			return err
		}
		s, err := library.At(r.Context(), "")
		if err != nil {
			return err
		}
		body, err := web.JSON(wire.Health{Status: "ok", Snapshot: s.ID})
		if err != nil {
			return err
		}
		d := web.Document{Head: web.Head{Type: artifact.JSON, Cache: web.CacheNever, Snapshot: s.ID}, Body: web.NewBody(body)}
		return d.Write(w, r)
	}
}
