package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/export/exporttest"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// TestColumnsAreCounted: the guide says how many columns the tables have.
func TestColumnsAreCounted(t *testing.T) {
	guide, err := os.ReadFile("../../site/docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{fmt.Sprintf("have them as %d columns", len(export.FullColumns())), fmt.Sprintf("have the first %d of these", len(export.Columns))} {
		if !strings.Contains(string(guide), says) {
			t.Errorf("the guide does not say: %s", says)
		}
	}
}

// render writes every export of a snapshot into memory.
func render(t testing.TB, c *snapshot.Catalog) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := export.Aggregates(c, func(f artifact.File) error {
		var b bytes.Buffer
		if err := f.Stream(&b); err != nil {
			return err
		}
		out[f.Route] = b.Bytes()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGolden(t *testing.T) {
	files := render(t, exporttest.Freeze(t, exporttest.Rows()))
	rendertest.Golden(t, "export.json", files[export.RouteJSON])
	rendertest.Golden(t, "export.csv", files[export.RouteCSV])
	rendertest.Golden(t, "entries.safe.csv", files[export.RouteSafe])
	rendertest.Golden(t, "entries.full.csv", files[export.RouteFull])
	rendertest.Golden(t, "entries.ndjson", files[export.RouteNDJSON])
}

func TestRoutesAndTypes(t *testing.T) {
	c := exporttest.Freeze(t, exporttest.Rows())
	var got []string
	err := export.Aggregates(c, func(f artifact.File) error {
		got = append(got, f.Route+" "+f.Type+" "+artifact.Path(f.Route, f.Type))
		if have := artifact.TypeOf(artifact.Path(f.Route, f.Type)); have != f.Type {
			t.Errorf("%s is %s on disk and %s in the log", f.Route, have, f.Type)
		}
		if f.Gzip != f.Route+".gz" || f.Class != export.Class || f.Cache != artifact.Mutable {
			t.Errorf("%s has class %s", f.Route, f.Class)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/api/v1/feeds/export/json application/json; charset=utf-8 api/v1/feeds/export/json/index.json",
		"/api/v1/feeds/export/csv text/csv; charset=utf-8; header=present api/v1/feeds/export/csv/index.csv",
		"/api/v1/export/entries.safe.csv text/csv; charset=utf-8; header=present api/v1/export/entries.safe.csv",
		"/api/v1/export/entries.full.csv text/csv; charset=utf-8; header=present api/v1/export/entries.full.csv",
		"/api/v1/export/entries.full.safe.csv text/csv; charset=utf-8; header=present api/v1/export/entries.full.safe.csv",
		"/api/v1/export/entries.ndjson application/x-ndjson; charset=utf-8 api/v1/export/entries.ndjson",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestEqualContent compares the three forms, read back by parsers that are not
// ours.
func TestEqualContent(t *testing.T) {
	c := exporttest.Freeze(t, exporttest.Rows())
	files := render(t, c)
	fromJSON := exporttest.ReadJSON(t, files[export.RouteJSON])
	if d := cmp.Diff(fromJSON, exporttest.ReadCSV(t, files[export.RouteCSV])); d != "" {
		t.Errorf("CSV differs from JSON:\n%s", d)
	}
	lines := exporttest.ReadNDJSON(t, files[export.RouteNDJSON])
	if len(fromJSON) != len(c.Lines) || len(lines) != len(c.Lines) {
		t.Fatalf("%d records and %d lines of %d entries", len(fromJSON), len(lines), len(c.Lines))
	}
	if d := cmp.Diff(fromJSON, lines); d != "" {
		t.Errorf("NDJSON differs from JSON:\n%s", d)
	}
}

// TestRecordsAreFull holds that a line of NDJSON says what the entry's page does,
// with no text cut.
func TestRecordsAreFull(t *testing.T) {
	rows := exporttest.Many(2)
	long := strings.Repeat("Hourly measurements. ", 100)
	e := &rows[1].Entry
	e.Type, e.Description, e.PublisherName, e.LicenseRaw, e.API, e.MCP = catalog.TypeDataset, long, "Office of Water", "CC BY 4.0", nil, nil
	e.Titles, e.Descriptions = catalog.Texts{"en": e.Name, "fr": "Mesures"}, catalog.Texts{"en": long, "fr": long + "fin"}
	e.AccessRights, e.SourceIssuedAt = catalog.RightsPublic, rendertest.At
	e.Dataset = &catalog.DatasetDetails{Frequency: "DAILY", Distributions: []catalog.Distribution{{DownloadURL: "https://data.example/a.csv", Format: "CSV"}}}
	s := rendertest.Frame().Score(rows[1], search.Fold(e.Name))
	page, err := wire.EncodeEntry(s, false)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal(page, &want); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(render(t, exporttest.Freeze(t, rows))[export.RouteNDJSON])) {
		var got map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		if string(got["id"]) != string(want["id"]) {
			continue
		}
		for member, value := range got {
			if member == "maturity" || member == "search_vector" {
				continue // an object on the page, and not there
			}
			if d := cmp.Diff(string(want[member]), string(value)); d != "" {
				t.Errorf("%s differs from the page:\n%s", member, d)
			}
		}
		for _, member := range []string{"publisher", "institution", "license_raw", "formats", "access_rights", "trust_score", "verification_state", "titles", "descriptions", "dataset_details", "source_issued_at"} {
			if _, ok := got[member]; !ok {
				t.Errorf("no %s", member)
			}
		}
		return
	}
	t.Error("the entry has no line")
}

func TestDocument(t *testing.T) {
	c := exporttest.Freeze(t, exporttest.Rows())
	body := render(t, c)[export.RouteJSON]
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		t.Fatal(err)
	}
	var entries []map[string]json.RawMessage
	if err := json.Unmarshal(members["entries"], &entries); err != nil {
		t.Fatal(err)
	}
	delete(members, "entries")
	got, _ := json.Marshal(members)
	want := `{"count":40,"license":"CC0-1.0","snapshot_date":"` + c.AsOf.Format("2006-01-02T15:04:05Z07:00") + `","source":"https://register.example"}`
	if string(got) != want {
		t.Errorf("head %s\nwant %s", got, want)
	}
	statuses := map[string]int{}
	for _, e := range entries {
		statuses[string(e["status"])]++
		for _, col := range export.Columns {
			value, ok := e[col.Name]
			if !ok || !col.Nullable && string(value) == "null" {
				t.Errorf("entry %s: %s is %s", e["id"], col.Name, value)
			}
		}
		if len(e) != len(export.Columns) {
			t.Errorf("entry %s has %d members", e["id"], len(e))
		}
	}
	if statuses[`"ACTIVE"`] == 0 || statuses[`"DEPRECATED"`] == 0 || len(statuses) != 2 {
		t.Errorf("statuses %v", statuses)
	}
}

func TestEmptyCatalog(t *testing.T) {
	files := render(t, exporttest.Freeze(t, nil))
	if got := exporttest.ReadJSON(t, files[export.RouteJSON]); len(got) != 0 || !bytes.HasSuffix(files[export.RouteJSON], []byte(`"count":0,"entries":[]}`)) {
		t.Errorf("%s", files[export.RouteJSON])
	}
	if got := exporttest.ReadCSV(t, files[export.RouteCSV]); len(got) != 0 || len(files[export.RouteNDJSON]) != 0 {
		t.Errorf("%d rows, %d bytes", len(got), len(files[export.RouteNDJSON]))
	}
}

func TestGzipCopies(t *testing.T) {
	c := exporttest.Freeze(t, exporttest.Rows())
	a, b := render(t, c), render(t, exporttest.Freeze(t, exporttest.Rows()))
	for route, body := range a {
		if !bytes.Equal(body, b[route]) {
			t.Errorf("%s differs when it is made again", route)
		}
		plain, ok := strings.CutSuffix(route, ".gz")
		if !ok {
			continue
		}
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, a[plain]) {
			t.Errorf("%s is not a copy of %s: %v", route, plain, err)
		}
		if z.Name != "" || !z.ModTime.IsZero() && z.ModTime.Unix() != 0 || z.Comment != "" || len(z.Extra) != 0 {
			t.Errorf("%s has header %+v", route, z.Header)
		}
	}
}
