package discovery

import (
	"slices"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// resource is one bulk file of the register as a Data Package describes it.
type resource struct {
	path, name, title, format, media string
	fields                           []field
}

// resources are the bulk files in the order in which a reader should try them;
// those that are not built are left out of the document.
func resources() []resource {
	return []resource{
		{"/api/v1/feeds/export/csv", "entries-csv", "Entries as a table", "csv", "text/csv", exportFields},
		{"/api/v1/export/entries.safe.csv", "entries-csv-safe", "Entries as a table for spreadsheets, in which no text is run as a formula", "csv", "text/csv", exportFields},
		{"/api/v1/export/entries.full.csv", "entries-csv-full", "Entries as a table of full records", "csv", "text/csv", fullFields()},
		{"/api/v1/export/entries.full.safe.csv", "entries-csv-full-safe", "Entries as a table of full records for spreadsheets, in which no text is run as a formula", "csv", "text/csv", fullFields()},
		{"/api/v1/feeds/export/json", "entries-json", "Entries as one JSON document", "json", "application/json", nil},
		{"/api/v1/export/entries.ndjson", "entries-ndjson", "Entries, full records, one JSON object a line", "ndjson", "application/x-ndjson", nil},
		{"/api/v1/export/entries.parquet", "entries-parquet", "Entries as Parquet, full records", "parquet", "application/vnd.apache.parquet", fullFields()},
		{wire.RouteParquetParts, "entries-parquet-parts", "Where the parts of entries as Parquet lie, with their rows, sizes and hashes", "json", "application/json", nil},
		{"/api/v1/export/entries.sqlite", "entries-sqlite", "Entries as an SQLite database, full records", "sqlite", "application/vnd.sqlite3", fullFields()},
		{"/api/v1/catalog/dcat.ttl", "catalogue-turtle", "The catalogue in DCAT-AP 3.0.1, Turtle", "ttl", "text/turtle", nil},
		{"/api/v1/catalog/dcat.jsonld", "catalogue-jsonld", "The catalogue in DCAT-AP 3.0.1, JSON-LD", "jsonld", "application/ld+json", nil},
		{"/data.json", "data-json", "The datasets in DCAT-US 1.1", "json", "application/json", nil},
		{"/api/v1/catalog/dcat-us.json", "catalogue-dcat-us", "The catalogue in DCAT-US 3.0", "json", "application/json", nil},
		{"/api/v1/okf/bundle.tar.gz", "knowledge-bundle", "The catalogue as an Open Knowledge Format bundle", "tar.gz", "application/gzip", nil},
		{"/tombstones.ndjson", "tombstones", "Entries that were removed or merged", "ndjson", "application/x-ndjson", nil},
	}
}

// field is one column (Data Package, Table Schema).
type field struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Format string `json:"format,omitempty"`
}

// exportFields are the columns of the CSV export in their order.
var exportFields = []field{
	{"id", "string", "uuid"}, {"name", "string", ""}, {"slug", "string", ""}, {"type", "string", ""}, {"description", "string", ""},
	{"country_code", "string", ""}, {"homepage_url", "string", "uri"}, {"docs_url", "string", "uri"}, {"repo_url", "string", "uri"},
	{"free_access_class", "string", ""}, {"auth_type", "string", ""}, {"status", "string", ""}, {"verification_state", "string", ""},
	{"tags", "string", ""}, {"created_at", "datetime", "any"}, {"updated_at", "datetime", "any"}, {"last_verified_at", "datetime", "any"},
}

// fieldTypes are those of Table Schema for kinds of columns.
var fieldTypes = map[wire.ColumnKind]field{wire.ColumnText: {Type: "string"}, wire.ColumnTime: {Type: "datetime", Format: "any"}, wire.ColumnNumber: {Type: "number"},
	wire.ColumnInteger: {Type: "integer"}, wire.ColumnBoolean: {Type: "boolean"}, wire.ColumnList: {Type: "array"}, wire.ColumnObject: {Type: "object"}}

// fullFields are the columns of the exports of full records.
func fullFields() []field {
	out := slices.Clone(exportFields)
	for _, c := range wire.RecordColumns {
		f := fieldTypes[c.Kind]
		f.Name = c.Name
		out = append(out, f)
	}
	return out
}

// dataPackage renders /datapackage.json (Data Package 2.0, datapackage.org).
// Paths are absolute, because a route such as feeds/export/csv has no file of
// that name in a copy of the site.
func dataPackage(c *snapshot.Catalog) ([]artifact.File, error) {
	var list []object
	for _, r := range resources() {
		if offered(r.path) {
			list = append(list, r.describe(c.Site))
		}
	}
	body, err := jsonx.Marshal(object{
		{"$schema", "https://datapackage.org/profiles/2.0/datapackage.json"},
		{"name", "register"}, {"id", address(c.Site, "/datapackage.json")}, {"title", c.Site.Name},
		{"description", "Official public-sector APIs, datasets and MCP servers, tested: the bulk files of one snapshot of the register."},
		{"version", c.ID}, {"created", c.AsOf.Format(time.RFC3339)},
		{"licenses", []object{{{"name", c.Site.License}, {"path", licenceURL(c.Site.License)}}}},
		{"resources", list},
	})
	return []artifact.File{{Route: "/datapackage.json", Type: artifact.JSON, Class: ClassDiscovery, Body: body}}, err
}

func (r *resource) describe(site snapshot.Site) object {
	out := object{{"name", r.name}, {"path", address(site, r.path)}, {"title", r.title}, {"format", r.format}, {"mediatype", r.media}}
	if r.format == "csv" || r.format == "json" || r.format == "ndjson" {
		out = append(out, member{"encoding", "utf-8"})
	}
	if r.fields != nil {
		out = append(out, member{"type", "table"}, member{"schema", object{{"fields", r.fields}, {"primaryKey", []string{r.fields[0].Name}}}})
	}
	return out
}
