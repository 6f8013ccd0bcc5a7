package dcatus_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/dcat/dcatus"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

func rendered(t testing.TB, c *snapshot.Catalog) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := dcatus.Aggregates(c, func(f artifact.File) error {
		var b bytes.Buffer
		err := f.Stream(&b)
		out[f.Route] = b.Bytes()
		if have := artifact.TypeOf(artifact.Path(f.Route, f.Type)); have != f.Type {
			t.Errorf("%s is %s on disk and %s in the log", f.Route, have, f.Type)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// frozen is the catalog of the fixture with the streams of this package.
func frozen(t testing.TB, site snapshot.Site) *snapshot.Catalog {
	t.Helper()
	c := rendertest.Freeze(t, site, rendertest.At, rendertest.Rows())
	gathered := snapshot.Fragments{}
	for i, s := range rendertest.Scored() {
		s.Site = site
		fragments, err := dcatus.Fragments(s)
		if err != nil {
			t.Fatal(err)
		}
		gathered.Add(i, fragments)
	}
	c.Streams = gathered.Streams()
	return c
}

func TestDocuments(t *testing.T) {
	site := rendertest.Site
	site.Contact = "desk@register.example"
	files := rendered(t, frozen(t, site))
	for _, c := range []struct{ route, golden, schema string }{{wire.RouteDataJSON, "data.json", "testdata/rules-1.1.json"}, {wire.RouteDCATUS, "dcat-us-3.0.json", "testdata/rules-3.0.json"}} {
		body := files[c.route]
		var v any
		if err := json.Unmarshal(body, &v); err != nil {
			t.Fatalf("%s: %v", c.route, err)
		}
		var readable bytes.Buffer
		if err := json.Indent(&readable, body, "", " "); err != nil {
			t.Fatal(err)
		}
		rendertest.Golden(t, c.golden, readable.Bytes())
		if err := compiled(t, c.schema).Validate(v); err != nil {
			t.Errorf("%s: %v", c.route, err)
		}
	}
}

// The rules must find what they are there for.
func TestRulesFindFaults(t *testing.T) {
	for schema, faults := range map[string][]string{
		"testdata/rules-1.1.json": {`{"conformsTo":"https://project-open-data.cio.gov/v1.1/schema"}`, `{"conformsTo":"https://project-open-data.cio.gov/v1.1/schema","dataset":[{"title":"A"}]}`},
		"testdata/rules-3.0.json": {`{"dataset":[{"title":"A","description":"B","publisher":{"name":"P"},"identifier":{},"contactPoint":[{"fn":"P"}]}]}`, `{"dataset":[],"service":[{"title":"A"}]}`},
	} {
		for _, fault := range faults {
			var v any
			if err := json.Unmarshal([]byte(fault), &v); err != nil {
				t.Fatal(err)
			}
			if compiled(t, schema).Validate(v) == nil {
				t.Errorf("%s accepts %s", schema, fault)
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	c := rendertest.Freeze(t, rendertest.Site, rendertest.At, nil)
	for route, body := range rendered(t, c) {
		if !json.Valid(body) || !bytes.Contains(body, []byte(`"dataset":[]`)) {
			t.Errorf("%s: %s", route, body)
		}
	}
}

func compiled(t testing.TB, path string) *jsonschema.Resolved {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rules jsonschema.Schema
	if err := json.Unmarshal(body, &rules); err != nil {
		t.Fatal(err)
	}
	s, err := rules.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
