package wire

import "reflect"

// Export is the JSON export: what a client needs to keep a copy of the catalog.
type Export struct {
	// SnapshotDate is the latest change that the export shows.
	SnapshotDate string        `json:"snapshot_date"`
	Source       string        `json:"source"`
	License      string        `json:"license"`
	Count        int           `json:"count"`
	Entries      []ExportEntry `json:"entries"`
}

// ExportEntry is an entry in an export. Its values are those of the entry's
// own page.
type ExportEntry struct {
	ID                string   `json:"id"`
	Name              string   `json:"name"`
	Slug              string   `json:"slug"`
	Type              string   `json:"type"`
	Description       *string  `json:"description"`
	CountryCode       *string  `json:"country_code"`
	HomepageURL       *string  `json:"homepage_url"`
	DocsURL           *string  `json:"docs_url"`
	RepoURL           *string  `json:"repo_url"`
	FreeAccessClass   string   `json:"free_access_class"`
	AuthType          string   `json:"auth_type"`
	Status            string   `json:"status"`
	VerificationState string   `json:"verification_state"`
	Tags              []string `json:"tags"`
	CreatedAt         string   `json:"created_at"`
	UpdatedAt         string   `json:"updated_at"`
	LastVerifiedAt    *string  `json:"last_verified_at"`
}

// ParquetParts leads to the files that the table of all entries consists of.
type ParquetParts struct {
	Snapshot string `json:"snapshot"`
	// SnapshotDate is the latest change that the table shows.
	SnapshotDate string `json:"snapshot_date"`
	Source       string `json:"source"`
	License      string `json:"license"`
	// Count is how many rows the parts have together.
	Count int `json:"count"`
	// PartitionedBy are the columns whose value stands in the address of a part, too; none while
	// one file holds the table.
	PartitionedBy []string      `json:"partitioned_by"`
	Parts         []ParquetPart `json:"parts"`
}

// ParquetPart is one file of the table: rows in id order.
type ParquetPart struct {
	URL string `json:"url"`
	// CountryCode is that of all rows, null where they have none or are of several.
	CountryCode *string `json:"country_code"`
	Rows        int     `json:"rows"`
	Bytes       int64   `json:"bytes"`
	SHA256      string  `json:"sha256"`
	// FirstID and LastID are those of the first and the last row, "" in an empty table.
	FirstID string `json:"first_id"`
	LastID  string `json:"last_id"`
}

// RouteParquetParts is where the list of the parts of the table lies, and the parts below it.
const RouteParquetParts = "/api/v1/export/parquet"

// Routes of the CSV exports: with texts as the sources wrote them, and with none
// that a spreadsheet runs; of the columns that the specification lists, and of full records.
const (
	RouteCSV         = "/api/v1/feeds/export/csv"
	RouteSafeCSV     = "/api/v1/export/entries.safe.csv"
	RouteFullCSV     = "/api/v1/export/entries.full.csv"
	RouteFullSafeCSV = "/api/v1/export/entries.full.safe.csv"
)

// Safe is the parameter that asks a CSV for its safe variant.
const Safe = "safe"

// asWritten warns of the plain CSV, escaped says what the safe one does.
const (
	asWritten = "Texts are as the sources wrote them, and a spreadsheet may run one that begins with `=`, `+`, `-` or `@` as a formula; " +
		"the safe variant has a single quote in front of such a text."
	escaped = "For spreadsheets: a text that one could run as a formula has a single quote in front; all others are as in the CSV."
)

// ExportParams choose the variant of the CSV export.
func ExportParams() []Param { return []Param{safeParam()} }

func safeParam() Param {
	return Param{Name: Safe, In: "query", Kind: KindString, Enum: []string{"1"}, Bare: true,
		Description: "As CSV that no spreadsheet runs: a text that could be a formula has a single quote in front."}
}

func exportOperations() []Operation {
	const columns = "Each entry with id, name, slug, type, description, country_code, homepage_url, docs_url, repo_url, free_access_class, " +
		"auth_type, status, verification_state, tags, created_at, updated_at and last_verified_at."
	const table = columns + " Tags are joined by `;` (RFC 4180). "
	const more = "Full records: these 17 columns, and behind them the names and descriptions in all languages, publisher, institution, licence, access, formats, themes, " +
		"download addresses, places, periods, contact, dates and scores, nothing cut. "
	const lists = "A further column of several values is a JSON array, one of values by language a JSON object. "
	ops := []Operation{
		{ID: "exportJSON", Path: "/api/v1/feeds/export/json", Summary: "All entries as JSON", Description: columns, Response: reflect.TypeFor[Export](), Media: MediaJSON},
		{ID: "exportCSV", Path: RouteCSV, Summary: "All entries as CSV", Description: table + asWritten, Params: ExportParams(), Media: MediaCSV},
		{ID: "exportSafeCSV", Path: RouteSafeCSV, Summary: "All entries as CSV, safe to open", Description: table + escaped, Media: MediaCSV},
		{ID: "exportFullCSV", Path: RouteFullCSV, Summary: "All entries as CSV, full records", Description: more + lists + asWritten, Params: ExportParams(), Media: MediaCSV},
		{ID: "exportFullSafeCSV", Path: RouteFullSafeCSV, Summary: "All entries as CSV, full records, safe to open", Description: more + lists + escaped, Media: MediaCSV},
		{ID: "exportNDJSON", Path: "/api/v1/export/entries.ndjson", Summary: "All entries as NDJSON", Description: "One full record a line: a list item with every text whole, its publisher, institution, licence, languages, files and dates.",
			Response: reflect.TypeFor[Record](), Media: MediaNDJSON},
		{ID: "exportSQLite", Path: "/api/v1/export/entries.sqlite", Summary: "All entries as an SQLite file",
			Description: "Tables `entries` and `snapshot_meta`. " + more + lists, Media: MediaSQLite},
		{ID: "exportParquet", Path: "/api/v1/export/entries.parquet", Summary: "All entries as a Parquet file", Description: more + "Columns of several values are lists, those of values by language JSON.", Media: MediaParquet},
	}
	for _, o := range ops {
		ops = append(ops, Operation{ID: o.ID + "Gzip", Path: o.Path + ".gz", Summary: o.Summary + ", gzip", Description: o.Description, Media: MediaGzip})
	}
	return append(ops, parquetParts(), parquetPart(), Operation{ID: "exportChecksums", Path: "/api/v1/export/checksums.txt", Summary: "Checksums of the exports",
		Description: "SHA-256 of every export, in the form of sha256sum.", Media: MediaText})
}

func parquetParts() Operation {
	return Operation{ID: "exportParquetParts", Path: RouteParquetParts, Summary: "The parts of the Parquet table", Response: reflect.TypeFor[ParquetParts](), Media: MediaJSON,
		Description: "Which files hold the table of all entries: the one file, or from 10,000 entries on parts by country and id, for who wants a country or reads many at once. " +
			"A part changes only when one of its rows does."}
}

func parquetPart() Operation {
	return Operation{ID: "exportParquetPart", Path: RouteParquetParts + "/{partition}/{part}.parquet", Summary: "A part of the Parquet table", Media: MediaParquet, Problems: []int{404, 422},
		Description: "Some of the rows of the table, full records in id order. The list of parts leads to it; a small register has none.",
		Params: []Param{
			{Name: "partition", In: "path", Kind: KindString, Description: "The country of its rows, as Hive writes a partition.", Example: "country_code=FR"},
			{Name: "part", In: "path", Kind: KindString, Description: "Name of the part.", Example: "part-0000"},
		}}
}
