// Package badges answers what badge services ask for; the badges themselves
// are documents of the snapshot.
package badges

import (
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/badge"
)

// Endpoint answers `{kind}.json` with the badge of an entry as a value that
// shields.io draws (decisions §2); any other name is a document.
func Endpoint(library *query.Library, file web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		kind, ok := strings.CutSuffix(r.PathValue("kind"), ".json")
		if !ok {
			return file(w, r)
		}
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		if err := query.ParseNone(values); err != nil {
			return err
		}
		if !badge.IsKind(kind) {
			return web.NotFound("No badge has this kind; known are " + kinds() + ".")
		}
		s, err := library.At(r.Context(), "")
		if err != nil {
			return err
		}
		p := s.Find(r.PathValue("idOrSlug"))
		if p.Standing != query.Visible && p.Standing != query.Moved {
			return web.NotFound("No entry has this id or slug.")
		}
		b := badge.Of(&s.Lines[s.ByID(p.ID)], badge.Kind(kind))
		body, err := web.JSON(b.Endpoint(false))
		if err != nil {
			return err
		}
		d := web.Document{Head: web.Head{Type: artifact.JSON, Cache: web.CacheLive, Snapshot: s.ID}, Body: web.NewBody(body)}
		return d.Write(w, r)
	}
}

func kinds() string {
	var names []string
	for _, k := range badge.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
