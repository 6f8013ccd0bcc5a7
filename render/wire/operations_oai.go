package wire

// RouteOAI is the base address of the register as a repository of OAI-PMH.
const RouteOAI = "/api/v1/oai"

// OAIParams are the arguments of OAI-PMH 2.0 (section 4); which a verb takes is a matter
// of the protocol.
func OAIParams() []Param {
	return []Param{
		{Name: "verb", In: "query", Kind: KindString, Required: true, Description: "What is asked for.", Example: "Identify",
			Enum: []string{"GetRecord", "Identify", "ListIdentifiers", "ListMetadataFormats", "ListRecords", "ListSets"}},
		{Name: "metadataPrefix", In: "query", Kind: KindString, Description: "Format of the records.", Enum: []string{"oai_dc", "dcat_ap"}},
		{Name: "identifier", In: "query", Kind: KindString, Description: "Identifier of a record, `oai:{host}:{id}`."},
		{Name: "set", In: "query", Kind: KindString, Description: "A set, such as `type:dataset` or `country:GR`."},
		{Name: "from", In: "query", Kind: KindString, Description: "Only records changed at or after this UTC day or instant."},
		{Name: "until", In: "query", Kind: KindString, Description: "Only records changed at or before this UTC day or instant."},
		{Name: "resumptionToken", In: "query", Kind: KindString, Description: "Token of the page before; stands alone beside the verb."},
	}
}

// oaiOperations are the register as a repository of OAI-PMH.
func oaiOperations() []Operation {
	return []Operation{{ID: "getOAI", Path: RouteOAI, Tag: TagProtocols, Summary: "Records by OAI-PMH", Params: OAIParams(), Media: "text/xml", Cache: CacheShort,
		Description: "The register as a repository of OAI-PMH 2.0: records in Dublin Core and DCAT-AP, sets, resumption tokens, deletions kept for good. " +
			"Arguments may come by POST, too. Errors have the form of the protocol, with status 200."}}
}
