package wire

import "reflect"

// Routes of what a publisher can mend.
const (
	FixesPath      = RouteInstitutions + "/{id}/fixes"
	FixesFeedPath  = FixesPath + "/feed"
	FixesBadgePath = FixesPath + "/badge"
	FixesSVGPath   = FixesPath + "/badge.svg"
)

// FixesMax is how many things to mend one answer lists.
const FixesMax = 100

// Fixes are what a publisher can mend in its records, what brings most to most readers
// first.
type Fixes struct {
	InstitutionID string `json:"institution_id"`
	Name          string `json:"name"`
	// Entries are those that are listed, Total counts all things to mend in them,
	// Points the points of quality that they would bring, on average of an entry.
	Entries int     `json:"entries"`
	Total   int     `json:"total"`
	Points  float64 `json:"points"`
	// Page counts from one.
	Page       int         `json:"page"`
	TotalPages int         `json:"total_pages"`
	Rules      []FixesRule `json:"rules"`
	Items      []Fix       `json:"items"`
	SnapshotID string      `json:"snapshot_id"`
	AsOf       string      `json:"as_of"`
}

// FixesRule counts the entries that break a rule.
type FixesRule struct {
	Rule    string  `json:"rule"`
	Entries int     `json:"entries"`
	Points  float64 `json:"points"`
}

// Fix is one thing to mend.
type Fix struct {
	EntryID string `json:"entry_id"`
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	URL     string `json:"url"`
	// Rule names it, Severity is must or should.
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	// Field is the published field that nobody filled in.
	Field  string `json:"field"`
	Title  string `json:"title"`
	Why    string `json:"why"`
	Remedy string `json:"remedy"`
	// Source and SourceURL are the standard that asks for it.
	Source    string `json:"source"`
	SourceURL string `json:"source_url"`
	// Points are those that mqa_score gains, Readers is the ranking of the entry, of
	// 100: how high readers find it.
	Points  float64 `json:"points"`
	Readers float64 `json:"readers"`
	// Turtle is what to add to a record in DCAT-AP, where <> is the record, and
	// JSONPatch what to do to one of DCAT-US; both hold examples. Null where a
	// catalogue has no member for it.
	Turtle    *string          `json:"turtle"`
	JSONPatch []FixesOperation `json:"json_patch"`
}

// FixesOperation is one of RFC 6902.
type FixesOperation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// FixesFeed is a feed in the form of JSON Feed 1.1 of what to mend.
type FixesFeed struct {
	Version     string      `json:"version"`
	Title       string      `json:"title"`
	HomePageURL string      `json:"home_page_url"`
	FeedURL     string      `json:"feed_url"`
	Items       []FixesItem `json:"items"`
}

// FixesItem is one thing to mend; its id stays while it is to be mended.
type FixesItem struct {
	ID          string `json:"id"`
	URL         string `json:"url"`
	Title       string `json:"title"`
	ContentText string `json:"content_text"`
}

// FixesBadge is a badge as a value that shields.io draws.
type FixesBadge struct {
	SchemaVersion int    `json:"schemaVersion"`
	Label         string `json:"label"`
	Message       string `json:"message"`
	Color         string `json:"color"`
}

func institutionIDParam() Param {
	return Param{Name: "id", In: "path", Kind: KindString, Required: true, Example: exampleID, Description: "Id of an institution."}
}

// FixesParams choose a page of what to mend.
func FixesParams() []Param {
	return []Param{institutionIDParam(), {Name: "page", In: "query", Kind: KindInteger, Min: 1, Max: 10_000, Default: 1, Description: "Page, from 1."}}
}

// fixOperations list what publishers can mend.
func fixOperations() []Operation {
	return []Operation{
		{ID: "listFixes", Path: FixesPath, Tag: TagEntries, Summary: "What a publisher can mend",
			Description: "What nobody filled in of the listed entries of an institution, by the rules of `assay lint`: what brings most points to the entries that readers find first comes first, " +
				"with the standard that asks for it and what to write in DCAT-AP and in DCAT-US. 100 on each page.",
			Params: FixesParams(), Response: reflect.TypeFor[Fixes](), Media: MediaJSON, Problems: problemsList, Cache: CacheShort},
		{ID: "getFixesFeed", Path: FixesFeedPath, Tag: TagEntries, Summary: "What a publisher can mend, as a feed",
			Description: "The first page of it as JSON Feed 1.1. An item leaves the feed when it is mended.",
			Params:      []Param{institutionIDParam()}, Response: reflect.TypeFor[FixesFeed](), Media: MediaJSON, Problems: problemsList, Cache: CacheShort},
		{ID: "getFixesBadge", Path: FixesBadgePath, Tag: TagEntries, Summary: "How much a publisher can mend, as a badge",
			Description: "A badge as a value that shields.io and its like draw.",
			Params:      []Param{institutionIDParam()}, Response: reflect.TypeFor[FixesBadge](), Media: MediaJSON, Problems: problemsList, Cache: CacheShort},
		{ID: "getFixesPicture", Path: FixesSVGPath, Tag: TagEntries, Summary: "How much a publisher can mend, as a picture",
			Description: "The badge as an SVG of 20 pixels in height.",
			Params:      []Param{institutionIDParam()}, Media: MediaSVG, Problems: problemsList, Cache: CacheShort},
	}
}
