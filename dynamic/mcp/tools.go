package mcp

import sdk "github.com/modelcontextprotocol/go-sdk/mcp"

// tool names an operation that agents may ask (decisions §6).
type tool struct {
	name, title, operation string
	// use tells an agent when to call the tool.
	use string
}

// tools lists the tools. A new one is a line here.
func tools() []tool {
	return []tool{
		{"search_entries", "Search entries", "searchEntries",
			"Finds official sources by words in any European language, best first: titles, tags, institutions, columns and descriptions; misspellings and " +
				"romanised Greek or Cyrillic are understood. Use it first when you know a topic; narrow with country_code, type, tags or format."},
		{"list_entries", "List entries", "listEntries",
			"Lists official sources, best first, narrowed by type, country_code, institution_id, tags, format, verification_state and more. " +
				"Use it to find candidates; follow links.next by calling again with page + 1 and the same snapshot."},
		{"facet_entries", "Count entries", "facetEntries",
			"Counts the entries of a selection by type, country, institution type, tag, state and format. Use it to see what there is before listing."},
		{"get_entry", "Read an entry", "getEntry",
			"Everything the register says about one source: addresses, licence, access, officialness, verdicts, provenance. Takes an id or a slug."},
		{"get_quality", "Why a score", "getEntryQualityScore",
			"The quality score of an entry with its axes, weights, inputs, evidence and advice. Takes an id or a slug."},
		{"get_checks", "Checks of an entry", "getEntryChecks",
			"The probes of an entry: when it answered, how fast, and what went wrong. Use it when a source seems down. Takes an id or a slug."},
		{"get_provenance", "Where fields come from", "getEntryProvenance",
			"The origin of every field of an entry: source, time, transformation. Takes an id or a slug."},
		{"find_alternatives", "Alternatives to an entry", "getEntryAlternatives",
			"Entries of the same type that could serve instead, with the reasons. Takes an id or a slug."},
		{"find_related", "Related entries", "getEntryRelated",
			"Entries that share tags, institution or identifiers with one, with the reasons. Takes an id or a slug."},
		{"preview_entry", "Rows of an entry's data", "getEntryPreview",
			"A few rows of the data of an entry with its fields, or the reason why none can be shown. Personal values are masked. Takes an id or a slug."},
		{"compare_entries", "Compare entries", "compareEntries",
			"Reads 2 to 10 entries of one snapshot at once, in the order asked for. Names that lead nowhere are in not_found."},
		{"compare_matrix", "Compare field by field", "compareMatrix",
			"Sets 2 to 10 entries side by side, field by field, with licence terms and latency, and says which fields differ. Use it to choose between candidates."},
		{"list_changes", "What changed", "listEvents",
			"The change feed, oldest first: entries that came, changed, failed or left. Keep next_cursor and ask with it the next time."},
		{"restate_identifier", "Restate a code", "restateIdentifier",
			"Writes a country, language, file type, licence or NUTS code in other notations, e.g. GR as GRC or as its EU address. Use it before filtering by a code."},
		{"verify_hash", "What has a hash", "verifyHash",
			"Says which published page or kept citation has a SHA-256, that of its bytes or the answer_sha256 of its manifest. Use it to check a quotation."},
		{"get_institution", "Read an institution", "getInstitution",
			"One public body with counts over its entries. Takes the institution_id of an entry."},
		{"catalog_summary", "The register in numbers", "catalogSummary",
			"Counts over the whole register and links to its bulk forms."},
	}
}

// readOnly is what all tools have in common.
func readOnly(title string) *sdk.ToolAnnotations {
	no := false
	return &sdk.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
}
