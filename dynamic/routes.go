package dynamic

import (
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/badges"
	"github.com/assay-register/assay/dynamic/changes"
	"github.com/assay-register/assay/dynamic/entries"
	"github.com/assay-register/assay/dynamic/health"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// Route is one thing that the service answers itself; all else is the tree's.
type Route struct {
	// OperationID is the id in the interface description, "" for a page that
	// is no operation.
	OperationID, Method, Pattern string
	// Cache is the Cache-Control of a success.
	Cache   string
	handler web.Handler
}

// Routes lists what the service answers itself.
func (s *Service) Routes() []Route {
	routes := []Route{
		{"listEntries", http.MethodGet, "/api/v1/entries", web.CacheLive, entries.List(s.library, s.tree.Serve)},
		{"facetEntries", http.MethodGet, "/api/v1/entries/facets", web.CacheLive, entries.Facets(s.library, s.tree.Serve)},
		{"getBadgeEndpoint", http.MethodGet, "/api/v1/badges/{idOrSlug}/{kind}.json", web.CacheLive, badges.Endpoint(s.library, s.tree.Serve)},
		{"getDCATTurtle", http.MethodGet, "/api/v1/catalog/dcat.ttl", web.CacheLive, s.changes("ttl", "text/turtle; charset=utf-8")},
		{"getDCATJSONLD", http.MethodGet, "/api/v1/catalog/dcat.jsonld", web.CacheLive, s.changes("jsonld", "application/ld+json")},
		{"getHealth", http.MethodGet, "/health", web.CacheNever, health.Get(s.library)},
		{"", http.MethodGet, "/problems/{name}", web.CacheLive, web.DescribeProblem},
	}
	if s.agents != nil {
		routes = append(routes, Route{"", http.MethodPost, wire.MCPPath, web.CacheNever, s.agents})
	}
	return routes
}

func (s *Service) changes(form, media string) web.Handler {
	return changes.Pages(s.library, form, media, s.tree, s.config.Changes, s.tree.Serve)
}

// mux sends each route to its handler and all else to the tree. A pattern
// takes all methods, so that the answer to a wrong one is ours.
func (s *Service) mux() http.Handler {
	byPattern := map[string]map[string]web.Handler{"/": {http.MethodGet: s.tree.Serve}}
	for _, r := range s.Routes() {
		// A wildcard of the mux takes a whole segment; the handler looks at
		// the extension.
		pattern := strings.TrimSuffix(r.Pattern, ".json")
		if byPattern[pattern] == nil {
			byPattern[pattern] = map[string]web.Handler{}
		}
		byPattern[pattern][r.Method] = r.handler
	}
	mux := http.NewServeMux()
	for pattern, byMethod := range byPattern {
		mux.Handle(pattern, s.front.Adapt(web.Methods(byMethod)))
	}
	return mux
}
