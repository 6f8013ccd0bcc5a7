package dynamic

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
)

type ogcPage struct {
	Matched  int `json:"numberMatched"`
	Returned int `json:"numberReturned"`
	Features []struct {
		ID         string          `json:"id"`
		Geometry   json.RawMessage `json:"geometry"`
		Properties struct{ Title, Type string }
	} `json:"features"`
	Links []struct{ Href, Rel string } `json:"links"`
	Paths map[string]any               `json:"paths"`
}

func ogcGet(t *testing.T, s *Service, path string, want int) (p ogcPage, w *httptest.ResponseRecorder) {
	t.Helper()
	w = httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	if w.Code != want {
		t.Fatalf("%s: status %d, want %d: %.300s", path, w.Code, want, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return p, w
}

func TestOGCRecords(t *testing.T) {
	t.Parallel()
	s, err := New(Config{SiteDir: sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 60}).Dir})
	if err != nil {
		t.Fatal(err)
	}
	items := "/api/v1/ogc/collections/records/items"
	for _, path := range []string{"", "/", "/conformance", "/api", "/collections", "/collections/records", "/collections/records/queryables?f=json"} {
		ogcGet(t, s, "/api/v1/ogc"+path, http.StatusOK)
	}
	if p, _ := ogcGet(t, s, "/api/v1/ogc/api", http.StatusOK); len(p.Paths) != 8 {
		t.Errorf("%d paths are described", len(p.Paths))
	}
	all, w := ogcGet(t, s, items+"?limit=500", http.StatusOK)
	if all.Matched < 30 || all.Returned != all.Matched || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/geo+json") {
		t.Errorf("%d of %d as %s", all.Returned, all.Matched, w.Header().Get("Content-Type"))
	}
	seen := map[string]bool{}
	for next := items + "?limit=7&sortby=-title"; next != ""; {
		p, _ := ogcGet(t, s, next, http.StatusOK)
		next = ""
		for _, f := range p.Features {
			seen[f.ID] = true
		}
		for _, l := range p.Links {
			if u, err := url.Parse(l.Href); l.Rel == "next" && err == nil {
				next = u.RequestURI()
			}
		}
	}
	if len(seen) != all.Matched {
		t.Errorf("%d records were paged through of %d", len(seen), all.Matched)
	}
	datasets, _ := ogcGet(t, s, items+"?type=dataset", http.StatusOK)
	filtered, _ := ogcGet(t, s, items+"?filter="+url.QueryEscape("type = 'dataset'"), http.StatusOK)
	rest, _ := ogcGet(t, s, items+"?filter="+url.QueryEscape("NOT type IN ('dataset')"), http.StatusOK)
	if datasets.Matched == 0 || datasets.Matched != filtered.Matched || datasets.Matched+rest.Matched != all.Matched {
		t.Errorf("%d datasets, %d by a filter, %d others, %d in all", datasets.Matched, filtered.Matched, rest.Matched, all.Matched)
	}
	boxes := func(query string) (n int) {
		p, _ := ogcGet(t, s, items+"?limit=500&"+query, http.StatusOK)
		for _, f := range p.Features {
			if string(f.Geometry) == "null" {
				t.Errorf("%s has no box", f.Properties.Title)
			}
		}
		return p.Matched
	}
	ghent, fiji, world := boxes("bbox=3.5,50.5,10,60"), boxes("bbox=177,-19,0,-178,-16,10"), boxes("bbox=-180,-90,180,90")
	if ghent == 0 || fiji == 0 || ghent+fiji != world || boxes("bbox=20,0,30,10") != 0 || boxes("filter="+url.QueryEscape("S_INTERSECTS(geometry,BBOX(3.5,50.5,10,60))")) != ghent {
		t.Errorf("%d and %d of %d are in a box", ghent, fiji, world)
	}
	if early, late, timed := boxes("datetime=../1910-12-31"), boxes("datetime=1911-01-01/.."), boxes("datetime=../.."); early == 0 || late == 0 || early+late != timed {
		t.Errorf("%d and %d of %d are of a time", early, late, timed)
	}
	id := all.Features[0].ID
	if p, _ := ogcGet(t, s, items+"?ids="+id+",none", http.StatusOK); p.Matched != 1 || p.Features[0].ID != id {
		t.Errorf("%+v", p)
	}
	ogcGet(t, s, items+"/"+id, http.StatusOK)
	for _, bad := range []string{"?bbox=1,2,3", "?datetime=soon", "?sortby=rank", "?limit=0", "?limit=1&limit=2", "?nobody=1", "?filter=a", "?filter=(((", "?filter-lang=cql2-json", "?f=html", "?datetime=2021-01-01/2020-01-01"} {
		ogcGet(t, s, items+bad, http.StatusBadRequest)
	}
	if w := get(s, "GET", items+"?bbox=1,2,3"); !strings.Contains(w.Body.String(), `"value":"1,2,3"`) {
		t.Errorf("the error does not show the value: %s", w.Body)
	}
	ogcGet(t, s, items+"/nobody", http.StatusNotFound)
}
