package wire

import "reflect"

// Media types of the formats.
const (
	MediaTurtle   = "text/turtle"
	MediaJSONLD   = "application/ld+json"
	MediaRDFXML   = "application/rdf+xml"
	MediaMarkdown = "text/markdown"
	MediaGzip     = "application/gzip"
	MediaZIP      = "application/zip"
	MediaRSS      = "application/rss+xml"
	MediaAtom     = "application/atom+xml"
	MediaFeed     = "application/feed+json"
	MediaCSV      = "text/csv"
	MediaSQLite   = "application/vnd.sqlite3"
	MediaParquet  = "application/vnd.apache.parquet"
)

// formatOperations are the documents that portals, readers and agents take.
func formatOperations() []Operation {
	var ops []Operation
	for _, group := range [][]Operation{dcatOperations(), dcatusOperations(), ldesOperations(), okfOperations(), feedOperations(), exportOperations()} {
		ops = append(ops, group...)
	}
	for i := range ops {
		ops[i].Static, ops[i].Tag = true, TagCatalog
		if ops[i].Cache == "" {
			ops[i].Cache = CacheRevalidate
		}
		if ops[i].Problems == nil {
			ops[i].Problems = problemsPlain
		}
	}
	return ops
}

func dcatOperations() []Operation {
	page := []Param{
		{Name: "snapshot", In: "path", Kind: KindString, Pattern: snapshotPattern, Means: snapshotMeans, Description: "Snapshot id.", Example: exampleSnapshot},
		{Name: "n", In: "path", Kind: KindInteger, Min: 1, Description: "Page number.", Example: 1},
	}
	const full = "The whole catalog as DCAT-AP 3.0.1: datasets with distributions, APIs and MCP servers as data services, a record for each entry."
	const changed = full + " With `modified_since` or `page` the service answers a page of it instead, " +
		"whose Hydra links and `Link` header lead to the other pages of the same snapshot."
	const paged = "500 entries of the named snapshot, with both styles of Hydra paging."
	const one = "One entry with its record and publisher as DCAT-AP 3.0.1. `/id/{id}` without an extension chooses the form by `Accept`, " +
		"Turtle when neither is asked for. 404 for a service whose endpoint is not known, which DCAT-AP cannot hold: its record links to no such form."
	const start = "Where a harvester begins: page 1 of the present snapshot. The service redirects there (302), a copy of the site has the page itself; " +
		"`hydra:next` in the graph and `Link: rel=next` lead to the other pages of the same snapshot."
	return []Operation{
		{ID: "getDCATTurtleStart", Path: "/api/v1/catalog/dcat/1.ttl", Summary: "The catalog by pages, Turtle", Description: start, Media: MediaTurtle, Leads: true},
		{ID: "getDCATJSONLDStart", Path: "/api/v1/catalog/dcat/1.jsonld", Summary: "The catalog by pages, JSON-LD", Description: start, Media: MediaJSONLD, Leads: true},
		{ID: "getDCATRDFXMLStart", Path: "/api/v1/catalog/dcat/1.rdf", Summary: "The catalog by pages, RDF/XML", Description: start, Media: MediaRDFXML, Leads: true},
		{ID: "getDCATTurtle", Path: "/api/v1/catalog/dcat.ttl", Summary: "The catalog as Turtle", Description: changed, Media: MediaTurtle,
			Params: ChangesParams(), Problems: problemsPaged},
		{ID: "getDCATJSONLD", Path: "/api/v1/catalog/dcat.jsonld", Summary: "The catalog as JSON-LD", Description: changed, Media: MediaJSONLD,
			Params: ChangesParams(), Problems: problemsPaged},
		{ID: "getDCATQuality", Path: "/api/v1/catalog/dcat-quality.ttl", Summary: "Quality measurements as Turtle",
			Description: "Measurements in the Data Quality Vocabulary that point at the resources of the catalog; they change with the checks.", Media: MediaTurtle},
		{ID: "getDCATTurtlePage", Path: "/s/{snapshot}/api/v1/catalog/dcat/{n}.ttl", Summary: "A page of the catalog as Turtle",
			Description: paged, Params: page, Media: MediaTurtle, Problems: problemsEntry, Cache: CachePinned},
		{ID: "getDCATJSONLDPage", Path: "/s/{snapshot}/api/v1/catalog/dcat/{n}.jsonld", Summary: "A page of the catalog as JSON-LD",
			Description: paged, Params: page, Media: MediaJSONLD, Problems: problemsEntry, Cache: CachePinned},
		{ID: "getDCATRDFXMLPage", Path: "/s/{snapshot}/api/v1/catalog/dcat/{n}.rdf", Summary: "A page of the catalog as RDF/XML",
			Description: paged, Params: page, Media: MediaRDFXML, Problems: problemsEntry, Cache: CachePinned},
		{ID: "getEntryTurtle", Path: "/id/{id}.ttl", Summary: "One entry as Turtle", Description: one, Params: []Param{idParam()}, Media: MediaTurtle, Problems: problemsEntry, Redirects: true},
		{ID: "getEntryJSONLD", Path: "/id/{id}.jsonld", Summary: "One entry as JSON-LD", Description: one, Params: []Param{idParam()}, Media: MediaJSONLD, Problems: problemsEntry, Redirects: true},
	}
}

