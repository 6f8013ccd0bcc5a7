package wire

// derivedOperations are documents that the service makes of others when they are asked
// for: other forms of what a copy of the site has already.
func derivedOperations() []Operation {
	ops := []Operation{
		{ID: "getDCATRDFXML", Path: "/api/v1/catalog/dcat.rdf", Summary: "What changed in the catalog as RDF/XML",
			Description: "With `modified_since` or `page` a page of the catalog as DCAT-AP 3.0.1 in RDF/XML, whose Hydra links and `Link` header lead to the others. " +
				"Without them it leads to the first of all pages: the whole is one document in Turtle and JSON-LD only.",
			Params: ChangesParams(), Media: MediaRDFXML, Problems: problemsPaged, Leads: true, Cache: CacheShort},
		{ID: "getEntryRDFXML", Path: "/id/{id}.rdf", Summary: "One entry as RDF/XML",
			Description: "The same graph as `/id/{id}.jsonld`, in RDF/XML.",
			Params:      []Param{idParam()}, Media: MediaRDFXML, Problems: problemsEntry, Redirects: true, Cache: CacheRevalidate},
		{ID: "getEntryBibTeX", Path: "/id/{id}.bib", Summary: "How to cite it, BibTeX", Description: "The publisher's work as an item of BibTeX.", Media: "application/x-bibtex"},
		{ID: "getEntryRIS", Path: "/id/{id}.ris", Summary: "How to cite it, RIS", Description: "The publisher's work as a record of RIS.", Media: "application/x-research-info-systems"},
		{ID: "getEntryCSL", Path: "/id/{id}.csl.json", Summary: "How to cite it, CSL-JSON", Description: "The publisher's work as CSL-JSON, for Citation Style Language.", Media: "application/vnd.citationstyles.csl+json"},
		{ID: "getEntryDataPackage", Path: "/id/{id}/datapackage.json", Summary: "Its files as a data package",
			Description: "The files of a dataset as a Data Package (Frictionless, version 2), with the fields of the file that was sampled. 404 for an entry without files.", Media: MediaJSON},
		{ID: "getEntryCroissant", Path: "/id/{id}/croissant.json", Summary: "Its records as Croissant",
			Description: "A dataset whose files were sampled as Croissant 1.0 (MLCommons): its file, its records and their fields. 404 for another entry.", Media: MediaJSONLD},
		{ID: "getEntryCard", Path: "/id/{id}.png", Summary: "Its picture for links", Description: "What other sites show beside a link to the page of the entry (`og:image`): its title, its publisher and the register, 1200 by 630 pixels.", Media: MediaPNG},
	}
	for i := range ops[2:] {
		op := &ops[2+i]
		op.Params, op.Problems, op.Cache, op.Redirects = []Param{idParam()}, problemsEntry, CacheRevalidate, true
	}
	for i := range ops {
		ops[i].Tag, ops[i].Derived = TagCatalog, ops[i].ID != "getDCATRDFXML"
	}
	return ops
}
