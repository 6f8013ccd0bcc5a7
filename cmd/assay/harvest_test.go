package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
)

// shared is where captures of real catalogues lie beside the project.
func shared(t *testing.T, path ...string) string {
	t.Helper()
	dir := os.Getenv("ASSAY_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	full := filepath.Join(append([]string{dir, "data"}, path...)...)
	if _, err := os.Stat(full); err != nil {
		t.Skipf("no captures of real catalogues here: %v", err)
	}
	return full
}

// TestRealCatalogues takes two real catalogues all the way to a checked site.
func TestRealCatalogues(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, site, report := "sqlite:"+filepath.Join(dir, "assay.db"), filepath.Join(dir, "site"), filepath.Join(dir, "report.json")
	total := 0
	for _, c := range []struct {
		kind, path string
		in         int
	}{
		{"uk-api-catalogue", shared(t, "uk-api-catalogue", "catalogue.csv"), 231},
		{"api-gouv-fr", shared(t, "api-gouv-fr"), 114},
	} {
		must(t, "harvest", "--kind", c.kind, "--file", c.path, "--db", db, "--report", report)
		b, err := os.ReadFile(report)
		if err != nil {
			t.Fatal(err)
		}
		var r harvest.Report
		if err := json.Unmarshal(b, &r); err != nil {
			t.Fatal(err)
		}
		if r.In != c.in || r.In != r.Created+r.Rejected || r.Created == 0 {
			t.Errorf("%s: %s", c.kind, r.Summary())
		}
		total += r.Created
	}
	must(t, "build", "--db", db, "--out", site)
	must(t, "check", site)
	checkWithNode(t, site)

	base := start(t, "serve", "--probe=false", "--site", site, "--db", db, "--addr", "127.0.0.1:0")
	if seen := walk(t, base, "/api/v1/entries?limit=100&sort_by=name", func() {}); len(seen) != total {
		t.Errorf("%d entries are served, %d were taken", len(seen), total)
	}
	copyDB := "sqlite:" + filepath.Join(dir, "copy.db")
	file := filepath.Join(dir, "catalog.ndjson")
	must(t, "export", "--db", db, "--file", file)
	must(t, "import", file, "--db", copyDB, "--strict")
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if second := must(t, "export", "--db", copyDB); second != string(first) {
		t.Error("the catalog changed on its way through a file")
	}
}

// TestHarvestOfACapture: a capture of a portal that names itself nowhere is read
// with the portal's address; without it the rejections say how to give it.
func TestHarvestOfACapture(t *testing.T) {
	t.Parallel()
	const capture = "../../build/harvest/ods/testdata/datasets.json"
	db := "sqlite:" + filepath.Join(t.TempDir(), "a.db")
	code, _, stderr := assay(t, "harvest", "--db", db, "--kind", "ods", "--file", capture)
	if code == 0 || !strings.Contains(stderr, "--url beside --file") {
		t.Errorf("without the address: exit code %d\n%s", code, stderr)
	}
	if code, _, stderr := assay(t, "harvest", "--db", db, "--kind", "ods", "--file", capture, "--url", "https://data.example.gov/explore/", "--official", "by law"); code != 0 || strings.Contains(stderr, "created      0") {
		t.Errorf("with the address: exit code %d\n%s", code, stderr)
	}
	if lines := must(t, "export", "--db", db); !strings.Contains(lines, `"primary_source_url":"https://data.example.gov/explore/dataset/`) {
		t.Errorf("no entry leads to the portal:\n%.2000s", lines)
	}
	for _, bad := range [][]string{{"--url", "https://x.example"}, {"--kind", "ods", "--file", capture, "--url", "data.example.gov"}} {
		if code, _, stderr := assay(t, append([]string{"harvest", "--db", db}, bad...)...); code != 1 || !strings.Contains(stderr, "--url") {
			t.Errorf("%v: exit code %d\n%s", bad, code, stderr)
		}
	}
}

// TestFilesAreSources: what two files both call 1 are two things; a copy of a
// file under another name is the same source if it is said so.
func TestFilesAreSources(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := "sqlite:" + filepath.Join(dir, "a.db")
	file := func(name, title, host string) string {
		path := filepath.Join(dir, name)
		text := fmt.Sprintf("@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .\n"+
			"[] a dcat:Dataset ; dct:identifier \"1\" ; dct:title %q ; dcat:landingPage <https://%s/dataset/one> .\n", title, host)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	harvest := func(created string, args ...string) string {
		t.Helper()
		code, _, stderr := assay(t, append([]string{"harvest", "--db", db, "--kind", "dcat", "--official", "by law"}, args...)...)
		if code != 0 || !strings.Contains(stderr, "created      "+created) {
			t.Errorf("%v: exit code %d, want %s created\n%s", args, code, created, stderr)
		}
		return stderr
	}
	water, roads := file("water.ttl", "Water levels", "water.example.gov"), file("roads.ttl", "Roads", "roads.example.gov")
	if said := harvest("1", "--file", water); !strings.Contains(said, "--source "+strconv.Quote(water)) {
		t.Errorf("no remedy is named:\n%s", said)
	}
	harvest("1", "--file", roads)
	if said := harvest("0", "--file", file("copy.ttl", "Water levels", "water.example.gov"), "--source", water); !strings.Contains(said, "merged       0") {
		t.Errorf("the copy is another source:\n%s", said)
	}
	if lines := must(t, "export", "--db", db); strings.Count(lines, `"upstream_ref":`) != 2 {
		t.Errorf("not two entries:\n%s", lines)
	}
	// A file that states its catalogue is known by that, whatever it is called.
	of := func(name, catalogue, title string) string {
		path := file(name, title, catalogue+".example.gov")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text = fmt.Appendf(text, "<https://%s.example.gov/catalog> a dcat:Catalog .\n", catalogue)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if said := harvest("1", "--file", of("forest.ttl", "forest", "Forests")); !strings.Contains(said, "https://forest.example.gov/catalog") {
		t.Errorf("by what the source is known is not told:\n%s", said)
	}
	if said := harvest("0", "--file", of("forest-2.ttl", "forest", "Forests")); !strings.Contains(said, "unchanged    1") {
		t.Errorf("another export of the catalogue is another source:\n%s", said)
	}
	harvest("1", "--file", of("forest.ttl", "rivers", "Rivers"))
	if code, _, stderr := assay(t, "harvest", "--db", db, "--kind", "dcat", "--file", of("water.ttl", "water", "Water levels")); code != 1 || !strings.Contains(stderr, "--source "+strconv.Quote(water)) {
		t.Errorf("a file by whose name a source is known states a catalogue: exit code %d\n%s", code, stderr)
	}
	if lines := must(t, "export", "--db", db); strings.Count(lines, `"upstream_ref":`) != 4 {
		t.Errorf("not four entries:\n%s", lines)
	}
	if code, _, stderr := assay(t, "harvest", "--db", db, "--source", "x"); code != 1 || !strings.Contains(stderr, "--source") {
		t.Errorf("a name without a file: exit code %d\n%s", code, stderr)
	}
}
