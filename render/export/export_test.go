package export_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/export/exporttest"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// render writes every export of a snapshot into memory.
func render(t testing.TB, c *snapshot.Catalog) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := export.Whole(c, func(f artifact.File) error {
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
	rendertest.Golden(t, "entries.ndjson", files[export.RouteNDJSON])
}

func TestRoutesAndTypes(t *testing.T) {
	c := exporttest.Freeze(t, exporttest.Rows())
	var got []string
	err := export.Whole(c, func(f artifact.File) error {
		got = append(got, f.Route+" "+f.Type+" "+artifact.Path(f.Route, f.Type))
		if have := artifact.TypeOf(artifact.Path(f.Route, f.Type)); have != f.Type {
			t.Errorf("%s is %s on disk and %s in the log", f.Route, have, f.Type)
		}
		if f.Class != export.Class || f.Cache != artifact.Mutable {
			t.Errorf("%s has class %s", f.Route, f.Class)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/api/v1/feeds/export/json application/json; charset=utf-8 api/v1/feeds/export/json/index.json",
		"/api/v1/feeds/export/json.gz application/gzip api/v1/feeds/export/json.gz",
		"/api/v1/feeds/export/csv text/csv; charset=utf-8; header=present api/v1/feeds/export/csv/index.csv",
		"/api/v1/feeds/export/csv.gz application/gzip api/v1/feeds/export/csv.gz",
		"/api/v1/export/entries.safe.csv text/csv; charset=utf-8; header=present api/v1/export/entries.safe.csv",
		"/api/v1/export/entries.safe.csv.gz application/gzip api/v1/export/entries.safe.csv.gz",
		"/api/v1/export/entries.ndjson application/x-ndjson; charset=utf-8 api/v1/export/entries.ndjson",
		"/api/v1/export/entries.ndjson.gz application/gzip api/v1/export/entries.ndjson.gz",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestEqualContent compares the three forms, read back by parsers that are not
// ours, with the list items of the register.
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
	for i := range fromJSON {
		// List items cut long descriptions.
		if d := fromJSON[i].Description; d != nil && len(*d) > wire.ListTextMax {
			stem := strings.TrimSuffix(*lines[i].Description, "…")
			if !strings.HasPrefix(*d, stem) {
				t.Errorf("%s: line has description %q", fromJSON[i].Slug, *lines[i].Description)
			}
			lines[i].Description = d
		}
	}
	if d := cmp.Diff(fromJSON, lines); d != "" {
		t.Errorf("NDJSON differs from JSON:\n%s", d)
	}
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
