package wire

// Protocol is the register in a protocol of others.
type Protocol struct {
	// Name is what the protocol is called, Description what it is for here.
	Name, Description string
	// Base is the address that clients are given, Start one below it that answers, of
	// which Type is the media type.
	Base, Start, Type string
	// Guide is the route of its guide.
	Guide string
}

// Protocols lists them, for /llms.txt and the catalogue of the register's own APIs. The
// service answers them; a static tree does not.
func Protocols() []Protocol {
	return []Protocol{
		{"MCP registry", "MCP servers as a registry that clients and other registries read.", RouteMCPRegistry, RouteMCPServers, MediaJSON, "/docs/mcp-registry"},
		{"CKAN", "Every entry as a package, for programs that read CKAN portals.", RouteCKAN, RouteCKANActions + "status_show", MediaJSON, "/docs/ckan"},
	}
}
