package dynamic

import (
	"net/http"

	"github.com/assay-register/assay/dynamic/mcpregistry"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// protocolRoutes are the register in the protocols of others.
func (s *Service) protocolRoutes() []Route {
	servers := mcpregistry.New(s.library, s.documents)
	return []Route{
		{"listMCPServers", http.MethodGet, wire.RouteMCPServers, web.CacheLive, servers.List},
		{"listMCPServerVersions", http.MethodGet, wire.RouteMCPServers + "/{serverName}/versions", web.CacheLive, servers.Versions},
		{"getMCPServerVersion", http.MethodGet, wire.RouteMCPServers + "/{serverName}/versions/{version}", web.CacheLive, servers.Version},
	}
}
