package discovery

import (
	"bytes"
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translog"
)

// stream collects the fragments of entries as a build does.
func stream(t testing.TB, entries []*snapshot.Scored) *snapshot.Stream {
	t.Helper()
	gathered := snapshot.Fragments{}
	for i, s := range entries {
		fragments, err := Fragments(s)
		if err != nil {
			t.Fatal(err)
		}
		gathered.Add(i, fragments)
	}
	return gathered.Stream(linksetStream)
}

// render returns the documents of a catalog by route, without the interface
// description, which has tests of its own.
func render(t testing.TB, c *snapshot.Catalog) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, renderer := range renderers() {
		files, err := renderer(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			body := f.Body
			if f.Stream != nil {
				var b bytes.Buffer
				if err := f.Stream(&b); err != nil {
					t.Fatal(err)
				}
				body = b.Bytes()
			}
			if out[f.Route] != nil {
				t.Errorf("%s stands twice", f.Route)
			}
			out[f.Route] = body
		}
	}
	return out
}

func fixture(t testing.TB) *snapshot.Catalog {
	c := rendertest.Catalog(t)
	c.Streams = map[string]*snapshot.Stream{linksetStream: stream(t, rendertest.Scored())}
	return c
}

// The id of the snapshot, a hash of every page, is no matter of these
// documents.
func TestDocumentsAreGolden(t *testing.T) {
	c := fixture(t)
	for route, body := range render(t, c) {
		if route == "/llms-full.txt" { // the guides change often; TestLLMsFull
			continue
		}
		body = bytes.ReplaceAll(body, []byte(c.ID), []byte("20261121-000000000000"))
		name := path.Base(route)
		if path.Ext(name) == "" {
			name += ".json"
		}
		rendertest.Golden(t, name, body)
	}
}

func TestEqualSnapshotsGiveEqualDocuments(t *testing.T) {
	a, b := render(t, fixture(t)), render(t, fixture(t))
	for route := range a {
		if !bytes.Equal(a[route], b[route]) {
			t.Errorf("%s differs", route)
		}
	}
}

// TestJSONIsJavaScripts: JSON.stringify would write the same (decisions §3).
func TestJSONIsJavaScripts(t *testing.T) {
	for route, body := range render(t, fixture(t)) {
		if !json.Valid(body) {
			continue
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, body); err != nil || compact.Len() != len(body) || bytes.Contains(body, []byte(`\u003c`)) {
			t.Errorf("%s is not compact: %v", route, err)
		}
	}
}

// TestLLMsIsWhatTheConventionAsks: one H1, then a summary, then H2 sections
// of nothing but links, and short.
func TestLLMsIsWhatTheConventionAsks(t *testing.T) {
	body := string(render(t, fixture(t))["/llms.txt"])
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	if !strings.HasPrefix(lines[0], "# ") || lines[1] != "" || !strings.HasPrefix(lines[2], "> ") || strings.Count(body, "\n# ") > 0 {
		t.Errorf("beginning %q", lines[:3])
	}
	link := regexp.MustCompile(`^- \[[^\]]+\]\(https://register\.example[^)\s]*\): \S.*$`)
	links, inSection := 0, false
	for _, line := range lines {
		inSection = inSection || strings.HasPrefix(line, "## ")
		if !inSection || line == "" || strings.HasPrefix(line, "## ") {
			continue
		}
		links++
		if !link.MatchString(line) {
			t.Errorf("%q is no link", line)
		}
	}
	if links < 8 || len(body) > 16_000 {
		t.Errorf("%d links, %d bytes", links, len(body))
	}
}

func TestDataPackageListsWhatIsBuilt(t *testing.T) {
	var p struct {
		Resources []struct{ Name, Path string }
	}
	if err := json.Unmarshal(render(t, fixture(t))["/datapackage.json"], &p); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, r := range p.Resources {
		if names[r.Name] || !regexp.MustCompile(`^[a-z][a-z0-9-]*$`).MatchString(r.Name) || !offered(strings.TrimPrefix(r.Path, rendertest.Site.BaseURL)) {
			t.Errorf("resource %+v", r)
		}
		names[r.Name] = true
	}
	if !names["tombstones"] {
		t.Errorf("resources %v", names)
	}
	if len(exportFields) != 17 {
		t.Errorf("%d columns", len(exportFields))
	}
}

// logKey is a public key as a register shows it.
const logKey = "register.example/log+acf9923b+AfCJi9Gu52oDXvP2MpyV9eGVcg0UvnqOIsHa02p982l/\n"

// FuzzDocuments gives names, addresses and settings of any kind and reads every
// document back.
func FuzzDocuments(f *testing.F) {
	f.Add(rendertest.Hostile, "https://a.example/?q='x'&y=(1)", "Register", "CC0-1.0")
	f.Add("\xed\xa0\x80\u2028", "https://δ.example/\u202e<", "# \"x\"\n</loc>]]>", "a/b c")
	frame := rendertest.Frame()
	f.Fuzz(func(t *testing.T, name, link, siteName, license string) {
		row := &catalog.Row{Entry: catalog.Entry{ID: catalog.NewID("entry", "x"), Slug: "x", Name: name, Type: catalog.TypeAPI, Status: catalog.StatusActive,
			DocsURL: link, PublishedAt: rendertest.At, API: &catalog.APIDetails{BaseURL: link, OpenAPIURL: link, TermsURL: link}}}
		s := frame.Score(row, "x")
		c := &snapshot.Catalog{Site: snapshot.Site{BaseURL: "https://register.example", Name: siteName, License: license, LogKeys: logKey},
			Lines: []snapshot.Line{snapshot.NewLine(s, "x")}, Streams: map[string]*snapshot.Stream{linksetStream: stream(t, []*snapshot.Scored{s})}}
		for route, body := range render(t, c) {
			switch {
			case strings.HasSuffix(route, ".xml"):
				checkSitemap(t, body)
			case strings.HasSuffix(route, ".txt") && strings.HasPrefix(route, "/.well-known/"):
				if list, err := translog.Verifiers(string(body)); err != nil || len(list) != 1 {
					t.Errorf("%s has %d keys, %v: %s", route, len(list), err, body)
				}
			case strings.HasPrefix(route, "/.well-known/"), strings.HasSuffix(route, "linkset"):
				checkLinkset(t, body)
			case strings.HasSuffix(route, ".json") && !json.Valid(body):
				t.Errorf("%s is no JSON: %s", route, body)
			case route == "/llms.txt" && strings.Count(string(body), "\n# ") > 0:
				t.Errorf("a second title: %s", body)
			}
		}
	})
}

// TestLLMsFull: the guides follow the list, with addresses that work from anywhere.
func TestLLMsFull(t *testing.T) {
	c := &snapshot.Catalog{Site: snapshot.Site{BaseURL: "https://data.example.org/sub", Name: "Register"}}
	all := render(t, c)
	text, list := string(all["/llms-full.txt"]), string(all["/llms.txt"])
	if !strings.HasPrefix(text, list) || len(text) < 50_000 {
		t.Fatalf("%d bytes", len(text))
	}
	code, titles := false, 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if !code && strings.HasPrefix(line, "# ") {
			titles++
		}
	}
	for _, want := range []string{"\n### Fetch only what changed\n", "curl 'https://data.example.org/sub/api/v1/oai?", "](https://data.example.org/sub/docs/"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if wrong := regexp.MustCompile(`\]\(([^h#][^)]*)\)|<!--|https://register\.example`).FindString(text); wrong != "" || titles != 1 || code {
		t.Errorf("%q, %d titles, in code %v", wrong, titles, code)
	}
}
