package dynamic

import (
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/ckan"
	"github.com/assay-register/assay/dynamic/mcpregistry"
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
