package openapidoc

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

func input(name, data string) source.Input {
	return source.Input{Name: name, Source: catalog.Source{ID: "s"},
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil }}
}

func one(t *testing.T, in source.Input) *source.Draft {
	t.Helper()
	o := sourcetest.Run(t, Connector{}, in)
	if len(o.Drafts) != 1 || len(o.Rejections) != 0 {
		t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	return &o.Drafts[0]
}

func row(d *source.Draft, field string) catalog.FieldRow {
	for _, r := range d.Rows {
		if r.Field == field {
			return r
		}
	}
	return catalog.FieldRow{}
}

func TestOpenAPI3(t *testing.T) {
	data, err := os.ReadFile("testdata/tides.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d := one(t, input("https://tides.example.gov.uk/openapi.yaml", string(data)))
	e := d.Entry
	if e.Name != "Tide times" || e.API.Version != "1.0" || e.API.SpecFormat != "openapi" || e.Description != "Times of high water.\n\nSee the guide." {
		t.Errorf("head of %+v, %+v", e, e.API)
	}
	if e.API.BaseURL != "https://tides.example.gov.uk/v1" || e.PrimarySourceURL != e.API.BaseURL || e.API.OpenAPIURL != "https://tides.example.gov.uk/openapi.yaml" ||
		e.DocsURL != "https://tides.example.gov.uk/docs" || e.API.TermsURL != "https://tides.example.gov.uk/terms" || e.LicenseRaw != "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/" {
		t.Errorf("addresses of %+v, %+v", e, e.API)
	}
	if e.AuthType != catalog.AuthAPIKey || !strings.Contains(row(d, "auth_type").Note, "OAUTH") || e.Contact.Email != "tides@tides.example.gov.uk" {
		t.Errorf("auth %s, contact %v", e.AuthType, e.Contact)
	}
	want := []catalog.Endpoint{{Method: "GET", Path: "/ports", Summary: "List ports"}, {Method: "POST", Path: "/ports", Summary: "Add a port."},
		{Method: "GET", Path: "/ports/{id}"}}
	if !reflect.DeepEqual(e.API.Endpoints, want) || e.API.EndpointsCount != 3 {
		t.Errorf("endpoints %+v", e.API.Endpoints)
	}
	if !slices.Equal(e.Formats, []string{"CSV", "JSON"}) || !slices.Equal(e.Tags, []string{"ports", "tides"}) {
		t.Errorf("formats %q, tags %q", e.Formats, e.Tags)
	}
	for _, f := range []string{"name", "description", "api.version", "api.base_url", "api.openapi_url", "api.endpoints", "auth_type", "license_raw", "tags", "formats", "contact"} {
		if r := row(d, f); r.Basis == "" || r.SourceURL == "" || r.ObservedAt.IsZero() {
			t.Errorf("row of %s: %+v", f, r)
		}
	}
	if r := row(d, "name"); r.UpstreamField != "info.title" {
		t.Errorf("path of the name: %q", r.UpstreamField)
	}
}

func TestSwagger2(t *testing.T) {
	d := one(t, input("x.json", `{"swagger":"2.0","info":{"title":"Old","version":"v1","license":{"name":""}},"host":"old.example.gov.uk","basePath":"/a/",
		"schemes":["http","https"],"produces":["text/xml"],"securityDefinitions":{"b":{"type":"basic"}},"security":[{"b":[]}],
		"paths":{"/x":{"get":{"tags":["One"],"responses":{}},"parameters":[]}}}`))
	e := d.Entry
	if e.API.BaseURL != "https://old.example.gov.uk/a" || e.API.SpecFormat != "swagger" || e.AuthType != catalog.AuthBasic || e.LicenseRaw != "" ||
		row(d, "license_raw").Basis != "" || !slices.Equal(e.Formats, []string{"XML"}) || e.API.EndpointsCount != 1 || e.Tags[0] != "one" {
		t.Errorf("%+v %+v", e, e.API)
	}
}

// TestServers covers what documents write for an address.
func TestServers(t *testing.T) {
	const head = `"info":{"title":"T","version":"1"},"externalDocs":{"url":"https://docs.example.gov.uk/"},"paths":{}`
	const live = "https://api.example.gov.uk/spec/openapi.json"
	for _, c := range []struct{ name, at, doc, base, note string }{
		{"relative, place known", live, `"openapi":"3.0.1","servers":[{"url":"/v2"}]`, "https://api.example.gov.uk/v2", ""},
		{"relative without a slash", live, `"openapi":"3.0.1","servers":[{"url":"v2"}]`, "https://api.example.gov.uk/spec/v2", ""},
		{"relative, place unknown", "x.json", `"openapi":"3.0.1","servers":[{"url":"/v2"}]`, "", "absolute"},
		{"relative in a code repository", "https://raw.githubusercontent.com/o/r/main/a.json", `"openapi":"3.0.1","servers":[{"url":"/v2"}]`, "", "absolute"},
		{"template", "x.json", `"openapi":"3.0.1","servers":[{"url":"{s}://{h}/api","variables":{"s":{"default":"https"},"h":{"default":"a.example.gov.uk"}}}]`, "https://a.example.gov.uk/api", ""},
		{"template without defaults", "x.json", `"openapi":"3.0.1","servers":[{"url":"{s}://{h}/api"}]`, "", "default"},
		{"localhost", "x.json", `"openapi":"3.0.1","servers":[{"url":"http://localhost:7009/api"},{"url":"http://inner:80/"}]`, "", "public internet"},
		{"localhost first", "x.json", `"openapi":"3.0.1","servers":[{"url":"http://localhost/"},{"url":"https://a.example.gov.uk"}]`, "https://a.example.gov.uk", ""},
		{"secure before plain", "x.json", `"openapi":"3.0.1","servers":[{"url":"http://a.example.gov.uk/x"},{"url":"https://b.example.gov.uk/x"},{"url":"https://a.example.gov.uk/x/"}]`, "https://a.example.gov.uk/x/", ""},
		{"no server, place known", live, `"openapi":"3.0.1"`, "https://api.example.gov.uk/", ""},
		{"no server, place unknown", "x.json", `"openapi":"3.0.1"`, "", ""},
		{"swagger without host, place unknown", "x.json", `"swagger":"2.0","basePath":"/r2p/v1"`, "", "absolute"},
		{"swagger without host, place known", live, `"swagger":"2.0","basePath":"/r2p/v1"`, "https://api.example.gov.uk/r2p/v1", ""},
		{"swagger with a scheme in the host", "x.json", `"swagger":"2.0","host":"http://a.example.gov.uk","basePath":"b"`, "http://a.example.gov.uk/b", ""},
		{"swagger of a web socket", "x.json", `"swagger":"2.0","host":"a.example.gov.uk","schemes":["wss"]`, "", "http"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := one(t, input(c.at, "{"+c.doc+","+head+"}"))
			if got := d.Entry.API.BaseURL; got != c.base {
				t.Errorf("base %q, want %q", got, c.base)
			}
			r := row(d, "api.base_url")
			if c.note != "" && (r.Basis != catalog.BasisNotDelivered || !strings.Contains(r.Note, c.note)) {
				t.Errorf("row %+v", r)
			}
			if d.Entry.PrimarySourceURL == "" {
				t.Error("no primary address")
			}
		})
	}
	in := input("x.json", `{"openapi":"3.0.1","servers":[{"url":"http://localhost:7009/api"}],`+head+"}")
	in.AllowPrivate = true
	if d := one(t, in); d.Entry.API.BaseURL != "http://localhost:7009/api" {
		t.Errorf("private addresses allowed: %q", d.Entry.API.BaseURL)
	}
	in = input("x.json", `{"openapi":"3.0.1","servers":[{"url":"/v2"}],`+head+"}")
	in.Source.Filters = map[string]string{FilterBase: live}
	if d := one(t, in); d.Entry.API.BaseURL != "https://api.example.gov.uk/v2" || d.Entry.API.OpenAPIURL != live {
		t.Errorf("base by filter: %+v", d.Entry.API)
	}
}

func TestAuthentication(t *testing.T) {
	for _, c := range []struct {
		doc  string
		want catalog.AuthType
		free catalog.FreeAccessClass
	}{
		{`"security":[{"k":[]}]`, catalog.AuthAPIKey, ""},
		{`"security":[{"o":[]}]`, catalog.AuthOAuth, ""},
		{`"security":[{"h":[]}]`, catalog.AuthBearer, ""},
		{`"security":[{"d":[]}]`, catalog.AuthCustom, ""},
		{`"security":[]`, catalog.AuthNone, catalog.AccessFreeNoAuth},
		{`"security":[{},{"k":[]}]`, catalog.AuthNone, catalog.AccessFreeNoAuth},
		{`"paths":{"/a":{"get":{"security":[{"k":[]}]}}}`, catalog.AuthAPIKey, ""},
		{`"paths":{"/a":{"get":{"security":[]}}}`, catalog.AuthUnknown, ""},
		{`"x":1`, catalog.AuthUnknown, ""},
		{`"security":[{"gone":[]}]`, catalog.AuthUnknown, ""},
	} {
		d := one(t, input("x.json", `{"openapi":"3.1.0","info":{"title":"T"},"servers":[{"url":"https://a.example.gov.uk"}],"components":{"securitySchemes":{
			"k":{"type":"apiKey"},"o":{"type":"oauth2"},"h":{"type":"http","scheme":"Bearer"},"d":{"type":"mutualTLS"}}},`+c.doc+"}"))
		if d.Entry.AuthType != c.want || d.Entry.FreeAccessClass != c.free {
			t.Errorf("%s: %s, %s", c.doc, d.Entry.AuthType, d.Entry.FreeAccessClass)
		}
	}
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		name, file, in, place string
		code                  source.Code
	}{
		{"trailing comma", "g.json", "{\n \"openapi\": \"3.0.0\",\n \"a\": [1,\n ],\n}", "g.json:4", CodeSyntax},
		{"indentation", "g.yaml", "openapi: 3.0.0\ninfo:\n  title: T\n version: 1\n", "g.yaml:3", CodeSyntax},
		{"two documents", "g.json", "{\"openapi\":\"3.0.0\"}\n{}", "g.json:2", CodeSyntax},
		{"cut off", "g.json", "{\"openapi\":\n", "g.json:2", CodeSyntax},
		{"empty", "g.yaml", "", "g.yaml", CodeNotOpenAPI},
		{"a list", "g.json", "[{}]", "g.json", CodeNotOpenAPI},
		{"old swagger", "g.json", `{"swagger":"1.2"}`, "g.json", CodeNotOpenAPI},
		{"text", "g.yml", "hello", "g.yml", CodeNotOpenAPI},
		{"no title", "g.json", `{"openapi":"3.0.0","info":{"title":" "},"servers":[{"url":"https://a.example.gov.uk"}]}`, "g.json", source.CodeMissingName},
		{"no address", "g.json", `{"openapi":"3.0.0","info":{"title":"T"}}`, "g.json", source.CodeMissingURL},
		{"unusable address", "g.json", `{"openapi":"3.0.0","info":{"title":"T"},"servers":[{"url":"http://localhost"}]}`, "g.json", source.CodeBadURL},
		{"too deep", "g.json", strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300), "g.json", CodeSyntax},
		{"too deep YAML", "g.yaml", "a: " + strings.Repeat("[", 300) + strings.Repeat("]", 300), "g.yaml", CodeSyntax},
		{"YAML bomb", "g.yaml", "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n" +
			"e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n", "g.yaml", CodeSyntax},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := sourcetest.Run(t, Connector{}, input(c.file, c.in))
			if len(o.Drafts) != 0 || len(o.Rejections) != 1 {
				t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
			}
			if r := o.Rejections[0]; r.Code != c.code || r.Place != c.place || r.Remedy == "" || r.UpstreamRef == "" {
				t.Errorf("%+v", r)
			}
		})
	}
	in := input("big.json", strings.Repeat(" ", 2000))
	in.Limits.Record = 1000
	if o := sourcetest.Run(t, Connector{}, in); o.Codes()[source.CodeRecordTooLarge] != 1 {
		t.Errorf("a large document: %v", o.Rejections)
	}
}

