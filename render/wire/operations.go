package wire

import (
	"cmp"
	"reflect"

	"github.com/assay-register/assay/render/catalog"
)

// Operation is one thing that a client can ask of the register. The interface
// description is made from this table, and so are the live routes' parameters.
type Operation struct {
	ID, Method, Path string
	// Tag is the ID of a Tag.
	Tag, Summary, Description string
	// Static tells that the path, without query parameters, lies in a built
	// tree; query parameters are answered by the service alone.
	Static bool
	// Derived tells that the service makes the document of a static one when it is
	// asked for.
	Derived bool
	Params  []Param
	// Body is the type of the JSON request body, nil for none.
	Body reflect.Type
	// Role is what the operation asks of the caller's token, "" for nothing.
	Role catalog.Role
	// Status is that of a success; 200 if zero.
	Status int
	// Response is the type of the body, or of one line of an NDJSON body; nil
	// for a document that has its own definition.
	Response reflect.Type
	// Sealed tells that the body ends with a Manifest.
	Sealed bool
	Media  string
	// Also are further media types of the same answer, by negotiation or by a
	// parameter.
	Also []string
	// Pages tells that a client which does not prefer JSON gets a page for people:
	// the answer, or that there is nothing (404).
	Pages bool
	// Problems are the statuses of the errors a client must expect.
	Problems []int
	// Errors is the media type of errors in the form of another protocol; "" for
	// problem documents alone.
	Errors string
	// ErrorResponse is the shape of such errors, nil for one that is not described here.
	ErrorResponse reflect.Type
	// Redirects tells that another name of the resource answers 308.
	Redirects bool
	// Leads tells that the service answers 302, to where the document lies in the present
	// snapshot.
	Leads bool
	// Cache is the Cache-Control of a 200.
	Cache string
}

// Tag is a group of operations.
type Tag struct{ ID, Description string }

// Tags of the operations.
const (
	TagEntries  = "entries"
	TagEntry    = "entry"
	TagCatalog  = "catalog"
	TagContract = "contract"
	TagDiscover = "discovery"
	TagHealth   = "health"
	// TagInstitutions are the public bodies behind the entries.
	TagInstitutions = "institutions"
)

// Tags lists the groups in their documented order.
func Tags() []Tag {
	return []Tag{
		{TagEntries, "Lists of entries and counts over them."},
		{TagEntry, "One entry and what the register knows about it."},
		{TagInstitutions, "The public bodies behind the entries."},
		{TagSources, "Where the entries come from, and how their harvests went."},
		{TagEvidence, "Answers that are kept for good, and what has a hash."},
		{TagIdentifiers, "Codes of countries, languages, file types, licences and regions."},
		{TagCatalog, "The catalog as a whole."},
		{TagLog, "The log of verdicts, by which anybody can prove what the register said."},
		{TagChanges, "What changed: the change feed, webhooks and mail."},
		{TagContract, "What was published, and how to read it."},
		{TagProtocols, "The register in the protocols of others: registries, portals and catalogues."},
		{TagDiscover, "How people, crawlers and agents find what is here."},
		{TagSubmissions, "Proposals of new sources, and reports of problems."},
		{TagClaims, "What owners prove to be theirs, and what they say of it."},
		{TagModeration, "Decisions on what was proposed, found and reported; needs a token of a moderator."},
		{TagAdministration, "Changes of entries and tables, and the register's own work; needs a token of an administrator."},
		{TagHealth, "Whether the service is up."},
	}
}

// Media types of the operations.
const (
	MediaJSON    = "application/json"
	MediaNDJSON  = "application/x-ndjson"
	MediaProblem = "application/problem+json"
	MediaLinkset = "application/linkset+json"
	MediaSVG     = "image/svg+xml"
	MediaPNG     = "image/png"
	MediaText    = "text/plain"
	MediaXML     = "application/xml"
)

