package wire

import "reflect"

// TagProtocols are the register in the protocols of others.
const TagProtocols = "protocols"

// RouteMCPRegistry is the base address of the register as a registry of MCP servers,
// RouteMCPServers its list.
const (
	RouteMCPRegistry = "/api/v1/mcp-registry"
	RouteMCPServers  = RouteMCPRegistry + "/v0.1/servers"
)

// MCPServersMax is how many servers a page of the MCP registry has at most,
// MCPServersDefault how many without a limit, as the official registry has them.
const (
	MCPServersMax     = 100
	MCPServersDefault = 30
)

// RegistryError is an error in the form of the MCP registry API.
type RegistryError struct {
	Error string `json:"error"`
}

// errorOfRegistry says in which form errors come.
const errorOfRegistry = " Errors have the form of the protocol, `{\"error\": …}`."

// MCPServersParams are those of the list of the MCP registry.
func MCPServersParams() []Param {
	return []Param{
		{Name: "cursor", In: "query", Kind: KindString, Description: "`metadata.nextCursor` of the page before.", Example: "gov.example/tides"},
		{Name: "limit", In: "query", Kind: KindInteger, Min: 1, Max: MCPServersMax, Default: MCPServersDefault, Description: "Servers per page."},
		{Name: "search", In: "query", Kind: KindString, Description: "A part of the name or title, in any case.", Example: "parliament"},
		{Name: "updated_since", In: "query", Kind: KindString, Format: "date-time", Description: "Only servers changed at or after this instant.", Example: "2026-01-01T00:00:00Z"},
		{Name: "version", In: "query", Kind: KindString, Description: "`latest`, or servers whose present version this is.", Example: "latest"},
		includeDeleted(),
	}
}

func includeDeleted() Param {
	return Param{Name: "include_deleted", In: "query", Kind: KindBoolean, Description: "Has no effect: the register keeps no deleted servers. What left is in the change feed."}
}

func serverName() Param {
	return Param{Name: "serverName", In: "path", Kind: KindString, Description: "Name of the server, with its slash as %2F.", Example: "gov.example/tides"}
}

// registryOperations are the MCP registry API (openapi of 2025-12-01), for clients and registries that take this register as their upstream.
func registryOperations() []Operation {
	ops := []Operation{
		{ID: "listMCPServers", Path: RouteMCPServers, Summary: "MCP servers as a registry", Params: MCPServersParams(), Problems: []int{400},
			Description: "The listed MCP servers in the form of the MCP registry API v0.1, so that clients and other registries take this register as theirs, by names."},
		{ID: "listMCPServerVersions", Path: RouteMCPServers + "/{serverName}/versions", Summary: "Versions of an MCP server",
			Params: []Param{serverName(), includeDeleted()}, Problems: []int{400, 404},
			Description: "The versions of a server in the form of the MCP registry API. The register knows the present one."},
		{ID: "getMCPServerVersion", Path: RouteMCPServers + "/{serverName}/versions/{version}", Summary: "A version of an MCP server", Problems: []int{400, 404},
			Params: []Param{serverName(),
				{Name: "version", In: "path", Kind: KindString, Description: "A version, or `latest`.", Example: "latest"}, includeDeleted()},
			Description: "One server in the form of the MCP registry API: its `server.json` and what the register says of it."},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Media, ops[i].Errors, ops[i].ErrorResponse, ops[i].Cache = TagProtocols, MediaJSON, MediaJSON, reflect.TypeFor[RegistryError](), CacheShort
		ops[i].Description += errorOfRegistry
	}
	return ops
}
