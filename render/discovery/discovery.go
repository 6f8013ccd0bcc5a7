// Package discovery renders the documents that tell a client what the register
// offers and how to read it.
package discovery

import (
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// InterfaceVersion is the version of the interface, not of the program
// (specification, "Versioning").
const InterfaceVersion = "1.0.0"

// Whole renders the interface description.
func Whole(c *snapshot.Catalog, emit func(artifact.File) error) error {
	body, err := OpenAPI(c.Site, InterfaceVersion)
	if err != nil {
		return err
	}
	return emit(artifact.File{Route: "/openapi.json", Type: artifact.JSON, Class: artifact.ClassContract, Body: body})
}