func okfOperations() []Operation {
	return []Operation{
		{ID: "getOKFIndex", Path: "/api/v1/okf/index.md", Summary: "Root index of the OKF bundle",
			Description: "Where the Open Knowledge Format bundle (v0.1) begins.", Media: MediaMarkdown},
		{ID: "getOKFLog", Path: "/api/v1/okf/log.md", Summary: "Log of the OKF bundle", Description: "What changed, by day, newest first.", Media: MediaMarkdown},
		{ID: "getOKFConcept", Path: "/api/v1/okf/{section}/{id}.md", Summary: "One concept of the OKF bundle",
			Description: "An entry as markdown with YAML front matter. It carries the verdicts as of its last source change and links to the live ones.",
			Params: []Param{
				{Name: "section", In: "path", Kind: KindString, Enum: []string{"apis", "datasets", "mcp-servers"}, Description: "Section by entry type.", Example: "apis"},
				{Name: "id", In: "path", Kind: KindString, Description: "Concept id, the entry's slug.", Example: exampleSlug},
			}, Media: MediaMarkdown, Problems: problemsEntry},
		{ID: "getOKFBundle", Path: "/api/v1/okf/bundle.tar.gz", Summary: "The OKF bundle as an archive",
			Description: "All concepts and indexes; the same sources give the same bytes. 503 until one was built.", Media: MediaGzip, Problems: []int{422, 503}},
		{ID: "getOKFSummary", Path: "/api/v1/okf/summary", Summary: "The OKF bundle in numbers", Description: "Version, counts, hash of the archive and links.",
			Response: reflect.TypeFor[OKFSummary](), Sealed: true, Media: MediaJSON},
	}
}

func feedOperations() []Operation {
	country := Param{Name: "code", In: "path", Kind: KindString, Pattern: "^[A-Z]{2}$", Means: "a country code of two capitals such as GR", Description: "Country code.", Example: "GR"}
	institution := idParam()
	institution.Description = "Institution id."
	return []Operation{
		{ID: "getFeedRSS", Path: "/api/v1/feeds/rss", Summary: "New entries as RSS", Description: "The entries published last, RSS 2.0.", Media: MediaRSS},
		{ID: "getFeedAtom", Path: "/api/v1/feeds/atom", Summary: "New entries as Atom", Description: "The entries published last, Atom (RFC 4287).", Media: MediaAtom},
		{ID: "getFeedJSON", Path: "/api/v1/feeds/json", Summary: "New entries as JSON Feed", Description: "The entries published last, JSON Feed 1.1.", Media: MediaFeed},
		{ID: "getFeedVerified", Path: "/api/v1/feeds/rss/verified", Summary: "Verified entries as RSS", Description: "The verified entries published last, RSS 2.0.", Media: MediaRSS},
		{ID: "getCountryFeedAtom", Path: "/api/v1/feeds/country/{code}/atom", Summary: "New entries of a country as Atom",
			Description: "The entries of one country published last.", Params: []Param{country}, Media: MediaAtom, Problems: problemsEntry},
		{ID: "getCountryFeedJSON", Path: "/api/v1/feeds/country/{code}/json", Summary: "New entries of a country as JSON Feed",
			Description: "The entries of one country published last.", Params: []Param{country}, Media: MediaFeed, Problems: problemsEntry},
		{ID: "getInstitutionFeedAtom", Path: "/api/v1/feeds/institution/{id}/atom", Summary: "New entries of an institution as Atom",
			Description: "The entries of one institution published last.", Params: []Param{institution}, Media: MediaAtom, Problems: problemsEntry},
		{ID: "getInstitutionFeedJSON", Path: "/api/v1/feeds/institution/{id}/json", Summary: "New entries of an institution as JSON Feed",
			Description: "The entries of one institution published last.", Params: []Param{institution}, Media: MediaFeed, Problems: problemsEntry},
		{ID: "getEntryFeed", Path: "/api/v1/feeds/entry/{id}.atom", Summary: "The life of one entry as Atom",
			Description: "Created, changed, deprecated, and what its checks found.", Params: []Param{idParam()}, Media: MediaAtom, Problems: problemsEntry},
	}
}
