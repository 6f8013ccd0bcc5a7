// Package derived lists the documents that a service makes of others when they are
// asked for. The service imports no format, so the roof hands it what renders.
package derived

import (
	"strings"

	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/render/dcat"
)

// Documents are the kinds of derived documents.
func Documents() []documents.Derived {
	return []documents.Derived{
		{Operation: "getEntryRDFXML", Type: dcat.TypeRDFXML, Make: dcat.RDFXML, From: rdfxmlFrom},
	}
}

// rdfxmlFrom is the JSON-LD beside a document of RDF/XML. Whole catalogues have none, they
// are too large to be held.
func rdfxmlFrom(route string) string {
	stem, ok := strings.CutSuffix(route, ".rdf")
	if ok && (stem == "/catalog" || stem == "/def" || strings.HasPrefix(stem, "/def/") || strings.HasPrefix(stem, "/id/")) {
		return stem + ".jsonld"
	}
	return ""
}