// Values of Cache-Control. A pinned page never changes under its name and
// expires with its snapshot; all else is revalidated with its ETag, live
// answers after ten seconds.
const (
	CacheRevalidate = "public, no-cache"
	CacheShort      = "public, max-age=10"
	CachePinned     = "public, max-age=7200, immutable"
	CacheNever      = "no-store"
)

// Statuses of errors by kind of operation. An unknown query parameter is 422
// everywhere.
var (
	problemsPlain = []int{422}
	problemsList  = []int{400, 410, 422}
	problemsEntry = []int{404, 410, 422}
	problemsPaged = []int{400, 404, 410, 422}
)

// Operations lists every operation of the register.
func Operations() []Operation {
	ops := []Operation{
		{ID: "listEntries", Path: "/api/v1/entries", Tag: TagEntries, Summary: "List entries",
			Description: "A page of entries, narrowed by filters that AND together. `links` and the `Link` header lead to the neighbouring pages " +
				"of the same snapshot, so a reader who follows them sees one catalog.",
			Params: append(append(PagingParams(), FilterParams()...), FieldsParam(ItemMembers(), "slug", "name", "formats")), Response: reflect.TypeFor[EntriesPage](), Problems: problemsList, Cache: CacheShort},
		{ID: "facetEntries", Path: "/api/v1/entries/facets", Tag: TagEntries, Summary: "Count entries by value",
			Description: "How many of the selected entries have each value of each filter, most frequent first. Takes the filters of the list. With `collapse=series` a value counts what a collapsed list narrowed to it would show.",
			Params:      FacetParams(), Response: reflect.TypeFor[FacetsPage](), Problems: problemsList, Cache: CacheShort},
		{ID: "trendingEntries", Path: "/api/v1/entries/trending", Tag: TagEntries, Summary: "What moved lately",
			Description: "Entries that are new, changed or gained in ranking, each with its reasons.",
			Response:    reflect.TypeFor[Trending](), Problems: problemsPlain, Cache: CacheRevalidate},
		{ID: "entryLeaderboard", Path: "/api/v1/entries/leaderboard", Tag: TagEntries, Summary: "Quality leaderboard",
			Description: "The best entries, institutions and countries by `mqa_score`. Groups with few entries are drawn towards the register's mean.",
			Response:    reflect.TypeFor[Leaderboard](), Problems: problemsPlain, Cache: CacheRevalidate},
		{ID: "pinnedEntries", Path: "/s/{snapshot}/api/v1/entries/pages/{n}", Tag: TagEntries, Summary: "A list page of one snapshot",
			Description: "Page n of the default list, 20 entries by ranking, as it was in the named snapshot. Pages of old snapshots answer 410.",
			Params: []Param{
				{Name: "snapshot", In: "path", Kind: KindString, Pattern: snapshotPattern, Means: snapshotMeans, Description: "Snapshot id.", Example: exampleSnapshot},
				{Name: "n", In: "path", Kind: KindInteger, Min: 1, Description: "Page number.", Example: 2},
			},
			Response: reflect.TypeFor[EntriesPage](), Problems: problemsEntry, Cache: CachePinned},
		{ID: "getEntry", Path: "/api/v1/entries/{idOrSlug}", Tag: TagEntry, Summary: "One entry",
			Description: "Everything the register says about one entry. A former slug and a merged entry redirect to the present one; " +
				"a removed entry answers 410, with its successor if it has one. Deprecated entries answer and say so. With `at`, an instant or a day, the service answers what `restateEntry` answers, in its form.",
			Params: []Param{{Name: "idOrSlug", In: "path", Kind: KindString, Description: "Entry id or slug.", Example: exampleSlug}, FieldsParam(EntryMembers(), "name", "license"),
				pastParam("at", "What the register said then, in the form of `restateEntry`, without `fields`", false)},
			Also: []string{"text/markdown", "text/turtle", "application/ld+json"}, Response: reflect.TypeFor[Entry](), Problems: problemsPaged, Redirects: true, Cache: CacheRevalidate},
	}
	for _, p := range entryParts() {
		p.Tag, p.Path = TagEntry, "/api/v1/entries/{id}/"+p.Path
		p.Params, p.Problems, p.Redirects, p.Cache = []Param{idParam()}, problemsEntry, true, CacheRevalidate
		ops = append(ops, p)
	}
	ops = append(ops, Operation{ID: "catalogSummary", Path: "/api/v1/catalog/summary", Tag: TagCatalog, Summary: "The catalog in numbers",
		Description: "Counts over the whole catalog and links to its machine-readable forms.",
		Response:    reflect.TypeFor[CatalogSummary](), Problems: problemsPlain, Cache: CacheRevalidate})
	for i := range ops {
		ops[i].Sealed, ops[i].Static, ops[i].Media = true, true, MediaJSON
	}
	ops = append(ops, badges(), badgeEndpoint(), catalogLinkset())
	ops = append(ops, institutionOperations()...)
	ops = append(ops, seriesOperation())
	ops = append(ops, sourceOperations()...)
	ops = append(ops, qualityOperations()...)
	ops = append(ops, incidentOperations()...)
	ops = append(ops, logOperations()...)
	ops = append(ops, pastOperations()...)
	ops = append(ops, compareOperations()...)
	ops = append(ops, searchOperations()...)
	ops = append(ops, identifierOperations()...)
	ops = append(ops, evidenceOperations()...)
	ops = append(ops, changeOperations()...)
	ops = append(ops, webhookOperations()...)
	ops = append(ops, watchOperations()...)
	ops = append(ops, submissionOperations()...)
	ops = append(ops, adminOperations()...)
	ops = append(ops, claimOperations()...)
	ops = append(ops, formatOperations()...)
	ops = append(ops, derivedOperations()...)
	ops = append(ops, contract()...)
	ops = append(ops, discoveries()...)
	ops = append(ops, healthDetails())
	ops = append(ops, proxyOperations()...)
	ops = append(ops, registryOperations()...)
	ops = append(ops, ckanOperations()...)
	ops = append(ops, oaiOperations()...)
	ops = append(ops, recordOperations()...)
	ops = append(ops, fixOperations()...)
	ops = append(ops, ogcOperations()...)
	for i := range ops {
		ops[i].Method = cmp.Or(ops[i].Method, "GET")
	}
	return ops
}