// YAML has scalars that are not text, anchors and merge keys.
func TestYAML(t *testing.T) {
	d := one(t, input("x.yaml", "swagger: 2.0\ninfo: &i\n  title: Yes\n  version: 1.10\nhost: a.example.gov.uk\nschemes: [https]\nsecurity: []\n"+
		"x: &p\n  get: {responses: {200: {description: d}}}\npaths:\n  /a:\n    <<: *p\n  /b: *p\n"))
	if e := d.Entry; e.Name != "Yes" || e.API.Version != "1.10" || e.API.EndpointsCount != 2 || e.AuthType != catalog.AuthNone {
		t.Errorf("%+v %+v", e, e.API)
	}
}

func TestManyEndpoints(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(`{"openapi":"3.0.0","info":{"title":"T"},"servers":[{"url":"https://a.example.gov.uk"}],"paths":{"/0":{}`)
	for i := range endpointsKept + 7 {
		b.WriteString(`,"/` + strings.Repeat("a", i+1) + `":{"get":{}}`)
	}
	b.WriteString("}}")
	d := one(t, input("x.json", b.String()))
	if a := d.Entry.API; len(a.Endpoints) != endpointsKept || a.EndpointsCount != endpointsKept+7 || row(d, "api.endpoints").Note == "" {
		t.Errorf("%d kept of %d", len(a.Endpoints), a.EndpointsCount)
	}
}

