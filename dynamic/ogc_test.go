package dynamic

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/search"
)

type ogcPage struct {
	Matched  int                          `json:"numberMatched"`
	Returned int                          `json:"numberReturned"`
	Features []ogcFeature                 `json:"features"`
	Links    []struct{ Href, Rel string } `json:"links"`
	Paths    map[string]any               `json:"paths"`
}

type ogcFeature struct {
	ID         string                                         `json:"id"`
	Geometry   json.RawMessage                                `json:"geometry"`
	Properties struct{ Title, Type, Created, Updated string } `json:"properties"`
}

const ogcItems = "/api/v1/ogc/collections/records/items"

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

// TestOGCOrder compares each order with what records show.
func TestOGCOrder(t *testing.T) {
	t.Parallel()
	s, err := New(Config{SiteDir: sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 60}).Dir})
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]func(f *ogcFeature) string{
		"title": func(f *ogcFeature) string { return search.Fold(f.Properties.Title) }, "type": func(f *ogcFeature) string { return f.Properties.Type },
		"created": func(f *ogcFeature) string { return f.Properties.Created }, "updated": func(f *ogcFeature) string { return f.Properties.Updated },
		"id": func(f *ogcFeature) string { return f.ID }} {
		for _, query := range []string{"", "&q=air"} {
			for sign, direction := range map[string]int{"": 1, "-": -1, "%2B": 1} {
				p, _ := ogcGet(t, s, ogcItems+"?limit=500&sortby="+sign+name+query, http.StatusOK)
				values := map[string]bool{}
				for i := range p.Features {
					f := &p.Features[i]
					values[key(f)] = true
					if i == 0 {
						continue
					}
					before := &p.Features[i-1]
					r := direction * strings.Compare(key(before), key(f))
					if r > 0 || r == 0 && name != "id" && before.ID >= f.ID {
						t.Errorf("sortby=%s%s%s: %q (%s) is before %q (%s)", sign, name, query, key(before), before.ID, key(f), f.ID)
					}
				}
				if len(values) < 2 {
					t.Errorf("sortby=%s%s%s tells nothing apart: %v", sign, name, query, values)
				}
			}
		}
	}
}

// TestOGCFiltersByWhatIsShown filters by the values that records show and by the absence of them.
func TestOGCFiltersByWhatIsShown(t *testing.T) {
	t.Parallel()
	s, err := New(Config{SiteDir: sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 60}).Dir})
	if err != nil {
		t.Fatal(err)
	}
	find := func(filter string) map[string]bool {
		p, _ := ogcGet(t, s, ogcItems+"?limit=500&filter="+url.QueryEscape(filter), http.StatusOK)
		out := map[string]bool{}
		for _, f := range p.Features {
			out[f.ID] = true
		}
		return out
	}
	w := get(s, "GET", ogcItems+"?limit=500")
	var all struct {
		Features []struct {
			ID         string         `json:"id"`
			Properties map[string]any `json:"properties"`
			Links      []struct{ Rel, Href string }
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"title", "type", "country", "state", "license", "rights", "institution_id", "created", "updated"} {
		shown := map[string]int{}
		for _, f := range all.Features {
			if v, ok := f.Properties[name].(string); ok {
				shown[v]++
				if !find(name + " = '" + v + "'")[f.ID] {
					t.Errorf("%s = '%s' does not find %s, which shows it", name, v, f.ID)
				}
			}
		}
		for v, n := range shown {
			same, other, none := find(name+" = '"+v+"'"), find("NOT "+name+" = '"+v+"'"), find(name+" IS NULL")
			if name != "title" && len(same) != n { // a title has further languages
				t.Errorf("%s = '%s' finds %d, %d show it", name, v, len(same), n)
			}
			if len(same)+len(other)+len(none) != len(all.Features) {
				t.Errorf("%s: %d are %s, %d are not, %d have none, of %d", name, len(same), v, len(other), len(none), len(all.Features))
			}
		}
		if len(shown) == 0 && name != "rights" {
			t.Errorf("no record shows %s", name)
		}
	}
	for _, f := range all.Features {
		for _, l := range f.Links {
			if l.Rel == "license" && !find("license = '" + l.Href + "'")[f.ID] {
				t.Errorf("license = '%s' does not find %s", l.Href, f.ID)
			}
		}
	}
	for _, c := range [][2]string{{"start < DATE('1930-01-01')", "start IS NULL"}, {"S_INTERSECTS(geometry,BBOX(3,50,4,51))", "geometry IS NULL"}, {"S_INTERSECTS(POINT(175 -15),geometry)", "geometry IS NULL"},
		{"license LIKE 'CC%'", "license IS NULL"}, {"end BETWEEN DATE('1900-01-01') AND DATE('1940-01-01')", "end IS NULL"}, {"country IN ('GR','FR')", "country IS NULL"},
		{"(type = 'dataset' AND start < DATE('1950-01-01'))", "(type = 'dataset' AND start IS NULL)"}, {"(type = 'service' OR start < DATE('1950-01-01'))", "(type <> 'service' AND start IS NULL)"}} {
		is, not, unknown := find(c[0]), find("NOT "+c[0]), find(c[1])
		for id := range not {
			if is[id] || unknown[id] {
				t.Errorf("NOT %s finds %s", c[0], id)
			}
		}
		if len(is) == 0 || len(unknown) == 0 || len(is)+len(not)+len(unknown) != len(all.Features) {
			t.Errorf("%s: %d, not %d, unknown %d of %d", c[0], len(is), len(not), len(unknown), len(all.Features))
		}
	}
}

func TestOGCRecords(t *testing.T) {
	t.Parallel()
	s, err := New(Config{SiteDir: sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 60}).Dir})
	if err != nil {
		t.Fatal(err)
	}
	items := ogcItems
	for _, path := range []string{"", "/", "/conformance", "/api", "/collections", "/collections/records", "/collections/records/queryables?f=json", "/collections/records/sortables"} {
		ogcGet(t, s, "/api/v1/ogc"+path, http.StatusOK)
	}
	if p, _ := ogcGet(t, s, "/api/v1/ogc/api", http.StatusOK); len(p.Paths) != 9 {
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
