package dynamic

import (
	"net/http"
	"strings"
	"testing"

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
