package submission

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct{ media, body, want string }{
		{"text/html", "<!DOCTYPE html><html>", "html"},
		{"text/html; charset=utf-8", "  <HTML>", "html"},
		{"application/json", `{"openapi":"3.1.0"}`, "openapi"},
		{"text/plain", "\xef\xbb\xbfswagger: '2.0'\ninfo:", "openapi"},
		{"application/yaml", "# a comment\nopenapi: 3.0.0", "openapi"},
		{"application/json", `{"conformsTo":"x","dataset":[]}`, "datajson"},
		{"application/json", `{"name":"a/b","remotes":[]}`, "server-json"},
		{"application/ld+json", `{"@context":{"dcat":"http://www.w3.org/ns/dcat#"},"@graph":[]}`, "dcat"},
		{"text/turtle", "@prefix dcat: <http://www.w3.org/ns/dcat#> .", "dcat"},
		{"application/rdf+xml", `<?xml version="1.0"?><rdf:RDF>`, "dcat"},
		{"application/xml", `<WMS_Capabilities version="1.3.0">`, "ogc"},
		{"application/json", `{"title":"Features","links":[]}`, "ogc"},
		{"text/csv", "a,b\n1,2", ""},
		{"application/json", `[{"a":1}]`, ""},
		{"application/json", `{"a":`, ""},
		{"", "", ""},
	} {
		if got := detect(&answer{media: mediaType(c.media), body: []byte(c.body), whole: true}); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.media, c.body, got, c.want)
		}
		if c.want != "" && c.want != "html" && harvest.Connectors()[c.want] == nil {
			t.Errorf("no connector reads %q", c.want)
		}
	}
}

func TestPageLeadsToItsDescription(t *testing.T) {
	p := readPage(&answer{url: "https://api.example/docs/", body: []byte(`<html lang="el"><head><title>Docs &amp; more</title>
		<meta property="og:description" content="All of it"><link rel="license" href="/licence">
		<link rel="alternate" type="text/turtle" href="catalog.ttl"><a href="/v1/openapi.json">spec</a><a href="https://elsewhere.example/openapi.json">theirs</a>
		<link rel="service-desc" href="../openapi.yaml"><a href="javascript:alert(1)">x</a></head>`)})
	if p.title != "Docs & more" || p.description != "All of it" || p.lang != "el" || p.licence != "https://api.example/licence" {
		t.Errorf("page %+v", p)
	}
	want := []described{{"openapi", "https://api.example/openapi.yaml"}, {"dcat", "https://api.example/docs/catalog.ttl"}, {"openapi", "https://api.example/v1/openapi.json"}}
	if len(p.described) != len(want) {
		t.Fatalf("described %+v", p.described)
	}
	for i := range want {
		if p.described[i] != want[i] {
			t.Errorf("described %d: %+v, want %+v", i, p.described[i], want[i])
		}
	}
}

// FuzzPage reads pages of any content: what becomes of them is a draft that the
// register can keep, without markup in its name.
func FuzzPage(f *testing.F) {
	f.Add([]byte(`<title>a</title>`))
	f.Add([]byte(`<script type="application/ld+json">{"@graph":[{"@type":"Dataset","name":["<b>x"],"distribution":{"contentUrl":"//h/x"}}]}</script>`))
	f.Add([]byte(`<link rel=service-desc href="http://[::1">`))
	f.Fuzz(func(t *testing.T, body []byte) {
		a := &answer{url: "https://data.example/page", media: "text/html", body: body, whole: true}
		detect(a)
		p := readPage(a)
		l := &look{in: source.Input{Name: a.url, Now: time.Unix(0, 0)}, submission: &catalog.Submission{URL: a.url}}
		d := l.fromPage(a, &p, catalog.TypeDataset)
		e := d.Entry
		for _, text := range []string{e.Name, e.Description, e.LicenseRaw, e.PublisherName} {
			if catalog.CheckText("text", text, catalog.DescriptionMax) != nil {
				t.Errorf("text %q", text)
			}
		}
		if e.Name == "" || strings.Contains(e.Name, "<script") {
			t.Errorf("name %q", e.Name)
		}
		if e.Dataset == nil {
			return
		}
		for _, file := range e.Dataset.Distributions {
			if catalog.CheckURL("url", file.AccessURL) != nil {
				t.Errorf("file %q", file.AccessURL)
			}
		}
	})
}
