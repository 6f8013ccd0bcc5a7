// Package derived lists the documents that a service makes of others when they are
// asked for. The service imports no format, so the roof hands it what renders.
//
// They are not in a build: five documents for each entry would cost a tenth of it, and no
// crawler asks for them. What crawlers read of an entry, its page with schema.org and DCAT-AP,
// is in a copy of the site.
package derived

import (
	"strings"

	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/render/card"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/citation"
	"github.com/assay-register/assay/render/dcat"
	"github.com/assay-register/assay/render/frictionless"
	"github.com/assay-register/assay/render/rdfxml"
)

// Documents are the kinds of derived documents of the register of a name at an address.
func Documents(base, name string) []documents.Derived {
	of := func(make func(page []byte, base string) ([]byte, error)) func([]byte) ([]byte, error) {
		return func(page []byte) ([]byte, error) { return make(page, base) }
	}
	return []documents.Derived{
		{Operation: "getEntryRDFXML", Type: rdfxml.Type, Make: rdfxml.Document, From: rdfxmlFrom},
		{Operation: "getEntryBibTeX", Type: citation.TypeBibTeX, Make: of(citation.BibTeX), Ext: ".bib", From: entryFrom(".bib")},
		{Operation: "getEntryRIS", Type: citation.TypeRIS, Make: of(citation.RIS), Ext: ".ris", From: entryFrom(".ris")},
		{Operation: "getEntryCSL", Type: citation.TypeCSL, Make: of(citation.CSL), Ext: ".csl.json", From: entryFrom(".csl.json")},
		{Operation: "getEntryDataPackage", Type: "application/json; charset=utf-8", Make: of(frictionless.DataPackage), Ext: "/datapackage.json", From: entryFrom("/datapackage.json"),
			None: "A Data Package describes a dataset with a file whose address on the web is known."},
		{Operation: "getEntryCroissant", Type: dcat.TypeJSONLD, Make: of(frictionless.Croissant), Ext: "/croissant.json", From: entryFrom("/croissant.json"),
			None: "Croissant describes a dataset with a description and a known licence, a file of which was sampled."},
		{Operation: "getEntryCard", Type: card.Type, From: entryFrom(".png"), Make: func(page []byte) ([]byte, error) { return card.Entry(page, base, name) }},
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

// entryFrom leads from what follows the name of an entry to the answer about it.
func entryFrom(ext string) func(string) string {
	return func(route string) string {
		id, ok := strings.CutSuffix(strings.TrimPrefix(route, "/id/"), ext)
		if !ok || !strings.HasPrefix(route, "/id/") || !catalog.IsID(id) {
			return ""
		}
		return "/api/v1/entries/" + id
	}
}
