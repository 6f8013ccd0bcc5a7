package openapidoc

import (
	"archive/zip"
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// Both syntaxes give one tree; scalars keep the text of the author.
func TestParse(t *testing.T) {
	want := map[string]any{"a": "1.10", "b": true, "c": nil, "d": []any{"x", "2"}, "e": map[string]any{"200": "ok"}}
	for name, doc := range map[string]string{
		"JSON":      `{"a":1.10,"b":true,"c":null,"d":["x",2],"e":{"200":"ok"}}`,
		"YAML":      "a: 1.10\nb: true\nc:\nd: [x, 2]\ne: {200: ok}\n",
		"YAML flow": "--- {a: 1.10, b: true, c: ~, d: [x, 2], e: {200: ok}}",
		"anchors":   "a: 1.10\nb: true\nc: null\nd: [x, 2]\nbase: &base {200: ok}\ne: *base\n",
		"merge":     "a: 1.10\nb: true\nc: null\nd: [x, 2]\nbase: &base {200: ok}\ne: {<<: *base}\n",
		"override":  "a: 1.10\nb: true\nc: null\nd: [x, 2]\nbase: &base {200: no}\ne: {<<: *base, 200: ok}\n",
	} {
		got, err := parse([]byte(doc))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m := object(got)
		delete(m, "base")
		if !reflect.DeepEqual(m, want) {
			t.Errorf("%s: %#v", name, m)
		}
	}
}

func TestParseFaults(t *testing.T) {
	for doc, want := range map[string]error{
		"a: &a [*a]":    ErrTooDeep,
		"a: &a {b: *a}": ErrTooDeep,
		"[" + strings.Repeat("1,", maxNodes) + "1]": errTooLarge,
	} {
		if _, err := parse([]byte(doc)); !errors.Is(err, want) {
			t.Errorf("%.20s: %v, want %v", doc, err, want)
		}
	}
	for doc, line := range map[string]int{"{\n\n\"a\" 1}": 3, "{}\n\n}": 3, "{\"a\":\n": 2, "a: 1\nb: [\n": 2} {
		var s *syntaxError
		if _, err := parse([]byte(doc)); !errors.As(err, &s) || s.line != line {
			t.Errorf("%q: %v", doc, err)
		}
	}
}

func TestPaths(t *testing.T) {
	v := map[string]any{"a": map[string]any{"b": []any{"x"}, "c": "y", "d": true}}
	if object(v, "a", "none", "deeper") != nil || object("text", "a") != nil || len(list(v, "a", "b")) != 1 || list(v, "a", "c") != nil ||
		text(v, "a", "c") != "y" || text(v, "a", "d") != "true" || text(v, "a", "b") != "" || text("z") != "z" || text(nil) != "" {
		t.Error("a path leads elsewhere")
	}
}

// TestArchive reads a folder that was packed into one file, under an address.
func TestArchive(t *testing.T) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name, doc := range map[string]string{"specs/a.json": `{"openapi":"3.0.0","info":{"title":"A"},"servers":[{"url":"../v1"}]}`, "specs/readme.md": "x"} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(doc)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	in := input("Specs.ZIP", packed.String())
	in.Files = fstest.MapFS{"Specs.ZIP": {}}
	in.Source.Filters = map[string]string{FilterBase: "https://a.example.gov.uk/docs/"}
	d := one(t, in)
	if e := d.Entry; e.API.OpenAPIURL != "https://a.example.gov.uk/docs/specs/a.json" || e.API.BaseURL != "https://a.example.gov.uk/docs/v1" ||
		e.SourceSeedURL != e.API.OpenAPIURL || e.UpstreamRef != "openapi.local:openapi:specs/a.json" {
		t.Errorf("%+v %+v", e, e.API)
	}
	in = input("specs.zip", "PK\x03\x04 broken")
	if err := (Connector{}).Run(t.Context(), in, func(source.Draft) error { return nil }, func(source.Rejection) error { return nil }); err == nil {
		t.Error("a broken archive is no error")
	}
}

// TestSingle: a document alone is known by its address, else by its name.
func TestSingle(t *testing.T) {
	const doc = `{"openapi":"3.0.0","info":{"title":"A"},"servers":[{"url":"https://a.example.gov.uk"}]}`
	for name, want := range map[string]string{"/tmp/spec.json": "openapi.local:openapi:spec.json", "https://www.a.example.gov.uk/spec.json": "openapi.local:openapi:a.example.gov.uk/spec.json"} {
		if got := one(t, input(name, doc)).Entry.UpstreamRef; got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	in := input("x.json", "\xef\xbb\xbf"+doc)
	in.Source = catalog.Source{ID: "s", URL: "https://portal.example.gov.uk/list"}
	if e := one(t, in).Entry; e.UpstreamRef != "portal.example.gov.uk:openapi:x.json" || e.SourceSeedURL != "https://portal.example.gov.uk/list" {
		t.Errorf("%+v", e)
	}
}

func TestLicence(t *testing.T) {
	for doc, want := range map[string]string{
		`{"name":""}`: "", `{}`: "", `{"name":"OGL"}`: "OGL", `{"name":"OGL","url":"https://a.gov/ogl"}`: "https://a.gov/ogl",
		`{"name":"OGL","url":"see the site"}`: "OGL", `{"name":"OGL","identifier":"OGL-UK-3.0","url":"https://a.gov/ogl"}`: "OGL-UK-3.0", `{"name":7}`: "7", `"x"`: "",
	} {
		d := one(t, input("x.json", `{"openapi":"3.1.0","info":{"title":"A","license":`+doc+`},"servers":[{"url":"https://a.example.gov.uk"}]}`))
		if got := d.Entry.LicenseRaw; got != want {
			t.Errorf("%s: %q", doc, got)
		}
	}
}

func TestContact(t *testing.T) {
	for doc, want := range map[string]string{
		`{"email":"api@a.example.gov.uk","url":"https://a.example.gov.uk/help"}`:      "api@a.example.gov.uk",
		`{"email":"jane.doe@a.example.gov.uk","url":"https://a.example.gov.uk/help"}`: "https://a.example.gov.uk/help",
		`{"name":"Jane Doe","email":"jane.doe@a.example.gov.uk"}`:                     "",
	} {
		d := one(t, input("x.json", `{"openapi":"3.1.0","info":{"title":"A","contact":`+doc+`},"servers":[{"url":"https://a.example.gov.uk"}]}`))
		got := ""
		if c := d.Entry.Contact; c != nil {
			got = c.Email + c.URL
			if c.Name != "" {
				t.Errorf("%s: a name was kept", doc)
			}
		}
		if got != want {
			t.Errorf("%s: %q", doc, got)
		}
	}
}
