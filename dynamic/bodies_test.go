package dynamic

import (
	"net/http"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/catalog"
)

// TestMergedBodies: the pages of an institution that turned out to be another one
// lead there, by id and by key; those of nobody are not found.
func TestMergedBodies(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 12})
	heir := catalog.NewID("institution", "0")
	if site.Catalog.Institutions[heir] == nil {
		t.Fatal("the site lacks the institution")
	}
	old := catalog.NewID("institution", sitetest.MergedBody)
	put(t, s, site, map[string]string{"/api/v1/institutions/" + heir: "{}", "/institution/" + heir: "the heir", "/institution/" + old: "for hosts of files"})
	if w := get(s, http.MethodGet, "/institution/"+old, "Accept", "text/html"); w.Code != http.StatusPermanentRedirect || w.Header().Get("Location") != "/institution/"+heir {
		t.Errorf("the page of a merged one: %d to %q", w.Code, w.Header().Get("Location"))
	}
	for name, want := range map[string]string{catalog.NewID("institution", sitetest.MergedBody): heir, sitetest.MergedBody: heir, "nobody": ""} {
		w := get(s, http.MethodGet, "/api/v1/institutions/"+name, "Accept", "application/json")
		switch location := w.Header().Get("Location"); {
		case want == "" && w.Code != http.StatusNotFound:
			t.Errorf("%s: %d", name, w.Code)
		case want != "" && (w.Code != http.StatusPermanentRedirect || location != "/api/v1/institutions/"+want):
			t.Errorf("%s: %d to %q", name, w.Code, location)
		}
	}
}
