package check_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// found tells whether a report names a fault.
func found(r check.Report, route, what string) bool {
	for _, f := range r.Faults {
		if f.Route == route && strings.Contains(f.What, what) {
			return true
		}
	}
	return false
}

// TestCheckKnowsFormats spoils DCAT-AP documents, feeds and the OKF bundle in
// ways that keep every hash right.
func TestCheckKnowsFormats(t *testing.T) {
	dir := site(t, entries)
	good, err := buildtest.ReadTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	remote := serve(t, dir)
	const base, differ = "https://register.example/assay", "says something else than its other form"
	var head wire.SnapshotPage
	decode(t, read(t, dir, "snapshot.json"), &head)
	page := "/s/" + head.Snapshot + "/api/v1/catalog/dcat/1.ttl"
	linked := strings.TrimSuffix(page, "ttl") + "jsonld"
	entry, concept := firstRoute(t, dir, "/id/", ".ttl"), firstRoute(t, dir, "/api/v1/okf/datasets/", ".md")
	rows := []misform{
		{"broken Turtle", page, " ;\n", " ;; ;\n@", "is no Turtle: line"},
		{"broken JSON-LD", linked, `{"@id":`, `{"@id":,`, "is no JSON-LD"},
		{"a statement less", page, "    dct:license ", "    dct:rights ", differ},
		{"another value in JSON-LD", linked, `"@language":"en"`, `"@language":"fr"`, differ},
		{"a blank node", page, " a dcat:CatalogRecord", " a [] , dcat:CatalogRecord", "has a blank node"},
		{"a name without a route", entry, base + "/api/v1/entries/", base + "/api/v1/entries/none-", "which no route answers"},
		{"a document about nothing", entry, base + strings.TrimSuffix(entry, ".ttl"), base + "/catalog", "does not describe"},
		{"a wrong total", page, `totalItems "`, `totalItems "9`, "entries and say"},
		{"a next page that is none", page, "hydra:first ", "hydra:next <" + base + "/nowhere> ;\n    hydra:first ", "is no page of this form"},
		{"a page with another name", page, "<" + base + page + "> a hydra", "<" + base + "/s/x> a hydra", "calls itself"},
		{"RSS that is cut", "/api/v1/feeds/rss", "</rss>", "", "is no feed"},
		{"RSS with a tail", "/api/v1/feeds/rss", "</rss>", "</rss>x", "is no feed"},
		{"RSS of another version", "/api/v1/feeds/rss", `version="2.0"`, `version="0.91"`, "version is not 2.0"},
		{"RSS without a description", "/api/v1/feeds/rss", "<description>", "<x>", "is no feed"},
		{"a date that is none", "/api/v1/feeds/rss", "<pubDate>", "<pubDate>Funday, ", "is no instant"},
		{"an Atom date that is none", "/api/v1/feeds/atom", "<published>", "<published>x", "is no instant"},
		{"a feed that calls itself another", "/api/v1/feeds/atom", `feeds/atom" rel="self"`, `feeds/rss" rel="self"`, "calls itself"},
		{"an Atom id that is missing", "/api/v1/feeds/atom", "<id>", "<id></id><x>", "is no feed"},
		{"a dead item", "/api/v1/feeds/json", `"url":"` + base + "/entry", `"url":"` + base + "/none", "dead link"},
		{"a relative item", "/api/v1/feeds/json", `"url":"` + base + "/entry", `"url":"/entry`, "is no absolute address"},
		{"JSON Feed of another version", "/api/v1/feeds/json", "version/1.1", "version/1", "is not that of JSON Feed 1.1"},
		{"a concept without a type", concept, "\ntype: ", "\nkind: ", "OKF M"},
	}
	for n, round := range rounds(rows, func(r *misform) string {
		if r.edit == linked {
			return page // the two forms are compared
		}
		return r.edit
	}) {
		for _, c := range round {
			body := string(read(t, dir, diskPath(t, dir, c.edit)))
			with := strings.Replace(body, c.old, c.new, 1)
			if with == body {
				t.Fatalf("%s does not hold %q", c.edit, c.old)
			}
			replaceRoute(t, dir, c.edit, []byte(with))
		}
		for where, pages := range map[string]output.Pages{"dir": output.Dir(dir), "remote": remote} {
			if where == "remote" && n%4 > 0 {
				continue // the rules do not know where a site is
			}
			r, err := check.Site(t.Context(), pages, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range round {
				at := c.edit
				if c.what == differ {
					at = linked // the second form that the check meets
				}
				if !found(r, at, c.what) {
					t.Errorf("%s, %s: %d faults %v, want %s %s", c.name, where, r.FaultCount, r.Faults, at, c.what)
				}
			}
		}
		restore(t, dir, good)
	}
	r, err := check.Site(t.Context(), remote, nil, nil)
	if err != nil || r.FaultCount > 0 || r.Graphs < 50 || r.Statements < 3000 || r.Feeds < 30 || r.Concepts < 30 {
		t.Errorf("%v, %+v", err, r)
	}
}

// misform is an edit of a document, and the fault that the check is to find.
type misform struct{ name, edit, old, new, what string }

// rounds parts rows so that those of one round have each a place of its own, in their order.
func rounds[T any](rows []T, place func(*T) string) (out [][]T) {
	taken := map[string]int{}
	for i := range rows {
		n := taken[place(&rows[i])]
		taken[place(&rows[i])]++
		if n == len(out) {
			out = append(out, nil)
		}
		out[n] = append(out[n], rows[i])
	}
	return out
}

// TestCheckOfIDs gives two items of a feed one id.
func TestCheckOfIDs(t *testing.T) {
	dir := site(t, entries)
	body := string(read(t, dir, diskPath(t, dir, "/api/v1/feeds/json")))
	ids := regexp.MustCompile(`"id":"(urn:uuid:[^"]+)"`).FindAllStringSubmatch(body, 2)
	replaceRoute(t, dir, "/api/v1/feeds/json", []byte(strings.ReplaceAll(body, ids[1][1], ids[0][1])))
	touched = nil
	r, err := check.Site(t.Context(), output.Dir(dir), nil, nil)
	if err != nil || !found(r, "/api/v1/feeds/json", "stands twice") {
		t.Errorf("%v, %v", err, r.Faults)
	}
}

// TestCheckOfTheArchive packs the bundle again without one of its pages.
func TestCheckOfTheArchive(t *testing.T) {
	dir := site(t, entries)
	const route = "/api/v1/okf/bundle.tar.gz"
	zip, err := gzip.NewReader(bytes.NewReader(read(t, dir, route)))
	if err != nil {
		t.Fatal(err)
	}
	in := tar.NewReader(zip)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	out := tar.NewWriter(w)
	for n := 0; ; n++ {
		h, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if n == 3 {
			continue
		}
		if n == 4 {
			h.Name = "zz.md"
		}
		if err := out.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(out, in); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	replaceRoute(t, dir, route, packed.Bytes())
	touched = nil
	r, err := check.Site(t.Context(), output.Dir(dir), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"zz.md is no page", "behind zz.md", " pages of the bundle"} {
		if !found(r, route, what) {
			t.Errorf("no fault %q in %v", what, r.Faults)
		}
	}
}

// TestCheckOfTheReport publishes a SHACL report with the site.
func TestCheckOfTheReport(t *testing.T) {
	dir := site(t, entries)
	var head wire.SnapshotPage
	decode(t, read(t, dir, "snapshot.json"), &head)
	type document struct {
		Route  string `json:"route"`
		SHA256 string `json:"sha256"`
	}
	whole := document{"/api/v1/catalog/dcat.ttl", ""}
	for _, l := range routes(t, dir) {
		if l.Route == whole.Route {
			whole.SHA256 = l.SHA256
		}
	}
	other := document{whole.Route, sum(nil)}
	for _, c := range []struct {
		name     string
		snapshot string
		conforms any
		list     []document
		what     string
	}{
		{"good", head.Snapshot, true, []document{whole}, ""},
		{"another snapshot", "20200101-000000000000", true, []document{whole}, "is about snapshot 20200101"},
		{"violations", head.Snapshot, false, []document{whole}, "does not say that the documents conform"},
		{"no verdict", head.Snapshot, nil, []document{whole}, "does not say that the documents conform"},
		{"other bytes", head.Snapshot, true, []document{other}, "is about other bytes"},
		{"nothing judged", head.Snapshot, true, nil, "leaves out /s/"},
		{"no report", "", true, nil, "is no report"},
	} {
		body, err := json.Marshal(map[string]any{"snapshot": c.snapshot, "conforms": c.conforms, "documents": c.list})
		if err != nil {
			t.Fatal(err)
		}
		if c.name == "no report" {
			body = []byte("<html>")
		}
		if err := os.MkdirAll(filepath.Join(dir, "reports"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "reports", "dcat-ap-shacl.jsonld"), body, 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := check.Site(t.Context(), output.Dir(dir), nil, nil)
		if err != nil || c.what == "" && r.FaultCount > 0 || c.what != "" && !found(r, "/reports/dcat-ap-shacl.jsonld", c.what) {
			t.Errorf("%s: %v, %v, want %q", c.name, err, r.Faults, c.what)
		}
	}
}

// firstRoute is the first route with a beginning and an end.
func firstRoute(t *testing.T, dir, prefix, suffix string) string {
	t.Helper()
	for _, l := range routes(t, dir) {
		if rest, ok := strings.CutPrefix(l.Route, prefix); ok && strings.HasSuffix(rest, suffix) && !strings.Contains(rest, "/") && rest != "index.md" {
			return l.Route
		}
	}
	t.Fatalf("no route %s*%s", prefix, suffix)
	return ""
}

// diskPath is where a route lies on disk.
func diskPath(t *testing.T, dir, route string) string {
	t.Helper()
	for _, l := range routes(t, dir) {
		if l.Route == route {
			return artifact.Path(l.Route, l.Type)
		}
	}
	t.Fatalf("no route %s", route)
	return ""
}
