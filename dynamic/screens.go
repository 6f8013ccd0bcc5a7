package dynamic

import (
	"net/http"

	"github.com/assay-register/assay/dynamic/pages"
	"github.com/assay-register/assay/dynamic/screens"
	"github.com/assay-register/assay/dynamic/web"
	view "github.com/assay-register/assay/render/pages"
)

// assetPrefix begins the routes of the site's assets. A page takes several, so
// they are not counted as reads.
const assetPrefix = "/assets/"

// screens are the pages that depend on what a reader asked, in every language
// of the interface.
func (s *Service) screens() []Route {
	c := pages.Config{Views: s.views, Static: s.serveFile, API: s.inside(), Current: s.Current}
	routes := []Route{{"", http.MethodGet, assetPrefix + "{name}", web.CacheHashed, pages.Asset(c)}}
	for _, lang := range view.Languages() {
		routes = append(routes,
			Route{"", http.MethodGet, view.Local(lang, "/search"), web.CacheLive, pages.Search(c, lang)},
			Route{"", http.MethodGet, view.Local(lang, "/compare"), web.CacheLive, pages.Compare(c, lang)},
			Route{"", http.MethodGet, view.Local(lang, "/past"), web.CacheLive, pages.Past(c, lang)},
			Route{"", http.MethodGet, view.Local(lang, "/verify"), web.CacheMutable, pages.Verify(c, lang)},
			Route{"", http.MethodGet, view.Local(lang, "/institution/{id}/fixes"), web.CacheLive, pages.Fixes(c, lang)})
	}
	if s.config.Store == nil {
		return routes
	}
	desk := &screens.Config{Views: c.Views, Current: c.Current, Static: c.Static, API: c.API, Identify: s.guard.Identify, Store: s.config.Store, Now: s.config.Now, Owners: s.owners}
	for _, r := range desk.Routes() {
		routes = append(routes, Route{"", r.Method, r.Pattern, web.CacheNever, r.Handler})
	}
	return routes
}
