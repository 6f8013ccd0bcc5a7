package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// packages are CKAN packages of which the first ones have no title.
func packages(t *testing.T, untitled, titled int) string {
	t.Helper()
	var b strings.Builder
	for i := range untitled + titled {
		name, title := "", ""
		if i >= untitled {
			name, title = fmt.Sprintf("p%d", i), fmt.Sprintf("Tides of harbour %d", i)
		}
		fmt.Fprintf(&b, `{"id":"p%d","name":%q,"title":%q,"notes":"Heights.","license_id":"odd-terms","organization":{"title":"Harbour office"},"resources":[{"id":"r%d","url":"https://data.example/%d.csv","format":"CSV"}]}`+"\n", i, name, title, i, i)
	}
	path := filepath.Join(t.TempDir(), "packages.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The report has every rejection, however many, counts what was delivered, and
// tells what the source does not state from what was not resolved.
func TestReportHasEverything(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, report := packages(t, 1300, 4), filepath.Join(dir, "report.json")
	config := filepath.Join(dir, "assay.yaml")
	yaml := "sources: [{key: p, kind: ckan, url: 'https://data.example/', file: '" + file + "', official: a test}]\n"
	if err := os.WriteFile(config, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"once":       {"--kind", "ckan", "--file", file, "--official", "a test", "--db", "sqlite:" + filepath.Join(dir, "once.db")},
		"configured": {"p", "--config", config, "--db", "sqlite:" + filepath.Join(dir, "configured.db")},
	} {
		must(t, append([]string{"harvest", "--report", report}, args...)...)
		r := readReport(t, report)
		if r.Rejected != 1300 || len(r.Rejections) != 1300 || r.Created != 4 {
			t.Fatalf("%s: %d rejected, %d listed, %d created", name, r.Rejected, len(r.Rejections), r.Created)
		}
		for i, x := range r.Rejections {
			if !strings.HasSuffix(x.Place, fmt.Sprintf(":%d", i+1)) {
				t.Fatalf("%s: rejection %d is of %s", name, i, x.Place)
			}
		}
		if r.Fields.Delivered < 4*4 || r.Fields.Omitted == 0 {
			t.Errorf("%s: fields %+v", name, r.Fields)
		}
		lacks := map[string]catalog.Lack{}
		for _, l := range r.Fields.Lacks {
			lacks[l.What] = l
		}
		for what, want := range map[string]catalog.Lack{"institution": {Of: 4, Unresolved: 4}, "country": {Of: 4, NotStated: 4}, "licence": {Of: 4, Unresolved: 4}, "access": {Of: 4, NotStated: 4}} {
			want.What = what
			if what == "institution" && lacks[what].Unresolved == 0 {
				want.Unresolved = 0 // every stated publisher has an institution
			}
			if lacks[what] != want {
				t.Errorf("%s: %s %+v, want %+v", name, what, lacks[what], want)
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".rejections-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// readReport reads the report of one source, in either form.
func readReport(t *testing.T, path string) harvest.Report {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var several struct{ Sources []harvest.Report }
	if err := json.Unmarshal(b, &several); err != nil {
		t.Fatal(err)
	}
	if len(several.Sources) == 1 {
		return several.Sources[0]
	}
	var one harvest.Report
	if err := json.Unmarshal(b, &one); err != nil {
		t.Fatal(err)
	}
	return one
}
