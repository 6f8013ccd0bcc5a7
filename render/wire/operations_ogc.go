package wire

// RouteOGC is the base address of the register as a catalogue of OGC API - Records,
// RouteOGCRecords its one collection.
const (
	RouteOGC        = "/api/v1/ogc"
	RouteOGCRecords = RouteOGC + "/collections/records"
)

// Bounds of a page of records.
const (
	OGCRecordsDefault = 10
	OGCRecordsMax     = 500
)

// MediaGeoJSON is GeoJSON (RFC 7946); MediaSchema a JSON Schema.
const (
	MediaGeoJSON = "application/geo+json"
	MediaSchema  = "application/schema+json"
)

// OGCItemParams are those of a search for records.
func OGCItemParams() []Param {
	return []Param{
		word("q", "Words that a record has, as `GET /api/v1/entries/search` finds them, best first; with commas between them one of them suffices, without a rank.", "water"),
		word("type", "Types of resources with commas: `dataset`, `service`.", "dataset"),
		word("ids", "Ids of records with commas.", ""),
		word("bbox", "west,south,east,north in degrees (six numbers with heights, which are passed over): records whose box has a point in common. Records without a box are not found.", "-10,35,30,60"),
		word("datetime", "An instant, or an interval `start/end` with `..` for an open end: records whose period has an instant in common. Records without a period are not found.", "2020-01-01T00:00:00Z/.."),
		word("filter", "A condition in CQL2 Text on the queryables: `=`, `<>`, `<`, `<=`, `>`, `>=`, `LIKE`, `IN`, `BETWEEN`, `IS NULL`, `AND`, `OR`, `NOT`, parentheses, `DATE`, `TIMESTAMP`, `S_INTERSECTS(geometry, BBOX(…))` or `POINT(…)`.", "type = 'dataset' AND country = 'GR'"),
		{Name: "filter-lang", In: "query", Kind: KindString, Enum: []string{"cql2-text"}, Description: "Language of the filter."},
		word("sortby", "`title`, `type`, `created`, `updated` or `id`, with `-` before it for descending; several with commas.", "-updated"),
		whole("limit", 1, OGCRecordsMax, OGCRecordsDefault, "Records at most."),
		whole("offset", 0, MaxInteger, 0, "How many records are passed over."),
		formatOGC(),
	}
}

// formatOGC is the parameter by which clients of OGC ask for JSON, which is all there is.
func formatOGC() Param {
	return Param{Name: "f", In: "query", Kind: KindString, Enum: []string{"json"}, Description: "The form; there is one."}
}

// ogcOperations are the register as a catalogue of OGC API - Records, part 1.
func ogcOperations() []Operation {
	ops := []Operation{
		{ID: "getOGCLanding", Path: RouteOGC, Summary: "OGC API: landing page", Media: MediaJSON, Description: "Where a client of OGC API - Records begins."},
		{ID: "getOGCConformance", Path: RouteOGC + "/conformance", Summary: "OGC API: conformance", Media: MediaJSON, Description: "The classes of the standards that are met."},
		{ID: "getOGCAPI", Path: RouteOGC + "/api", Summary: "OGC API: description", Media: "application/vnd.oai.openapi+json", Description: "The operations of OGC API - Records in OpenAPI 3.0."},
		{ID: "listOGCCollections", Path: RouteOGC + "/collections", Summary: "OGC API: collections", Media: MediaJSON, Description: "The register is one collection, `records`."},
		{ID: "getOGCCollection", Path: RouteOGCRecords, Summary: "OGC API: the collection", Media: MediaJSON, Description: "The collection of all listed entries."},
		{ID: "getOGCQueryables", Path: RouteOGCRecords + "/queryables", Summary: "OGC API: queryables", Media: MediaSchema, Description: "The properties that a filter can name, as a JSON Schema."},
		{ID: "getOGCSortables", Path: RouteOGCRecords + "/sortables", Summary: "OGC API: sortables", Media: MediaSchema, Description: "The properties that records can be sorted by, as a JSON Schema."},
		{ID: "searchOGCRecords", Path: RouteOGCRecords + "/items", Summary: "OGC API: search records", Media: MediaGeoJSON, Params: OGCItemParams(), Problems: []int{400, 503},
			Description: "Listed entries as records (GeoJSON), by words, type, box, time and CQL2."},
		{ID: "getOGCRecord", Path: RouteOGCRecords + "/items/{id}", Summary: "OGC API: a record", Media: MediaGeoJSON, Params: []Param{idParam(), formatOGC()}, Problems: []int{400, 404, 503}, Description: "An entry as a record."},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Cache = TagProtocols, CacheShort
		if ops[i].Params == nil {
			ops[i].Params, ops[i].Problems = []Param{formatOGC()}, []int{400, 503}
		}
	}
	return ops
}
