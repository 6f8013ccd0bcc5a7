package wire

// derivedOperations are documents that the service makes of others when they are asked
// for: other forms of what a copy of the site has already.
func derivedOperations() []Operation {
	ops := []Operation{
		{ID: "getDCATRDFXML", Path: "/api/v1/catalog/dcat.rdf", Summary: "What changed in the catalog as RDF/XML",
			Description: "With `modified_since` or `page` a page of the catalog as DCAT-AP 3.0.1 in RDF/XML, whose Hydra links and `Link` header lead to the others. " +
				"Without them it leads to the first of all pages: the whole is one document in Turtle and JSON-LD only.",
			Params: ChangesParams(), Media: MediaRDFXML, Problems: problemsPaged, Cache: CacheShort},
		{ID: "getEntryRDFXML", Path: "/id/{id}.rdf", Summary: "One entry as RDF/XML",
			Description: "The same graph as `/id/{id}.jsonld`, in RDF/XML.",
			Params:      []Param{idParam()}, Media: MediaRDFXML, Problems: problemsEntry, Redirects: true, Cache: CacheRevalidate},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Derived = TagCatalog, ops[i].ID != "getDCATRDFXML"
	}
	return ops
}
