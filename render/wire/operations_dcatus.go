package wire

// Addresses of the register in DCAT-US: of version 1.1 where harvesters look for it, of 3.0
// beside the other forms of the catalog.
const (
	RouteDataJSON = "/data.json"
	RouteDCATUS   = "/api/v1/catalog/dcat-us.json"
)

// dcatusOperations are the catalog in DCAT-US.
func dcatusOperations() []Operation {
	return []Operation{
		{ID: "getDataJSON", Path: RouteDataJSON, Summary: "The datasets as data.json", Media: MediaJSON,
			Description: "Every dataset in DCAT-US 1.1 (Project Open Data), by its schema for others than federal bodies. It has no services; version 3.0 has."},
		{ID: "getDCATUS", Path: RouteDCATUS, Summary: "The catalog in DCAT-US 3.0", Media: MediaJSON,
			Description: "Every dataset, and every API or MCP server with an address as a data service, in DCAT-US 3.0."},
	}
}