// One API in two versions or two syntaxes has one match key.
func TestOneAPI(t *testing.T) {
	const v3 = `{"openapi":"3.0.0","info":{"title":"News API"},"servers":[{"url":"http://www.news.example.gov.uk/"},{"url":"https://www.news.example.gov.uk/"}]}`
	in := source.Input{Name: "specs", Source: catalog.Source{ID: "s"}, Files: fstest.MapFS{
		"a/v3.json": {Data: []byte(v3)}, "b.yaml": {Data: []byte("openapi: 3.0.0\ninfo: {title: News  API}\nservers: [{url: 'https://news.example.gov.uk'}]\n")},
		"a/v2.json": {Data: []byte(`{"swagger":"2.0","info":{"title":"NEWS API"},"host":"news.example.gov.uk","basePath":"/"}`)},
		"c/read.me": {Data: []byte("x")}, "broken.json": {Data: []byte("{")}}}
	o := sourcetest.Run(t, Connector{}, in)
	if len(o.Drafts) != 3 || len(o.Rejections) != 1 {
		t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	keys := map[string]bool{}
	for i := range o.Drafts {
		identity.Keys(&o.Drafts[i].Entry)
		keys[o.Drafts[i].Entry.MatchKey] = true
	}
	if len(keys) != 1 {
		t.Errorf("match keys %v", slices.Collect(maps.Keys(keys)))
	}
	for _, d := range o.Drafts {
		if list := d.Entry.Members; len(list) != 3 || list[0].Name != "a/v2.json" || list[2].Formats[0] != "YAML" {
			t.Errorf("members %+v", list)
		}
	}
	if got := o.Drafts[0].Entry.UpstreamRef; got != "openapi.local:openapi:a/v2.json" {
		t.Errorf("ref %q", got)
	}
}

func TestRealDocuments(t *testing.T) {
	dir := sourcetest.Shared(t, "data/openapi")
	files := 0
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	o := sourcetest.Run(t, Connector{}, source.Input{Name: "openapi", Files: os.DirFS(dir), Source: catalog.Source{ID: "s"}})
	t.Logf("%d documents: %d drafts, %v", files, len(o.Drafts), o.Codes())
	if len(o.Drafts)+len(o.Rejections) != files {
		t.Errorf("%d documents in, %d drafts and %d rejections out", files, len(o.Drafts), len(o.Rejections))
	}
	for _, r := range o.Rejections {
		if strings.Contains(r.Place, "geocoder") && (r.Code != CodeSyntax || !strings.HasSuffix(r.Place, ":108")) {
			t.Errorf("trailing comma: %+v", r)
		}
	}
	key := map[string]string{}
	for i := range o.Drafts {
		e := &o.Drafts[i].Entry
		identity.Keys(e)
		key[filepath.Base(o.Drafts[i].Place)] = e.MatchKey
		if e.PublisherName != "" || o.Drafts[i].PublisherKey != "" {
			t.Errorf("%s has a publisher", e.Name)
		}
	}
	for _, pair := range [][2]string{{"bclaws__bclaws.json", "bclaws__bclaws_2.json"}, {"news__news-oas2.json", "news__news-oas3.yaml"},
		{"gwells__gwells.json", "gwells__gwells.yaml"}, {"open511__open511.json", "open511__open511_OAS3.json"},
		{"jobposting__jobposting.json", "jobposting__jobposting_swagger_2.json"}, {"mpcm__mpcm.json", "mpcm__mpcm.yaml"}} {
		if a, b := key[pair[0]], key[pair[1]]; a != b || a == "" {
			t.Errorf("%v: %q and %q", pair, a, b)
		}
	}
}

// The front page of a portal list is YAML that nobody can read, and no OpenAPI.
func TestRealBrokenYAML(t *testing.T) {
	dir := sourcetest.Shared(t, "data/portals")
	o := sourcetest.Run(t, Connector{}, source.Input{Name: "portals", Files: os.DirFS(dir), Source: catalog.Source{ID: "s"}})
	t.Logf("%d drafts, %v", len(o.Drafts), o.Rejections)
	for _, r := range o.Rejections {
		if strings.Contains(r.Place, "18f_individual_apis.yml") && r.Code == CodeSyntax {
			return
		}
	}
	t.Errorf("%v", o.Rejections)
}

func FuzzOpenAPI(f *testing.F) {
	data, err := os.ReadFile("testdata/tides.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"swagger":"2.0","info":{"title":"T"},"host":"a.example.gov.uk","paths":{"/x":{"get":{"responses":{"200":{"$ref":"#/components/responses/x"}}}}}}`))
	f.Add([]byte("a: &a [*a]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		o := sourcetest.Run(t, Connector{}, input("x", string(data)))
		if len(o.Drafts)+len(o.Rejections) != 1 {
			t.Fatalf("%d drafts, %d rejections", len(o.Drafts), len(o.Rejections))
		}
		for _, d := range o.Drafts {
			e := d.Entry
			if e.Name == "" || d.Repaired > d.Delivered || len(e.API.Endpoints) > e.API.EndpointsCount {
				t.Fatalf("draft %+v", d)
			}
			if err := catalog.CheckURL("primary_source_url", e.PrimarySourceURL); err != nil {
				t.Fatal(err)
			}
		}
	})
}
