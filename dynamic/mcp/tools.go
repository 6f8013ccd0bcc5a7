package mcp

import sdk "github.com/modelcontextprotocol/go-sdk/mcp"

// tool names an operation that agents may ask (decisions §6).
type tool struct {
	name, title, operation string
	// use tells an agent when to call the tool.
	use string
	// params are the parameters of the operation that the tool takes, with what an agent
	// is told of them; nil for all.
	params []string
	// shows is the mask of the answer that is given without `fields`; rows tells that it
	// lists entries, which have a short form of their own.
	shows string
	rows  bool
	// fields tells that the tool takes `fields`: members of entries.
	fields bool
}

// narrowing are the filters that agents are told of; any other is a condition in the words of
// search_entries.
var narrowing = []string{"type", "country_code", "tags", "format", "license", "license_allows", "theme", "access_rights", "free_access_class", "verification_state",
	"is_public_sector", "has_download", "institution_id", "updated_since"}

// Parts of the masks of several tools.
const (
	listShows  = "total,page,total_pages,snapshot"
	entryShows = "id,slug,name,name_en,type,description,description_en,status,deprecation(reason,successor_id,sunset_at),country_code,institution(id,name,type),publisher(name)," +
		"is_public_sector,official_confidence,proof_summary,verification_state,last_verified_at,free_access_class,auth_type,access_rights," +
		"license(id,title,url,open),license_raw,access(level,primary(kind,label,method,url)),formats,tags,themes,docs_url,primary_source_url,source_modified_at,mqa_score," +
		"api_details(base_url,openapi_url,spec_format,rate_limit_info,terms_url),mcp_details(endpoint_url,transport,version,tools(name))," +
		"dataset_details(frequency,temporal_start,temporal_end,spatial,distributions(title,format,download_url,byte_size))," +
		"data_profile(record_count,fields(name,type),query_examples(label,curl))"
)

// tools lists the tools. A new one is a line here.
func tools() []tool {
	return []tool{
		{name: "search_entries", title: "Search entries", operation: "searchEntries",
			use: "Finds official sources by words in any European language, best first. Conditions can stand among the words: country:FR type:API format:CSV tag:water, or any filter of the API. " +
				"For a whole question use find_data.",
			params: append([]string{"q", "page", "limit", "sort_by"}, narrowing...), shows: listShows + ",match,did_you_mean", rows: true, fields: true},
		{name: "list_entries", title: "List entries", operation: "listEntries",
			use:    "Lists official sources, best first, narrowed by filters. Go on with page + 1.",
			params: append([]string{"page", "limit", "sort_by", "search"}, narrowing...), shows: listShows, rows: true, fields: true},
		{name: "facet_entries", title: "Count entries", operation: "facetEntries",
			use: "Counts entries by type, country, tag, format, licence and more, the ten most frequent values of each.", params: narrowing, shows: "total,snapshot,facets"},
		{name: "get_entry", title: "Read an entry", operation: "getEntry", fields: true, shows: entryShows,
			use: "What matters of one source: addresses, files, licence, access, how official it is, whether it answers, columns and how to fetch it. `fields` gives members whole."},
		{name: "get_quality", title: "Why a score", operation: "getEntryQualityScore", use: "The scores of an entry by axis, and advice.",
			shows: "mqa_score,mqa_tier,trust_score,ranking_score,axes(id,label,weight,value),verification,freshness,advice"},
		{name: "get_checks", title: "Checks of an entry", operation: "getEntryChecks", use: "When an entry answered, how fast, what went wrong.",
			shows: "verification_state,window_days,total,up,uptime_percent,p50_latency_ms,latest_check(status,last_checked_at,probe_http_status,last_error_class,last_error,consecutive_failures),items(at,up,http_status,error_class)"},
		{name: "get_provenance", title: "Where fields come from", operation: "getEntryProvenance", use: "The origin of fields of an entry.",
			shows: "fields(field,basis,source,upstream_field)"},
		{name: "find_alternatives", title: "Alternatives to an entry", operation: "getEntryAlternatives", use: "Entries that could serve instead, with reasons.", shows: "entry_id", rows: true},
		{name: "find_related", title: "Related entries", operation: "getEntryRelated", use: "Entries that share tags, institution or identifiers, with reasons.", shows: "entry_id", rows: true},
		{name: "preview_entry", title: "Rows of an entry's data", operation: "getEntryPreview", use: "Sampled rows of the data, or why there are none.",
			shows: "previewable,reason,source_url,profile_kind,record_count,fields(name,type,concept),records"},
		{name: "compare_entries", title: "Compare entries", operation: "compareEntries", use: "Reads 2 to 10 entries at once.", params: []string{"ids"}, shows: "snapshot,not_found", rows: true, fields: true},
		{name: "compare_matrix", title: "Compare field by field", operation: "compareMatrix", use: "Which fields of 2 to 10 entries differ, with terms and latency.", params: []string{"ids"},
			shows: "snapshot,not_found,rows(field,meaning,values,differs)"},
		{name: "list_changes", title: "What changed", operation: "listEvents", use: "Entries that came, changed, failed or left. Keep next_cursor for the next time.", params: []string{"cursor", "limit"},
			shows: "next_cursor,has_more,events(id,type,occurred_at,entry(id,type,href))"},
		{name: "restate_identifier", title: "Restate a code", operation: "restateIdentifier", use: "A country, language, format, licence or NUTS code in other notations, e.g. GR as GRC.",
			params: []string{"identifier", "notation"}, shows: "identifier,readings"},
		{name: "verify_hash", title: "What has a hash", operation: "verifyHash", use: "Which page or citation has a SHA-256.", shows: "sha256,matches"},
		{name: "get_institution", title: "Read an institution", operation: "getInstitution", use: "One public body with counts over its entries.",
			shows: "institution(id,key,name,name_en,country_code,type,homepage_url,official_domains),entries,deprecated,types,verification_states"},
		{name: "catalog_summary", title: "The register in numbers", operation: "catalogSummary", use: "Counts over the whole register.",
			shows: "name,license,snapshot,as_of,entries,listed,institutions,countries,types,verification_states,by_country"},
	}
}

// readOnly is what all tools have in common.
func readOnly(title string) *sdk.ToolAnnotations {
	no := false
	return &sdk.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
}
