package lint

// documentRules are about files and whole catalogues.
var documentRules = []Rule{
	{ID: "document.byte-order-mark", Severity: Must, Title: "The file begins with a byte order mark", Why: "strict JSON readers refuse the whole file", Remedy: "write the file as UTF-8 without a byte order mark", Source: jsonRFC},
	{ID: "document.utf-8", Severity: Must, Title: "The text is not UTF-8", Why: "letters with accents are lost, and strict readers refuse the whole file", Remedy: "write the file as UTF-8", Source: jsonRFC},
	{ID: "document.encoding", Severity: Should, Title: "The text is in an encoding that it does not declare", Why: "readers guess, and letters with accents are lost", Remedy: "write the file as UTF-8, or declare its encoding where XML does", Source: practice},
	{ID: "document.syntax", Severity: Must, Title: "The file breaks the rules of its syntax", Why: "programs cannot read it, or lose what stands after that place", Remedy: "correct the syntax at that place", Source: jsonText},
	{ID: "document.yaml", Severity: Must, Title: "The file is not YAML", Why: "programs cannot read it", Remedy: "correct the YAML at that place", Source: yamlSpec},
	{ID: "document.csv", Severity: Must, Title: "A row of the file cannot be read", Why: lostRecord, Remedy: "correct the row", Source: csvRFC},
	{ID: "document.rdf", Severity: Must, Title: "A statement breaks the rules of its syntax", Why: "the statement is lost, and strict readers refuse the file", Remedy: "correct the statement", Source: rdfSyntax},
	{ID: "document.unreadable", Severity: Must, Title: "The input cannot be read", Why: lostRecord, Remedy: "publish the whole document in the format of the catalogue", Source: practice},
	{ID: "catalogue.empty", Severity: Must, Title: "The catalogue lists nothing", Why: "harvesters take an empty list for a portal that closed", Remedy: "list the records, or take the catalogue down", Source: practice},
	{ID: "catalogue.incomplete", Severity: Should, Title: "The list holds fewer records than it states", Why: "who reads this list alone does not see the others", Remedy: "publish the whole list, or a link to the next page", Source: practice},
	{ID: "catalogue.alike", Severity: Should, Title: "Many records differ by a number only", Why: "searches answer with the same thing over and over", Remedy: "make them the members of a dcat:DatasetSeries", Source: dcat3},
}

// recordRules are about records as a whole.
var recordRules = []Rule{
	{ID: "record.refused", Severity: Must, Title: "The record cannot be listed", Why: lostRecord, Remedy: "give the record what it lacks", Source: practice},
	{ID: "record.no-title", Severity: Must, Title: "The record has no title", Why: lostRecord, Remedy: "give it a title", Source: dcatAP},
	{ID: "record.no-address", Severity: Must, Title: "The record has no address that can be used", Why: lostRecord, Remedy: "give a landing page or a distribution on the public internet", Source: dcatAP},
	{ID: "record.hidden", Severity: Should, Title: "The record is marked as not to be listed", Why: "harvesters leave it out", Remedy: "take it out of the catalogue, or publish it", Source: practice},
	{ID: "record.trial", Severity: Should, Title: "The title says that the record is a test, a draft or out of use", Why: "readers find it beside the real data", Remedy: "take it out of the catalogue", Source: practice},
	{ID: "record.empty", Severity: Must, Title: "All members of the record are empty", Why: lostRecord, Remedy: "fill the record in, or remove it", Source: practice},
	{ID: "record.community", Severity: Should, Title: "The record is not the publisher's own", Why: "readers take it for official data", Remedy: "list what members of the community made apart from official data", Source: practice},
	{ID: "identifier.repeated", Severity: Must, Title: "Several records have this identifier", Why: lostOne, Remedy: "give each record an identifier of its own", Source: dcatUS},
	{ID: "identifier.form", Severity: Should, Title: "The identifier is written in another way than the others", Why: "programs that write it like the others do not find the record", Remedy: "write it in small letters", Source: practice},
	{ID: "title.repeated", Severity: Should, Title: "Several records have this title", Why: "readers cannot tell them apart in a list", Remedy: "say in the title what tells them apart: place, period, edition", Source: practice},
	{ID: "url.shared", Severity: Should, Title: "Several records have this address", Why: "readers do not get to the one that they chose", Remedy: "give each record the address of its own page", Source: practice},
	{ID: "date.order", Severity: Should, Title: "The change is dated before the issue", Why: lostTime, Remedy: "correct one of the two dates", Source: dcatAP},
	{ID: "date.repeated", Severity: Should, Title: "A date is stated several times", Why: "every reader takes another one", Remedy: "state it once, the latest change and the first issue", Source: dcatAP},
	{ID: "distribution.no-address", Severity: Must, Title: "A distribution has no address", Why: "nobody can get the file", Remedy: "give dcat:accessURL", Source: dcatAP},
	{ID: "distribution.no-licence", Severity: Should, Title: "Distributions state no licence", Why: lostTerms, Remedy: "state dct:license on each distribution", Source: dcatAP, Once: true},
	{ID: "distribution.no-title", Severity: Should, Title: "Distributions have no title", Why: "readers cannot tell the files apart", Remedy: "state dct:title on each distribution", Source: dcatAP, Once: true},
	{ID: "ckan.resource-count", Severity: Should, Title: "The number of resources is not that of the list", Why: "who reads the list does not know what is missing", Remedy: "list all resources", Source: ckanAPI},
	{ID: "datajson.access-level", Severity: Must, Title: "accessLevel is missing", Why: "nobody knows whether the data is public", Remedy: "state public, restricted public or non-public", Source: dcatUS},
	{ID: "openapi.no-host", Severity: Must, Title: "The document names no server", Why: "nobody can call the API", Remedy: "state host (Swagger 2.0) or servers (OpenAPI 3)", Source: openAPI},
	{ID: "openapi.server-template", Severity: Should, Title: "The server is a template whose host is a variable", Why: "programs cannot call the API as it is described", Remedy: "state the address of the public server", Source: openAPI},
	{ID: "mcp.shape", Severity: Should, Title: "The record has the shape of an earlier registry", Why: "clients of today's registry cannot read it", Remedy: "write {\"server\": …, \"_meta\": …} with members in camelCase", Source: mcpServer},
	{ID: "mcp.version", Severity: Should, Title: "The version is no semantic version", Why: "clients cannot tell which of two is newer", Remedy: "write a version such as 1.2.0", Source: mcpServer},
	{ID: "mcp.superseded", Severity: Should, Title: "Earlier versions of servers are listed beside the latest", Why: "who reads the list without looking at isLatest meets servers several times", Remedy: "list with version=latest", Source: mcpServer, Once: true},
	{ID: "apisguru.key", Severity: Should, Title: "The key is not provider or provider:service", Why: "programs that cut it in two get the wrong provider", Remedy: "write one colon at most", Source: apisGuru},
	{ID: "member.misspelt", Severity: Must, Title: "No reader knows this member", Why: "what stands there is lost", Remedy: "correct its name", Source: practice},
	{ID: "member.type", Severity: Should, Title: "The member has another type than its format says", Why: "strict readers refuse the record", Remedy: "write the type that the format asks for", Source: dcatUS},
	{ID: "member.number", Severity: Should, Title: "The value is outside of those that the format has", Why: "readers take it for something else", Remedy: "write one of the values that the format has", Source: practice},
}
