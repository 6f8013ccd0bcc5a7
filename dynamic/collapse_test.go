package dynamic

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/wire"
)

// TestSeriesOnce: a list and a search show a series once, by the member that would
// come first, and its own list has all members in the usual order.
func TestSeriesOnce(t *testing.T) {
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 80})
	s, err := New(Config{SiteDir: site.Dir})
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string, v any) {
		t.Helper()
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		if err := json.Unmarshal(w.Body.Bytes(), v); err != nil {
			t.Fatal(err)
		}
	}
	members := 0
	for i := range site.Catalog.Lines {
		if site.Catalog.Lines[i].Name == sitetest.SeriesName {
			members++
		}
	}
	if members < 3 {
		t.Fatalf("%d members", members)
	}
	names := func(items []wire.Item) (out []string) {
		for i := range items {
			out = append(out, items[i].Name)
		}
		return out
	}
	var all, once, own wire.EntriesPage
	get("/api/v1/entries?limit=100", &all)
	get("/api/v1/entries?limit=100&collapse=series", &once)
	if once.Total != all.Total-members+1 {
		t.Errorf("%d entries of %d, %d are members", once.Total, all.Total, members)
	}
	first := slices.Index(names(all.Items), sitetest.SeriesName)
	if at := slices.Index(names(once.Items), sitetest.SeriesName); at != first || once.Items[at].ID != all.Items[first].ID {
		t.Errorf("the series stands at %d, its best member at %d", at, first)
	}
	id := site.Catalog.SeriesOf(site.Catalog.ByID(all.Items[first].ID)).ID
	get("/api/v1/entries?limit=100&series="+id, &own)
	if own.Total != members || slices.ContainsFunc(names(own.Items), func(n string) bool { return n != sitetest.SeriesName }) {
		t.Errorf("its own list has %d: %q", own.Total, names(own.Items))
	}
	get("/api/v1/entries?series=00000000-0000-5000-8000-000000000000", &own)
	if own.Total != 0 {
		t.Errorf("a series that is not there has %d", own.Total)
	}
	var found, foundOnce wire.SearchPage
	get("/api/v1/entries/search?q=cadastral&limit=100", &found)
	get("/api/v1/entries/search?q=cadastral&limit=100&collapse=series", &foundOnce)
	if found.Total != members || foundOnce.Total != 1 || len(foundOnce.Items) != 1 || foundOnce.Items[0].Entry.ID != found.Items[0].Entry.ID {
		t.Errorf("found %d, once %d: %+v", found.Total, foundOnce.Total, foundOnce.Items)
	}
}
