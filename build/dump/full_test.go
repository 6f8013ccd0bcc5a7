package dump

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/export/exporttest"
	"github.com/assay-register/assay/render/wire"
)

// members lead from columns to the members of a record, where these have another name or
// lie in an object; "*" is every element of a list.
var members = map[string]string{
	"publisher_name": "publisher.name", "publisher_iri": "publisher.iri", "publisher_type": "publisher.type", "publisher_basis": "publisher.basis",
	"institution_name": "institution.name", "institution_state": "institution.state",
	"license_id": "license.id", "license_title": "license.title", "license_url": "license.url", "license_open": "license.open",
	"landing_page": "dataset_details.landing_page", "other_pages": "dataset_details.other_pages", "download_urls": "dataset_details.distributions.*.download_url", "access_urls": "dataset_details.distributions.*.access_url", "distribution_licenses": "dataset_details.distributions.*.license",
	"api_base_url": "api_details.base_url", "openapi_url": "api_details.openapi_url", "graphql_url": "api_details.graphql_url", "api_other_urls": "api_details.other_urls", "terms_url": "api_details.terms_url", "api_spec_format": "api_details.spec_format", "mcp_endpoint_url": "mcp_details.endpoint_url",
	"frequency": "dataset_details.frequency|api_details.frequency", "spatial": "dataset_details.spatial|api_details.spatial",
	"temporal_start": "dataset_details.temporal_start", "temporal_end": "dataset_details.temporal_end", "version": "dataset_details.version",
	"contact_name": "contact.name", "contact_email": "contact.email", "contact_url": "contact.url",
}

// at finds a member of a record by a path, nil for none; of several paths the first that
// leads to something counts.
func at(v any, path string) any {
	for one := range strings.SplitSeq(path, "|") {
		if found := along(v, strings.Split(one, ".")); found != nil {
			return found
		}
	}
	return nil
}

func along(v any, path []string) any {
	if len(path) == 0 {
		return v
	}
	if path[0] == "*" {
		list, _ := v.([]any)
		var out []any
		for _, e := range list {
			if found := along(e, path[1:]); found != nil {
				out = append(out, found)
			}
		}
		return out
	}
	object, _ := v.(map[string]any)
	return along(object[path[0]], path[1:])
}

// plain is a value as every form can show it: "" for null and what is empty.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		if len(v) == 0 {
			return ""
		}
	case map[string]any:
		if len(v) == 0 {
			return ""
		}
	case *string:
		if v == nil {
			return ""
		}
		return *v
	case *time.Time:
		if v == nil {
			return ""
		}
		return v.UTC().Format(time.RFC3339)
	case []string:
		if len(v) == 0 {
			return ""
		}
	}
	b, _ := json.Marshal(v)
	if string(b) == "null" {
		return ""
	}
	return string(b)
}

// compact writes JSON of a text as plain does, and leaves other texts as they are.
func compact(s string) string {
	var v any
	if s != "" && (s[0] == '[' || s[0] == '{') && json.Unmarshal([]byte(s), &v) == nil {
		return plain(v)
	}
	return s
}

// TestFullRecords holds the forms of full records to the lines of NDJSON, column by
// column, as readers that are not ours find them.
func TestFullRecords(t *testing.T) {
	files := all(t, exporttest.Freeze(t, exporttest.Rows()))
	table, err := csv.NewReader(strings.NewReader(strings.ReplaceAll(string(files[export.RouteFull]), "\r\n", "\n"))).ReadAll()
	must(t, err)
	database, columns := readFull(t, files[RouteSQLite])
	read, err := parquet.Read[row](bytes.NewReader(files[RouteParquet]), int64(len(files[RouteParquet])))
	must(t, err)
	parquets := byColumn(read)
	if !slices.Equal(table[0], columns) || len(columns) != len(export.Columns)+len(wire.RecordColumns) {
		t.Fatalf("the table has the columns %q, the database %q", table[0], columns)
	}
	filled, n := map[string]bool{}, 0
	for line := range strings.Lines(string(files[export.RouteNDJSON])) {
		var record map[string]any
		must(t, json.Unmarshal([]byte(line), &record))
		n++
		for i, name := range columns[len(export.Columns):] {
			i += len(export.Columns)
			path := members[name]
			if path == "" {
				path = name
			}
			want := plain(at(record, path))
			filled[name] = filled[name] || want != ""
			if got := compact(table[n][i]); got != want {
				t.Errorf("%s: %s is %q in CSV, want %q", record["id"], name, got, want)
			}
			if got := compact(database[n-1][i]); got != want && !(want == "true" && got == "1" || want == "false" && got == "0") {
				t.Errorf("%s: %s is %q in SQLite, want %q", record["id"], name, got, want)
			}
			if got := inParquet(parquets[n-1][name]); got != want {
				t.Errorf("%s: %s is %q in Parquet, want %q", record["id"], name, got, want)
			}
		}
	}
	if n != len(table)-1 || n != len(database) || n != len(parquets) {
		t.Errorf("%d lines, %d rows of CSV, %d of SQLite, %d of Parquet", n, len(table)-1, len(database), len(parquets))
	}
	for _, c := range wire.RecordColumns {
		if !filled[c.Name] {
			t.Logf("no record of the test has %s", c.Name)
		}
	}
	if len(filled) < 50 {
		t.Errorf("only %d columns", len(filled))
	}
}

// byColumn are the values of rows by the names of their columns.
func byColumn(rows []row) (out []map[string]any) {
	for i := range rows {
		v := reflect.ValueOf(rows[i])
		values := map[string]any{}
		for f := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(f).Tag.Get("parquet"), ",")
			values[name] = v.Field(f).Interface()
		}
		out = append(out, values)
	}
	return out
}

// inParquet is a value of a Parquet row as every form can show it.
func inParquet(v any) string {
	switch v := v.(type) {
	case time.Time:
		return v.UTC().Format(time.RFC3339)
	case *string:
		return compact(plain(v))
	case string:
		return compact(v)
	}
	return plain(v)
}

// readFull reads all columns of the table as texts.
func readFull(t *testing.T, body []byte) (rows [][]string, columns []string) {
	t.Helper()
	found, err := openSQLite(t, body).Query("SELECT * FROM entries ORDER BY rowid")
	must(t, err)
	defer found.Close()
	columns, err = found.Columns()
	must(t, err)
	for found.Next() {
		into := make([]any, len(columns))
		for i := range into {
			into[i] = new(any)
		}
		must(t, found.Scan(into...))
		row := make([]string, len(columns))
		for i := range into {
			if v := *into[i].(*any); v != nil {
				row[i] = fmt.Sprint(v)
			}
		}
		rows = append(rows, row)
	}
	must(t, found.Err())
	return rows, columns
}

// TestGroupsAreBounded: rows with long texts are more groups than rows with short ones.
func TestGroupsAreBounded(t *testing.T) {
	rows := exporttest.Many(2 * batchRows)
	for _, r := range rows {
		r.Entry.Description = strings.Repeat("long ", 2*groupBytes/batchRows/5)
	}
	c := exporttest.Freeze(t, rows)
	var body bytes.Buffer
	must(t, tableOf(t.Context(), &body, export.FullRows(c), meta(c)))
	f, err := parquet.OpenFile(bytes.NewReader(body.Bytes()), int64(body.Len()))
	must(t, err)
	if n := len(f.RowGroups()); n != 2 {
		t.Errorf("%d row groups, want 2", n)
	}
}