// entryParts are the sub-resources of an entry; Path is the last segment.
func entryParts() []Operation {
	return []Operation{
		{ID: "getEntryProvenance", Path: "provenance", Summary: "Where each field comes from",
			Description: "For each field of the entry: its basis, its source and how its value was produced; and the curators' edits.",
			Response:    reflect.TypeFor[Provenance]()},
		{ID: "getEntryRelations", Path: "relations", Summary: "Facts that tie it to others",
			Description: "Successors, services and their datasets, entries of the same institution or host, and duplicates that became part of it.",
			Response:    reflect.TypeFor[Relations]()},
		{ID: "getEntryRelated", Path: "related", Summary: "Entries that are close",
			Description: "Entries that share tags, fields, an institution, a host or a country, with the reasons.",
			Response:    reflect.TypeFor[Related]()},
		{ID: "getEntryAlternatives", Path: "alternatives", Summary: "Entries to use instead",
			Description: "Entries of the same type on a shared topic, from another host and not failing, with the reasons.",
			Response:    reflect.TypeFor[Related]()},
		{ID: "getEntryQualityScore", Path: "quality-score", Summary: "Why the scores are what they are",
			Description: "Each score with its axes, weights, findings and evidence, and advice with the points that each step brings. " +
				"Totals can be recomputed from the published axes.",
			Response: reflect.TypeFor[QualityScore]()},
		{ID: "getEntryQualityHistory", Path: "quality-history", Summary: "Scores by day",
			Description: "One point for each UTC day on which a score took another value, oldest first.",
			Response:    reflect.TypeFor[QualityHistory]()},
		{ID: "getEntryPreview", Path: "preview", Summary: "Some rows of its data",
			Description: "Sampled rows with their provenance, where the verdict on personal data and the licence allow it; else none, and the reason. " +
				"`basis_vocabulary` says what the words of provenance mean.",
			Response: reflect.TypeFor[Preview]()},
		{ID: "getEntryChecks", Path: "checks", Summary: "Verification history",
			Description: "The probes of the last 30 days, newest first, their summary, and sums by day of the last 366 days. A probe asserts status code and content type only. " +
				"The service answers with the latest probe; a published file shows one probe a day while the state stays.",
			Response: reflect.TypeFor[Checks]()},
		{ID: "getEntryIncidents", Path: "incidents", Summary: "When it did not answer",
			Description: "The outages of the source by checks, the latest first: when each began and ended, and the checks that say so; and the maintenance that its owner announced. " +
				"One that lies within maintenance that was announced before is `planned` and does not count.",
			Response: reflect.TypeFor[EntryIncidents]()},
	}
}

