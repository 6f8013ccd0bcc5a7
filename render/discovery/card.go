package discovery

import (
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// cards render what leads agents to the endpoint of the service: its card,
// which /.well-known/mcp.json repeats, and the list that names the card.
func cards(c *snapshot.Catalog) ([]artifact.File, error) {
	card, err := jsonx.Marshal(wire.NewServerCard(c.Site, InterfaceVersion))
	if err != nil {
		return nil, err
	}
	list, err := jsonx.Marshal(wire.NewAICatalog(c.Site))
	return []artifact.File{
		{Route: wire.RouteServerCard, Alias: wire.RouteMCP, Type: wire.MediaServerCard, Class: ClassDiscovery, Body: card},
		{Route: wire.RouteAICatalog, Type: wire.MediaAICatalog, Class: ClassDiscovery, Body: list},
	}, err
}
