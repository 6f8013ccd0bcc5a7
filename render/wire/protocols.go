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
// service answers them; of DCAT-AP and LDES a static tree has all.
func Protocols() []Protocol {
	return []Protocol{
		{"MCP registry", "MCP servers as a registry that clients and other registries read.", RouteMCPRegistry, RouteMCPServers, MediaJSON, "/docs/mcp-registry"},
		{"CKAN", "Every entry as a package, for programs that read CKAN portals.", RouteCKAN, RouteCKANActions + "status_show", MediaJSON, "/docs/ckan"},
		{"DCAT-AP", "The whole register by pages of 500, for portals.", "/api/v1/catalog/dcat/1.ttl", "/api/v1/catalog/dcat/1.ttl", MediaTurtle, "/docs/harvest-dcat"},
		{"DCAT-US", "The datasets as data.json of version 1.1; version 3.0, with services, is at `" + RouteDCATUS + "`.", RouteDataJSON, RouteDataJSON, MediaJSON, "/docs/harvest-dcat"},
		{"LDES", "Each version of each entry as an event stream of DCAT-AP, for harvesters that come again.", "/api/v1/ldes", "/api/v1/ldes", MediaTurtle, "/docs/harvest-changes"},
		{"OGC API - Records", "Records by words, box, time and CQL2, for GIS and geoportals.", RouteOGC, RouteOGC, MediaJSON, "/docs/ogc-records"},
		{"OAI-PMH", "Records in Dublin Core and DCAT-AP, for repositories and libraries.", RouteOAI, RouteOAI + "?verb=Identify", "text/xml", "/docs/harvest-changes"},
	}
}