// contract are the documents about the register itself.
func contract() []Operation {
	return []Operation{
		{ID: "getSnapshot", Path: "/snapshot.json", Tag: TagContract, Static: true, Summary: "What was published",
			Description: "The id and time of the snapshot, its counts, and a SHA-256 over every class of files.",
			Response:    reflect.TypeFor[SnapshotPage](), Media: MediaJSON, Problems: problemsPlain, Cache: CacheRevalidate},
		{ID: "listRoutes", Path: "/routes.ndjson", Tag: TagContract, Static: true, Summary: "Every page with its hash",
			Description: "One JSON object per line for each document of the snapshot: route, media type, SHA-256 and size.",
			Response:    reflect.TypeFor[RouteLine](), Media: MediaNDJSON, Problems: problemsPlain, Cache: CacheRevalidate},
		{ID: "listTombstones", Path: "/tombstones.ndjson", Tag: TagContract, Static: true, Summary: "Entries that left",
			Description: "One JSON object per line for each entry that was public once and was removed or merged.",
			Response:    reflect.TypeFor[Tombstone](), Media: MediaNDJSON, Problems: problemsPlain, Cache: CacheRevalidate},
		{ID: "getInterfaceDescription", Path: "/openapi.json", Tag: TagContract, Static: true, Summary: "Interface description",
			Description: "The OpenAPI 3.1 description of this interface.",
			Media:       MediaJSON, Problems: problemsPlain, Cache: CacheRevalidate},
		{ID: "getInterfaceDescription30", Path: "/openapi-3.0.json", Tag: TagContract, Static: true, Summary: "Interface description, OpenAPI 3.0",
			Description: "The same in OpenAPI 3.0.3, for generators of clients that do not read 3.1.",
			Media:       MediaJSON, Problems: problemsPlain, Cache: CacheRevalidate},
		{ID: "getHealth", Path: "/health", Tag: TagHealth, Summary: "Basic health check",
			Description: "200 while the service answers from a snapshot, 503 while it has none.",
			Response:    reflect.TypeFor[Health](), Media: MediaJSON, Problems: []int{422, 503}, Cache: CacheNever},
	}
}

// badges are the pictures of an entry; a page may show them, so an answer of
// another media type is of no use.
func badges() Operation {
	return Operation{ID: "getBadge", Path: "/api/v1/badges/{idOrSlug}/{kind}", Tag: TagEntry, Static: true, Summary: "A badge of one entry",
		Description: "An accessible SVG of 20 pixels in height. `score` shows mqa_score, `tier` its band, `verified` the verification state, " +
			"`type` the entry type, `access` the access class, `combined` band, score and state together.",
		Params: []Param{
			{Name: "idOrSlug", In: "path", Kind: KindString, Description: "Entry id or slug.", Example: exampleSlug},
			{Name: "kind", In: "path", Kind: KindString, Enum: []string{"score", "tier", "verified", "type", "access", "combined"},
				Description: "What the badge tells.", Example: "score"},
		},
		Media: MediaSVG, Problems: problemsEntry, Redirects: true, Cache: CacheRevalidate}
}

