// Package discovery renders the documents that tell a client what the register
// offers and how to read it: for programmers (openapi.json), agents (llms.txt),
// machines that look for APIs or data (api-catalog, mcp.json, linkset, datapackage.json)
// and crawlers (sitemap.xml, robots.txt).
//
// What they name is taken from wire.Operations, so a document never leads to a
// page that is not built, and a new page stands in them without a change here.
package discovery

import (
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// InterfaceVersion is the version of the interface, not of the program
// (specification, "Versioning").
const InterfaceVersion = "1.0.0"

// ClassDiscovery groups the documents for crawlers and agents in
// snapshot.json.
const ClassDiscovery artifact.Class = "discovery"

// Aggregates renders the documents.
func Aggregates(c *snapshot.Catalog, emit func(artifact.File) error) error {
	for _, render := range append(renderers(), openAPI) {
		files, err := render(c)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := emit(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// renderers make the documents that depend on the catalog.
func renderers() []func(*snapshot.Catalog) ([]artifact.File, error) {
	return []func(*snapshot.Catalog) ([]artifact.File, error){llms, llmsFull, apiCatalog, cards, linkset, dataPackage, sitemaps, robots, logKeys}
}

func openAPI(c *snapshot.Catalog) ([]artifact.File, error) {
	body, err := OpenAPI(c.Site, InterfaceVersion)
	if err != nil {
		return nil, err
	}
	old, err := OpenAPI30(c.Site, InterfaceVersion)
	return []artifact.File{{Route: "/openapi.json", Type: artifact.JSON, Class: artifact.ClassContract, Body: body},
		{Route: "/openapi-3.0.json", Type: artifact.JSON, Class: artifact.ClassContract, Body: old}}, err
}
