package dynamic

import (
	"net/http"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/dynamic/sitetest"
)

func TestFormsAreNegotiated(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 3})
	id := site.Catalog.Lines[0].ID
	put(t, s, site, map[string]string{"/id/" + id + ".ttl": "<a> <b> <c> .\n", "/id/" + id + ".jsonld": `{"@id":"a"}`})
	for _, c := range []struct{ accept, want string }{
		{"", "text/turtle"}, {"*/*", "text/turtle"}, {"text/turtle", "text/turtle"}, {"application/ld+json", "application/ld+json"},
		{"application/ld+json, text/turtle;q=0.5", "application/ld+json"}, {"text/turtle;q=0.5, application/*", "application/ld+json"},
		{"text/html", "text/turtle"}, {"text/turtle;q=0, */*", "application/ld+json"}, {"APPLICATION/LD+JSON;Q=1", "application/ld+json"},
		{"text/turtle;q=abc", "text/turtle"}, {";;,,", "text/turtle"},
	} {
		w := get(s, http.MethodGet, "/id/"+id, "Accept", c.accept)
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), c.want) {
			t.Errorf("%q: status %d, %s, want %s", c.accept, w.Code, w.Header().Get("Content-Type"), c.want)
		}
		if vary := w.Header().Get("Vary"); !strings.Contains(vary, "Accept,") && vary != "Accept" {
			t.Errorf("%q: Vary is %q", c.accept, vary)
		}
		if where := w.Header().Get("Content-Location"); !strings.HasPrefix(where, "/id/"+id+".") {
			t.Errorf("%q: Content-Location is %q", c.accept, where)
		}
	}
	if w := get(s, http.MethodGet, "/id/nothing", "Accept", "text/turtle"); w.Code != http.StatusNotFound {
		t.Errorf("status %d for an unknown name", w.Code)
	}
	link := get(s, http.MethodGet, "/api/v1/entries/"+id).Header().Get("Link")
	if !strings.Contains(link, `</id/`+id+`.ttl>; rel="alternate"; type="text/turtle"`) || !strings.Contains(link, `application/ld+json`) {
		t.Errorf("Link of the entry's page is %q", link)
	}
}

// TestDerivedDocuments are made of those that a file has: with their own type, validator
// and place among the forms.
func TestDerivedDocuments(t *testing.T) {
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 3})
	from := func(route string) string {
		stem, ok := strings.CutSuffix(route, ".rdf")
		if !ok {
			return ""
		}
		return stem + ".jsonld"
	}
	s, err := New(Config{SiteDir: site.Dir, Derived: []documents.Derived{{Type: "application/rdf+xml", From: from,
		Make: func(b []byte) ([]byte, error) { return append([]byte("made of "), b...), nil }}}})
	if err != nil {
		t.Fatal(err)
	}
	id := site.Catalog.Lines[0].ID
	put(t, s, site, map[string]string{"/id/" + id + ".ttl": "<a> <b> <c> .\n", "/id/" + id + ".jsonld": `{"@id":"a"}`})
	w := get(s, http.MethodGet, "/id/"+id+".rdf")
	if w.Code != 200 || w.Body.String() != `made of {"@id":"a"}` || w.Header().Get("Content-Type") != "application/rdf+xml" {
		t.Errorf("%d %s %v", w.Code, w.Body, w.Header())
	}
	if again := get(s, http.MethodGet, "/id/"+id+".rdf", "If-None-Match", w.Header().Get("ETag")); again.Code != 304 {
		t.Errorf("with its validator: %d", again.Code)
	}
	if n := get(s, http.MethodGet, "/id/"+id, "Accept", "application/rdf+xml"); !strings.HasPrefix(n.Body.String(), "made of") {
		t.Errorf("negotiated: %d %s", n.Code, n.Body)
	}
	if n := get(s, http.MethodGet, "/id/nothing.rdf"); n.Code != 404 {
		t.Errorf("of nothing: %d", n.Code)
	}
	put(t, s, site, map[string]string{"/id/" + id + ".jsonld": "changed"})
	if n := get(s, http.MethodGet, "/id/"+id+".rdf"); n.Body.String() != "made of changed" {
		t.Errorf("after its source changed: %s", n.Body)
	}
}