// badgeEndpoint is the live form of a badge for services that draw it
// themselves.
func badgeEndpoint() Operation {
	b := badges()
	return Operation{ID: "getBadgeEndpoint", Path: "/api/v1/badges/{idOrSlug}/{kind}.json", Tag: TagEntry, Summary: "A badge as a value",
		Description: "The label, message and colour of a badge in the form that the endpoint badge of shields.io reads.",
		Params:      b.Params, Response: reflect.TypeFor[BadgeEndpoint](), Media: MediaJSON, Problems: []int{404, 410, 422, 503}, Cache: CacheShort}
}

// catalogLinkset is apart from the register's own catalogue of APIs, in which
// only its own may stand (RFC 9727, section 1).
func catalogLinkset() Operation {
	return Operation{ID: "getCatalogLinkset", Path: "/api/v1/catalog/linkset", Tag: TagCatalog, Static: true, Summary: "Links of the listed APIs",
		Description: "For each listed API and MCP server whose address is known: its description, documentation, terms and checks, " +
			"as a link set (RFC 9264) with the relations of RFC 8631. They belong to their publishers, not to this register.",
		Media: MediaLinkset, Problems: problemsPlain, Cache: CacheRevalidate}
}

// discoveries are the well-known documents.
func discoveries() []Operation {
	ops := []Operation{
		{ID: "getLLMs", Path: "/llms.txt", Summary: "Where to begin, for agents",
			Description: "Markdown with a summary and links to everything that a machine can read here (llmstxt.org).", Media: MediaText},
		{ID: "getLLMsFull", Path: "/llms-full.txt", Summary: "The guides in one document, for agents",
			Description: "Markdown: what `/llms.txt` has, and behind it the guides for those who use the register.", Media: MediaText},
		{ID: "getAPICatalog", Path: "/.well-known/api-catalog", Summary: "The register's own APIs",
			Description: "The APIs of this register as a link set (RFC 9727). `HEAD` answers with a `Link` of relation `api-catalog`.", Media: MediaLinkset},
		{ID: "getMCPCard", Path: RouteMCP, Summary: "How agents connect",
			Description: "The card of the register's MCP endpoint, also at `/mcp/server-card`: its address and the revisions of the protocol that it speaks (MCP Server Card, SEP-2127).",
			Media:       MediaServerCard, Response: reflect.TypeFor[ServerCard]()},
		{ID: "getAICatalog", Path: RouteAICatalog, Summary: "The agent endpoints of this host",
			Description: "Leads clients that look for agent endpoints to the server card.", Media: MediaAICatalog, Response: reflect.TypeFor[AICatalog]()},
		{ID: "getLogKeys", Path: RouteLogKeys, Summary: "The keys that sign here",
			Description: "The public keys that sign the log of verdicts and the sums of the exports, one a line in the form of signed notes (C2SP signed-note), the newest last; " +
				"remarks begin with `#`. `/log/keys.json` proves each by the one before it.", Media: MediaText},
		{ID: "getDataPackage", Path: "/datapackage.json", Summary: "The exports as a data package",
			Description: "A Data Package (Frictionless, version 2) whose resources are the bulk files of the register.", Media: MediaJSON},
		{ID: "getSitemap", Path: "/sitemap.xml", Summary: "Index of the sitemaps",
			Description: "Leads to sitemaps of at most 50,000 addresses each, with the time of their last change (sitemaps.org 0.9).", Media: MediaXML},
		{ID: "getRobots", Path: "/robots.txt", Summary: "What crawlers may fetch",
			Description: "Everything but what is computed for each request (RFC 9309).", Media: MediaText},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Static, ops[i].Problems, ops[i].Cache = TagDiscover, true, problemsPlain, CacheRevalidate
	}
	return ops
}
