package discovery

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
)

type linksetDocument struct {
	Linkset []map[string]json.RawMessage `json:"linkset"`
}

// checkLinkset holds a document to the JSON form of RFC 9264, section 4.2, and
// returns its anchors.
func checkLinkset(t testing.TB, body []byte) []string {
	t.Helper()
	var doc linksetDocument
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	var anchors []string
	for _, context := range doc.Linkset {
		for name, raw := range context {
			if name == "anchor" {
				var anchor string
				if err := json.Unmarshal(raw, &anchor); err != nil {
					t.Fatal(err)
				}
				anchors = append(anchors, checkURI(t, anchor))
				continue
			}
			var targets []struct{ Href, Type, Title string }
			if err := json.Unmarshal(raw, &targets); err != nil || len(targets) == 0 {
				t.Fatalf("%s: %v %s", name, err, raw)
			}
			for _, target := range targets {
				checkURI(t, target.Href)
			}
		}
	}
	if len(anchors) != len(doc.Linkset) {
		t.Errorf("%d contexts have %d anchors", len(doc.Linkset), len(anchors))
	}
	return anchors
}

var uriShape = regexp.MustCompile(`^https?://[!#-;=?-\[\]_a-z~]+$`)

func checkURI(t testing.TB, s string) string {
	t.Helper()
	if u, err := url.Parse(s); err != nil || u.Host == "" || !uriShape.MatchString(s) {
		t.Errorf("%q is no absolute URI: %v", s, err)
	}
	return s
}

func TestLinksetHoldsTheListedAPIs(t *testing.T) {
	docs := render(t, fixture(t))
	got := checkLinkset(t, docs["/api/v1/catalog/linkset"])
	if len(got) != 4 {
		t.Errorf("anchors %q", got)
	}
	for _, anchor := range got[1:] {
		if strings.HasPrefix(anchor, rendertest.Site.BaseURL) {
			t.Errorf("%s is our own", anchor)
		}
	}
	for _, anchor := range checkLinkset(t, docs["/.well-known/api-catalog"]) {
		if !strings.HasPrefix(anchor, rendertest.Site.BaseURL) {
			t.Errorf("the register claims to publish %s", anchor)
		}
	}
	empty := checkLinkset(t, render(t, &snapshot.Catalog{Site: site})["/api/v1/catalog/linkset"])
	if len(empty) != 1 {
		t.Errorf("an empty catalog has anchors %q", empty)
	}
}

func TestWebURL(t *testing.T) {
	for raw, want := range map[string]string{
		"https://münchen.example/οδός?q=ä#ü": "https://xn--mnchen-3ya.example/%CE%BF%CE%B4%CF%8C%CF%82?q=%C3%A4#%C3%BC",
		"https://a.example:8443/x":           "https://a.example:8443/x",
		"javascript:alert(1)":                "", "ftp://a.example/": "", "https://a b/": "", "": "", "https://": "", "https://user@a.example/": "",
	} {
		if got := webURL(raw); got != want {
			t.Errorf("%s became %s, want %s", raw, got, want)
		}
	}
}

// BenchmarkFragments is what a build spends on the links of one API.
func BenchmarkFragments(b *testing.B) {
	e := catalog.Entry{Type: catalog.TypeAPI, Status: catalog.StatusActive, Name: "Companies and their officers", DocsURL: "https://data.example/docs",
		API: &catalog.APIDetails{BaseURL: "https://data.example/api/", OpenAPIURL: "https://data.example/openapi.json"}}
	s := rendertest.Frame().Score(&catalog.Row{Entry: e}, "companies and their officers")
	b.ReportAllocs()
	for b.Loop() {
		fragments, err := Fragments(s)
		if err != nil {
			b.Fatal(err)
		}
		fragments[0].Free()
	}
}
