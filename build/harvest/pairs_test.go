package harvest_test

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// rawRecords reads the records of a capture without our connectors: what the
// publisher calls a record, and its content as far as the register shows it.
type rawRecords func(t *testing.T, file string) map[string]string

func open(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
		return b
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if b, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return b
}

// content is the shown part of a record as text. White space says nothing.
func content(t *testing.T, record map[string]any, fields ...string) string {
	t.Helper()
	shown := map[string]any{}
	for _, f := range fields {
		value := any(record)
		for part := range strings.SplitSeq(f, ".") {
			m, _ := value.(map[string]any)
			value = m[part]
		}
		shown[f] = value
	}
	b, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(strings.NewReplacer(`\n`, " ", `\r`, " ", `\t`, " ").Replace(string(b))), " ")
}

func rawDataJSON(t *testing.T, file string) map[string]string {
	var all struct{ Dataset []map[string]any }
	if err := json.Unmarshal(open(t, file), &all); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, r := range all.Dataset {
		// The order of keywords says nothing.
		if words, ok := r["keyword"].([]any); ok {
			slices.SortFunc(words, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		}
		out[r["identifier"].(string)] = content(t, r, "title", "description", "keyword", "modified", "issued", "publisher", "distribution",
			"license", "landingPage", "accrualPeriodicity", "theme", "temporal", "spatial", "describedBy", "references", "contactPoint", "language", "accessLevel")
	}
	return out
}

func rawSocrata(t *testing.T, file string) map[string]string {
	out := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(open(t, file)))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r map[string]any
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		resource := r["resource"].(map[string]any)
		if resource["type"] == "calendar" {
			continue
		}
		out[resource["id"].(string)] = content(t, r, "resource.name", "resource.description", "resource.attribution", "resource.updatedAt", "resource.createdAt",
			"resource.data_updated_at", "resource.metadata_updated_at", "resource.provenance", "resource.type", "resource.contactEmail",
			"classification", "metadata", "permalink", "link", "resource.attribution_link")
	}
	return out
}

func rawUK(t *testing.T, file string) map[string]string {
	in := csv.NewReader(bytes.NewReader(open(t, file)))
	rows, err := in.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[strings.TrimPrefix(name, "\ufeff")] = i
	}
	out := map[string]string{}
	for _, row := range rows[1:] {
		// The catalogue has no ids: a record is what it is called and where it
		// is (decisions §4), whoever is said to provide it.
		where := cmp.Or(row[column["url"]], row[column["documentation"]])
		if where == "" {
			continue
		}
		out[strings.TrimRight(where, "/")+"|"+strings.ToLower(row[column["name"]])] = strings.Join(strings.Fields(strings.ReplaceAll(strings.Join(row, "|"), `\n`, " ")), " ")
	}
	return out
}

// TestPairs harvests an older and a newer capture of one catalogue and compares
// what was created, changed and missed with what the two files say themselves.
func TestPairs(t *testing.T) {
	root := sourcetest.Shared(t, "data")
	for _, p := range []struct {
		kind, before, after string
		raw                 rawRecords
	}{
		{"datajson", "datajson/us-federal/fcc.data.json@earlier", "datajson/us-federal/fcc.data.json", rawDataJSON},
		{"datajson", "datajson/arcgis-hub/03b-19113_20210810.data.json.gz", "datajson/arcgis-hub/03b-19113_20220417.data.json.gz", rawDataJSON},
		{"datajson", "datajson/arcgis-hub/05b-27139_20190104.data.json", "datajson/arcgis-hub/05b-27139_20211231.data.json", rawDataJSON},
		{"socrata", "socrata/data.nola.gov@2022-06-07.jsonl.gz", "socrata/data.nola.gov.jsonl.gz", rawSocrata},
		{"uk-api-catalogue", "uk-api-catalogue/catalogue_2024-12-03.csv", "uk-api-catalogue/catalogue.csv", rawUK},
	} {
		t.Run(filepath.Base(p.after), func(t *testing.T) {
			before, after := p.raw(t, filepath.Join(root, p.before)), p.raw(t, filepath.Join(root, p.after))
			created, changed, missing := 0, 0, 0
			for id, text := range after {
				if old, ok := before[id]; !ok {
					created++
				} else if old != text {
					changed++
				}
			}
			for id := range before {
				if _, ok := after[id]; !ok {
					missing++
				}
			}
			ctx := context.Background()
			st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "a.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			if err := harvest.LoadReference(ctx, st, sourcetest.Now); err != nil {
				t.Fatal(err)
			}
			var last harvest.Report
			for i, file := range []string{p.before, p.after} {
				at := sourcetest.Now.Add(time.Duration(i) * time.Hour)
				in, err := harvest.InputOf(catalog.Source{ID: harvest.SourceID(p.kind), Kind: p.kind, Title: "Portal", URL: "https://portal.example/",
					Official: "captured for a test", File: filepath.Join(root, file), CreatedAt: at, UpdatedAt: at}, false)
				if err != nil {
					t.Fatal(err)
				}
				if last, err = harvest.Run(ctx, st, harvest.Connectors()[p.kind], in, harvest.Options{Now: at, Complete: true, Confirmed: true}); err != nil {
					t.Fatal(err)
				}
			}
			got := map[string]int{"created": last.Created, "changed": last.Updated, "missing": last.Missing}
			want := map[string]int{"created": created, "changed": changed, "missing": missing}
			if d := gocmp.Diff(want, got); d != "" {
				t.Errorf("%d records before, %d after (-files +register): %s\n%s", len(before), len(after), d, brief(&last))
			}
		})
	}
}
