package dynamic

import (
	"net/http"

	"github.com/assay-register/assay/dynamic/pages"
	"github.com/assay-register/assay/dynamic/web"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
)

// screens are the pages that depend on what a reader asked, in every language
// of the interface.
func (s *Service) screens() []Route {
	c := pages.Config{Views: s.views, Static: s.tree.Serve,
		API: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }),
		Current: func() *snapshot.Catalog {
			if current := s.library.Current(); current != nil {
				return current.Catalog
			}
			return nil
		}}
	var routes []Route
	for _, lang := range view.Languages() {
		routes = append(routes,
			Route{"", http.MethodGet, view.Local(lang, "/search"), web.CacheLive, pages.Search(c, lang)},
			Route{"", http.MethodGet, view.Local(lang, "/compare"), web.CacheLive, pages.Compare(c, lang)})
	}
	return routes
}
