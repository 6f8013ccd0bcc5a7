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

func exportOperations() []Operation {
	const columns = "Each entry with id, name, slug, type, description, country_code, homepage_url, docs_url, repo_url, free_access_class, " +
		"auth_type, status, verification_state, tags, created_at, updated_at and last_verified_at."
	ops := []Operation{
		{ID: "exportJSON", Path: "/api/v1/feeds/export/json", Summary: "All entries as JSON", Description: columns, Response: reflect.TypeFor[Export](), Media: MediaJSON},
		{ID: "exportCSV", Path: "/api/v1/feeds/export/csv", Summary: "All entries as CSV", Description: columns + " Tags are joined by `;` (RFC 4180). Texts are as the sources wrote them: a spreadsheet may run one that begins with `=`, `+`, `-` or `@` as a formula, so import them as text.", Media: MediaCSV},
		{ID: "exportNDJSON", Path: "/api/v1/export/entries.ndjson", Summary: "All entries as NDJSON", Description: "The full list items, one a line.",
			Response: reflect.TypeFor[Item](), Media: MediaNDJSON},
		{ID: "exportSQLite", Path: "/api/v1/export/entries.sqlite", Summary: "All entries as an SQLite file",
			Description: "Tables `entries` and `snapshot_meta`. " + columns, Media: MediaSQLite},
		{ID: "exportParquet", Path: "/api/v1/export/entries.parquet", Summary: "All entries as a Parquet file", Description: columns, Media: MediaParquet},
	}
	for _, o := range ops {
		ops = append(ops, Operation{ID: o.ID + "Gzip", Path: o.Path + ".gz", Summary: o.Summary + ", gzip", Description: o.Description, Media: MediaGzip})
	}
	return append(ops, Operation{ID: "exportChecksums", Path: "/api/v1/export/checksums.txt", Summary: "Checksums of the exports",
		Description: "SHA-256 of every export, in the form of sha256sum.", Media: MediaText})
}
