package dynamic

import (
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/ckan"
	"github.com/assay-register/assay/dynamic/mcpregistry"
	"github.com/assay-register/assay/dynamic/ogc"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// protocolRoutes are the register in the protocols of others.
func (s *Service) protocolRoutes() []Route {
	servers := mcpregistry.New(s.library, s.documents)
	portal := ckan.New(s.library, s.documents)
	routes := []Route{
		{"listMCPServers", http.MethodGet, wire.RouteMCPServers, web.CacheLive, servers.List},
		{"listMCPServerVersions", http.MethodGet, wire.RouteMCPServers + "/{serverName}/versions", web.CacheLive, servers.Versions},
		{"getMCPServerVersion", http.MethodGet, wire.RouteMCPServers + "/{serverName}/versions/{version}", web.CacheLive, servers.Version},
		{"", http.MethodGet, wire.RouteCKAN + "/dataset/{id}", web.CacheLive, portal.Dataset},
	}
	routes = append(routes, s.ogcRoutes()...)
	for _, op := range wire.Operations() {
		if name, ok := strings.CutPrefix(op.Path, wire.RouteCKANActions); ok {
			routes = append(routes, Route{op.ID, http.MethodGet, op.Path, web.CacheLive, portal.Action(name)},
				Route{"", http.MethodPost, op.Path, web.CacheNever, portal.Action(name)})
		}
	}
	// Clients know the same actions under an address without the version, too.
	for _, pattern := range []string{wire.RouteCKANActions, wire.RouteCKAN + "/api/action/"} {
		routes = append(routes, Route{"", http.MethodGet, pattern + "{action}", web.CacheLive, portal.Any}, Route{"", http.MethodPost, pattern + "{action}", web.CacheNever, portal.Any})
	}
	return append(routes, Route{"", http.MethodGet, wire.RouteCKAN + "/api/3", web.CacheLive, portal.Version})
}

// ogcRoutes are the register as a catalogue of OGC API - Records. Clients of OGC put a slash
// behind the address of the landing page.
func (s *Service) ogcRoutes() []Route {
	api := ogc.New(s.library, s.documents)
	return []Route{
		{"getOGCLanding", http.MethodGet, wire.RouteOGC, web.CacheLive, api.Landing()},
		{"", http.MethodGet, wire.RouteOGC + "/{$}", web.CacheLive, api.Landing()},
		{"getOGCConformance", http.MethodGet, wire.RouteOGC + "/conformance", web.CacheLive, api.Conformance()},
		{"getOGCAPI", http.MethodGet, wire.RouteOGC + "/api", web.CacheLive, api.Description()},
		{"listOGCCollections", http.MethodGet, wire.RouteOGC + "/collections", web.CacheLive, api.Collections()},
		{"getOGCCollection", http.MethodGet, wire.RouteOGCRecords, web.CacheLive, api.Collection()},
		{"getOGCQueryables", http.MethodGet, wire.RouteOGCRecords + "/queryables", web.CacheLive, api.Queryables()},
		{"getOGCSortables", http.MethodGet, wire.RouteOGCRecords + "/sortables", web.CacheLive, api.Sortables()},
		{"searchOGCRecords", http.MethodGet, wire.RouteOGCRecords + "/items", web.CacheLive, api.Items},
		{"getOGCRecord", http.MethodGet, wire.RouteOGCRecords + "/items/{id}", web.CacheLive, api.Item},
	}
}
