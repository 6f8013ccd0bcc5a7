package dynamic

import (
	"net/http"

	"github.com/assay-register/assay/dynamic/badges"
	"github.com/assay-register/assay/dynamic/changes"
	"github.com/assay-register/assay/dynamic/entries"
	"github.com/assay-register/assay/dynamic/fixes"
	"github.com/assay-register/assay/dynamic/health"
	"github.com/assay-register/assay/dynamic/identifiers"
	"github.com/assay-register/assay/dynamic/oai"
	"github.com/assay-register/assay/dynamic/proxy"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/sparse"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// Route is one thing that the service answers itself; all else is a document.
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
	answers := entries.NewAnswers(s.library)
	routes := []Route{
		{"listEntries", http.MethodGet, "/api/v1/entries", web.CacheLive, sparse.Fields(entries.List(answers, s.serveFile), sparse.List)},
		{"facetEntries", http.MethodGet, "/api/v1/entries/facets", web.CacheLive, entries.Facets(answers, s.serveFile)},
		{"listInstitutions", http.MethodGet, wire.RouteInstitutions, web.CacheLive, entries.Institutions(answers, s.serveFile)},
		{"searchEntries", http.MethodGet, "/api/v1/entries/search", web.CacheLive, sparse.Fields(entries.Search(answers), sparse.Found)},
		{"getEntry", http.MethodGet, "/api/v1/entries/{idOrSlug}", web.CacheMutable, sparse.Fields(s.serveFile, sparse.Entry)},
		{"suggestEntries", http.MethodGet, "/api/v1/entries/search/suggestions", web.CacheLive, entries.Suggestions(answers)},
		{"compareEntries", http.MethodGet, "/api/v1/entries/compare", web.CacheLive, entries.Compare(s.library)},
		{"compareMatrix", http.MethodGet, "/api/v1/entries/compare/matrix", web.CacheLive, entries.Matrix(s.library)},
		{"restateIdentifier", http.MethodGet, "/api/v1/identifiers/restate/{identifier}", web.CacheLive, identifiers.Restate(s.library)},
		{"getBadgeEndpoint", http.MethodGet, "/api/v1/badges/{idOrSlug}/{kind}.json", web.CacheLive, badges.Endpoint(s.library, s.serveFile)},
		{"exportCSV", http.MethodGet, wire.RouteCSV, web.CacheLive, s.exportCSV(wire.RouteSafeCSV)},
		{"exportFullCSV", http.MethodGet, wire.RouteFullCSV, web.CacheLive, s.exportCSV(wire.RouteFullSafeCSV)},
		{"getDCATTurtle", http.MethodGet, "/api/v1/catalog/dcat.ttl", web.CacheLive, s.changes("ttl", "text/turtle; charset=utf-8")},
		{"getDCATJSONLD", http.MethodGet, "/api/v1/catalog/dcat.jsonld", web.CacheLive, s.changes("jsonld", "application/ld+json")},
		{"getDCATRDFXML", http.MethodGet, "/api/v1/catalog/dcat.rdf", web.CacheLive,
			changes.Pages(s.library, "rdf", wire.MediaRDFXML, s.documents, s.config.Changes, changes.Start(s.library, "rdf"))},
		{"getDCATTurtleStart", http.MethodGet, "/api/v1/catalog/dcat/1.ttl", web.CacheMutable, changes.Start(s.library, "ttl")},
		{"getDCATJSONLDStart", http.MethodGet, "/api/v1/catalog/dcat/1.jsonld", web.CacheMutable, changes.Start(s.library, "jsonld")},
		{"getDCATRDFXMLStart", http.MethodGet, "/api/v1/catalog/dcat/1.rdf", web.CacheMutable, changes.Start(s.library, "rdf")},
		{"getLogProof", http.MethodGet, "/api/v1/log/proof", web.CacheLive, s.verdicts.Proof()},
		{"getLogEntry", http.MethodGet, "/log/entry/{id}.json", web.CacheMutable, s.verdicts.Entry()},
		{"getLogCheckpoint", http.MethodGet, "/log/checkpoint", web.CacheMutable, s.verdicts.Checkpoint()},
		{"getLogKeyProof", http.MethodGet, "/log/keys.json", web.CacheMutable, s.verdicts.Keys()},
		{"getSums", http.MethodGet, "/log/SHA256SUMS", web.CacheMutable, s.verdicts.Sums()},
		{"", http.MethodGet, "/log/tile/{path...}", web.CacheHashed, s.verdicts.Tile()},
		{"getOAI", http.MethodGet, wire.RouteOAI, web.CacheLive, oai.Repository(s.library, s.documents, s.config.Now)},
		{"", http.MethodPost, wire.RouteOAI, web.CacheLive, oai.Repository(s.library, s.documents, s.config.Now)},
		{"listFixes", http.MethodGet, wire.FixesPath, web.CacheLive, fixes.List(s.library, s.config.Store)},
		{"getFixesFeed", http.MethodGet, wire.FixesFeedPath, web.CacheLive, fixes.Feed(s.library)},
		{"getFixesBadge", http.MethodGet, wire.FixesBadgePath, web.CacheLive, fixes.Badge(s.library)},
		{"getFixesPicture", http.MethodGet, wire.FixesSVGPath, web.CacheLive, fixes.Picture(s.library)},
		{"getHealth", http.MethodGet, "/health", web.CacheNever, health.Get(s.library)},
		{"getHealthDetails", http.MethodGet, "/health/detailed", web.CacheNever, health.Detailed(s.library, s.checks(), s.config.Logger, s.config.Now)},
		{"", http.MethodGet, metricsPattern, web.CacheNever, s.metrics.Show()},
		{"", http.MethodGet, "/problems/{name}", web.CacheLive, web.DescribeProblem},
	}
	if s.config.Store != nil {
		forward := proxy.Forward(proxy.Config{Store: s.config.Store, Client: s.config.ProxyClient, Now: s.config.Now, Observe: s.metrics.Proxied})
		routes = append(routes, Route{"getEntryChecks", http.MethodGet, "/api/v1/entries/{id}/checks", web.CacheMutable,
			entries.Checks(s.library, s.config.Store, s.config.Now, s.serveFile)})
		routes = append(routes, Route{"listIncidents", http.MethodGet, wire.RouteIncidents, web.CacheLive,
			entries.Incidents(s.library, s.config.Store, s.config.Now, s.serveFile)})
		routes = append(routes, Route{proxyOperation, http.MethodPost, wire.ProxyPath, web.CacheNever, forward})
		routes = append(routes, s.changeRoutes()...)
		routes = append(routes, s.watchRoutes()...)
		routes = append(routes, s.deskRoutes()...)
		routes = append(routes, s.adminRoutes()...)
		routes = append(routes, s.claimRoutes()...)
		routes = append(routes, s.evidenceRoutes()...)
		routes = append(routes, s.pastRoutes()...)
	}
	routes = append(routes, s.protocolRoutes()...)
	routes = append(routes, s.screens()...)
	return append(routes, Route{"", http.MethodPost, wire.MCPPath, web.CacheNever, s.serveAgents})
}

// exportCSV answers the file of a CSV export, or that of its safe variant.
func (s *Service) exportCSV(variant string) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.URL.RawQuery == "" {
			return s.serveFile(w, r)
		}
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		if err := query.ParseExport(values); err != nil {
			return err
		}
		if !values.Has(wire.Safe) {
			return s.serveFile(w, r)
		}
		safe := r.Clone(r.Context())
		safe.URL.Path, safe.URL.RawPath, safe.URL.RawQuery = variant, "", ""
		return s.serveFile(w, safe)
	}
}

func (s *Service) changes(form, media string) web.Handler {
	return changes.Pages(s.library, form, media, s.documents, s.config.Changes, s.serveFile)
}
