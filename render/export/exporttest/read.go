package exporttest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/export"
)

// ReadJSON reads the records of the JSON export and refuses any other member.
func ReadJSON(t testing.TB, body []byte) []export.Record {
	t.Helper()
	var doc struct {
		Date    string          `json:"snapshot_date"`
		Source  string          `json:"source"`
		License string          `json:"license"`
		Count   int             `json:"count"`
		Entries []export.Record `json:"entries"`
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	check(t, dec.Decode(&doc))
	if dec.More() || doc.Count != len(doc.Entries) {
		t.Fatalf("count is %d, there are %d entries", doc.Count, len(doc.Entries))
	}
	return doc.Entries
}

// ReadNDJSON reads the members of list items that a record has too.
func ReadNDJSON(t testing.TB, body []byte) []export.Record {
	t.Helper()
	var out []export.Record
	for line := range strings.Lines(string(body)) {
		if !strings.HasSuffix(line, "}\n") {
			t.Fatalf("no object in line %d: %q", len(out)+1, line)
		}
		var r export.Record
		check(t, json.Unmarshal([]byte(line), &r))
		out = append(out, r)
	}
	return out
}

// ReadCSVCells reads the rows of a CSV export with encoding/csv, the header first.
func ReadCSVCells(t testing.TB, body []byte) [][]string {
	t.Helper()
	in := csv.NewReader(bytes.NewReader(body))
	in.FieldsPerRecord = len(export.Columns)
	rows, err := in.ReadAll()
	check(t, err)
	if len(rows) == 0 {
		t.Fatal("no header")
	}
	return rows
}

// ReadCSV reads the records of the CSV export.
func ReadCSV(t testing.TB, body []byte) []export.Record {
	t.Helper()
	rows := ReadCSVCells(t, body)
	for i, col := range export.Columns {
		if rows[0][i] != col.Name {
			t.Fatalf("column %d is %q", i, rows[0][i])
		}
	}
	out := make([]export.Record, 0, len(rows)-1)
	for _, row := range rows[1:] {
		var cells export.Cells
		for i := range row {
			if row[i] != "" || !export.Columns[i].Nullable {
				cells[i] = &row[i]
			}
		}
		out = append(out, FromCells(&cells))
	}
	return out
}

// FromCells is the record of a row.
func FromCells(c *export.Cells) export.Record {
	return export.Record{ID: *c[0], Name: *c[1], Slug: *c[2], Type: *c[3], Description: c[4], CountryCode: c[5], HomepageURL: c[6],
		DocsURL: c[7], RepoURL: c[8], FreeAccessClass: *c[9], AuthType: *c[10], Status: *c[11], VerificationState: *c[12],
		Tags: export.SplitTags(*c[13]), CreatedAt: *c[14], UpdatedAt: *c[15], LastVerifiedAt: c[16]}
}
