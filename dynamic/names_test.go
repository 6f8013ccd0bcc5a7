package dynamic

import (
	"net/http"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/dynamic/sitetest"
)

// TestNamesWithoutRDF asks for the RDF of entries that have none.
func TestNamesWithoutRDF(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 3, BaseURL: "https://register.example/reg"})
	held, left := site.Catalog.Lines[0], &s.library.Current().Lines[1]
	left.LeftOut = "mcp_server_without_endpoint"
	put(t, s, site, map[string]string{"/id/" + held.ID + ".ttl": "{}", "/id/" + held.ID + ".jsonld": "{}"})
	for name, want := range map[string]struct {
		status int
		text   string
	}{
		left.ID:                                  {http.StatusNotFound, "DCAT-AP cannot hold this entry (mcp_server_without_endpoint); what the register knows of it is at /reg/api/v1/entries/" + left.ID},
		left.ID + ".ttl":                         {http.StatusNotFound, "DCAT-AP cannot hold"},
		left.Slug + ".jsonld":                    {http.StatusNotFound, "DCAT-AP cannot hold"},
		held.Slug:                                {http.StatusPermanentRedirect, "/reg/id/" + held.ID},
		held.Slug + ".ttl":                       {http.StatusPermanentRedirect, "/reg/id/" + held.ID + ".ttl"},
		sitetest.GoneID("gone-removed") + ".ttl": {http.StatusGone, "entry-removed"},
		"nobody":                                 {http.StatusNotFound, "No entry has this id."},
		"nobody.ttl":                             {http.StatusNotFound, "No entry has this id."},
	} {
		w := get(s, "GET", "/id/"+name)
		if got := w.Body.String() + w.Header().Get("Location"); w.Code != want.status || !strings.Contains(got, want.text) {
			t.Errorf("%s: %d %s, want %d with %q", name, w.Code, got, want.status, want.text)
		}
	}
	if link := get(s, "GET", "/api/v1/entries/"+left.ID).Header().Get("Link"); strings.Contains(link, "/id/") {
		t.Errorf("the page of an entry without RDF links to %s", link)
	}
}

// TestEntriesWithoutAForm: what is made of the answer about an entry, and cannot be made of this
// one, is refused with the reason; a former or a short name leads to the id.
func TestEntriesWithoutAForm(t *testing.T) {
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 3})
	s, err := New(Config{SiteDir: site.Dir, Derived: []documents.Derived{{Type: "application/json", Ext: "/records.json", None: "Only tables have records.",
		Make: func([]byte) ([]byte, error) { return nil, nil },
		From: func(route string) string {
			stem, ok := strings.CutSuffix(route, "/records.json")
			if id, entry := strings.CutPrefix(stem, "/id/"); ok && entry {
				return "/api/v1/entries/" + id
			}
			return ""
		}}}})
	if err != nil {
		t.Fatal(err)
	}
	l := site.Catalog.Lines[0]
	for name, want := range map[string]struct {
		status int
		text   string
	}{
		l.ID:                            {http.StatusNotFound, "The entry has no such document. Only tables have records. What the register knows of it is at /api/v1/entries/" + l.ID + "."},
		sitetest.GoneID("gone-removed"): {http.StatusGone, "entry-removed"},
		"nobody":                        {http.StatusNotFound, "No entry has this id."},
	} {
		if w := get(s, "GET", "/id/"+name+"/records.json"); w.Code != want.status || !strings.Contains(w.Body.String(), want.text) {
			t.Errorf("%s: %d %s, want %d with %q", name, w.Code, w.Body.String(), want.status, want.text)
		}
	}
}
