package dynamic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/wire"
)

// ckanAnswer is the envelope of CKAN.
type ckanAnswer struct {
	Help    string
	Success bool
	Result  json.RawMessage
	Error   map[string]any
}

type ckanSearch struct {
	Count   int
	Facets  map[string]map[string]int
	Results []struct {
		ID, Name, Title string
		LicenseID       string `json:"license_id"`
		LicenseTitle    string `json:"license_title"`
		Extras          []struct{ Key, Value string }
		Resources       []ckanResource
	}
}

type ckanResource struct {
	ID, URL, Format string
	AccessURL       string `json:"access_url"`
	DownloadURL     string `json:"download_url"`
}

// act asks an action of CKAN.
func act(t *testing.T, s *Service, method, target, body string) (ckanAnswer, int) {
	t.Helper()
	r := httptest.NewRequest(method, "http://register.example"+wire.RouteCKAN+target, strings.NewReader(body))
	if method == "POST" {
		r.Header.Set("Content-Type", "application/json")
		if !strings.HasPrefix(body, "{") {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	if w.Header().Get("Assay-Snapshot") == "" {
		t.Errorf("%s names no snapshot", target)
	}
	return decode[ckanAnswer](t, w), w.Code
}

func found(t *testing.T, s *Service, params url.Values) ckanSearch {
	t.Helper()
	a, status := act(t, s, "GET", "/api/3/action/package_search?"+params.Encode(), "")
	var out ckanSearch
	if err := json.Unmarshal(a.Result, &out); err != nil || status != 200 || !a.Success {
		t.Fatalf("%v: %d %v %v", params, status, a.Error, err)
	}
	return out
}

// TestCKANClients replays what three public clients send.
func TestCKANClients(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 80})
	table, err := os.ReadFile("testdata/ckan-clients.tsv")
	if err != nil {
		t.Fatal(err)
	}
	first := site.Catalog.Lines[site.Catalog.Order[0]]
	values := strings.NewReplacer("SLUG", first.Slug, "RESOURCE", first.ID+"-0")
	has := map[string]string{"package": `"resources":`, "search": `"search_facets":`, "resource": `"package_id":`, "count": `"results":`, "tag": `"display_name":`,
		"group": `"package_count":`, "status": `"ckan_version":`, "packages": `"num_resources":`, "true": "true", "names": `["`, "list": `[{`}
	lines := strings.Split(strings.TrimSpace(string(table)), "\n")[1:]
	for _, line := range lines {
		f := strings.Split(line, "\t")
		a, status := act(t, s, f[1], values.Replace(f[2]), values.Replace(f[3]))
		if status != 200 || !a.Success || !strings.Contains(string(a.Result), has[f[4]]) || !strings.Contains(a.Help, "help_show?name=") {
			t.Errorf("%s: %d %.300s %v", f[0], status, a.Result, a.Error)
		}
	}
	if len(lines) < 30 {
		t.Errorf("only %d requests", len(lines))
	}
}

// TestCKANFindsWhatTheSearchFinds: package_search has the results of the search and of the
// list for the same words and filters, in their order.
func TestCKANFindsWhatTheSearchFinds(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 200})
	for _, c := range []struct{ q, fq, filters string }{
		{"budget", "", ""}, {"ktiria", "", ""}, {"air quality", "type:dataset AND res_format:CSV", "type=DATASET&format=CSV"}, {"budget", "tags:maps AND tags:air", "tags=air,maps"},
		{"", "groups:envi", "theme=ENVI"}, {"", "", ""}, {"", "dataset_type:dataset", "type=DATASET"}, {"", "license_id:CC0-1.0", "license=CC0-1.0"},
		{"", "country_code:GR OR country_code:FR", "country_code=GR,FR"}, {"budget country:GR", "", ""}, {"", "metadata_modified:[2026-10-20T00:00:00Z TO *]", "updated_since=2026-10-20"},
		{"", "country:GR", "country=GR"}, {"", "res_format:(CSV OR JSON) +type:dataset", "format=CSV,JSON&type=DATASET"}, {"budget", "extras_lang:el", "lang=el"},
	} {
		path := "/api/v1/entries?limit=100&" + c.filters
		if c.q != "" {
			path = "/api/v1/entries/search?limit=100&q=" + url.QueryEscape(c.q) + "&" + c.filters
		}
		want, total := listed(t, s, path)
		got := found(t, s, url.Values{"q": {c.q}, "fq": {c.fq}, "rows": {"100"}})
		var names []string
		for _, r := range got.Results {
			names = append(names, r.ID)
		}
		if got.Count != total || !slices.Equal(names, want) {
			t.Errorf("%+v: %d of %d, the register has %d of %d", c, len(names), got.Count, len(want), total)
		}
		if c.q+c.fq != "" && total == 0 {
			t.Errorf("%+v finds nothing, so it shows nothing", c)
		}
	}
}

// listed are the ids of a list or of a search.
func listed(t *testing.T, s *Service, path string) (ids []string, total int) {
	t.Helper()
	var p struct {
		Total int
		Items []struct {
			ID    string
			Entry struct{ ID string }
		}
	}
	w := get(s, "GET", path)
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	for _, i := range p.Items {
		ids = append(ids, i.ID+i.Entry.ID)
	}
	return ids, p.Total
}

// TestCKANFields: conditions of Solr count what the facets of the register say.
func TestCKANFields(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 120})
	all := len(site.Catalog.Order)
	for fq, want := range map[string]int{
		"*:*": all, "-*:*": 0, "NOT type:dataset": -1, "tags:*": -1, "name:e1*": -1, "name:e?-record": -1, "num_tags:[0 TO *]": all, "num_tags:{0 TO *]": -1,
		"state:active AND private:false": all, "state:deleted": 0, "vocab_x:y": 0, "(tags:air || tags:maps) && !groups:envi": -1, `tags:"open data"`: -1, `tags:open\ data^2`: -1,
		"metadata_modified:[NOW-30DAYS TO NOW]": -1, "metadata_modified:[NOW/MONTH TO *]": -1, "metadata_created:[* TO 2026-06-01T00:00:00Z}": -1,
		"+site_id:default +capacity:public": all, "budget": -1, "title:budget": -1, "organization:inst-0 OR organization:inst-1": -1, "owner_org:*": -1,
	} {
		got := found(t, s, url.Values{"fq": {fq}, "rows": {"0"}})
		if want >= 0 && got.Count != want || want < 0 && (got.Count == 0 || got.Count == all) {
			t.Errorf("%s: %d of %d", fq, got.Count, all)
		}
	}
	counts := found(t, s, url.Values{"facet.field": {`["tags","groups","res_format","license_id","organization","type","country_code"]`}, "facet.limit": {"-1"}, "rows": {"0"}})
	for field, values := range counts.Facets {
		for value, n := range values {
			if got := found(t, s, url.Values{"fq": {fmt.Sprintf("%s:%q", field, value)}, "rows": {"0"}}); got.Count != n {
				t.Errorf("%s:%s: %d, the facet says %d", field, value, got.Count, n)
			}
		}
		if len(values) == 0 {
			t.Errorf("%s has no values", field)
		}
	}
}

// TestCKANShowsWhatItFinds: formats and licences of packages are those that fq and facets know, each in one
// spelling, and what no package shows is found by nothing.
func TestCKANShowsWhatItFinds(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 120})
	fields := url.Values{"facet.field": {`["res_format","license_id"]`}, "facet.limit": {"-1"}, "rows": {"1000"}}
	all := found(t, s, fields)
	shown := map[string]map[string]map[string]bool{"res_format": {}, "license_id": {}}
	show := func(field, value, id string) {
		if shown[field][value] == nil {
			shown[field][value] = map[string]bool{}
		}
		shown[field][value][id] = true
	}
	fetched, texts := 0, 0
	for _, p := range all.Results {
		for _, r := range p.Resources {
			show("res_format", r.Format, p.ID)
			if want := cmp.Or(r.DownloadURL, r.AccessURL, r.URL); r.URL != want {
				t.Errorf("%s: clients fetch %s, not %s", p.Name, r.URL, want)
			} else if r.DownloadURL != "" && r.AccessURL != r.DownloadURL && r.AccessURL != "" {
				fetched++
			}
		}
		if p.LicenseID != "" {
			show("license_id", p.LicenseID, p.ID)
		} else if p.LicenseTitle != "" {
			texts++
		}
	}
	if fetched == 0 || texts == 0 {
		t.Errorf("%d files with a page and an address, %d licences of no table", fetched, texts)
	}
	for field, values := range shown {
		if len(values) < 1 || len(all.Facets[field]) != len(values) {
			t.Errorf("%s: the facet has %v, packages show %d", field, all.Facets[field], len(values))
		}
		folded := map[string]string{}
		for value, ids := range values {
			if other := folded[strings.ToLower(value)]; other != "" {
				t.Errorf("%s: %s and %s", field, value, other)
			}
			folded[strings.ToLower(value)] = value
			got := found(t, s, url.Values{"fq": {fmt.Sprintf("%s:%q", field, value)}, "rows": {"1000"}})
			if got.Count != len(ids) || all.Facets[field][value] != len(ids) {
				t.Errorf("%s %s: %d found, %d by the facet, %d show it", field, value, got.Count, all.Facets[field][value], len(ids))
			}
		}
	}
	for _, format := range []string{"OPENAPI", "WMS_SRVC", "API", "SDMX", "MCP", "CSV"} {
		if len(shown["res_format"][format]) == 0 {
			t.Errorf("no package shows %s", format)
		}
		if a, _ := act(t, s, "GET", "/api/3/action/resource_search?query=format:"+format, ""); !strings.Contains(string(a.Result), format) {
			t.Errorf("resource_search of %s: %.200s", format, a.Result)
		}
	}
	// Words, too, have facets of what they find.
	fields.Set("q", "budget")
	words := found(t, s, fields)
	n := 0
	for _, p := range words.Results {
		if slices.ContainsFunc(p.Resources, func(r ckanResource) bool { return r.Format == "CSV" }) {
			n++
		}
	}
	if n == 0 || words.Facets["res_format"]["CSV"] != n {
		t.Errorf("budget: the facet says %d with CSV, %d show it", words.Facets["res_format"]["CSV"], n)
	}
	if none := found(t, s, url.Values{"facet.field": {`["res_format","tags"]`}, "facet.limit": {"0"}, "rows": {"0"}}).Facets; none["tags"] == nil || none["res_format"] == nil || len(none["tags"])+len(none["res_format"]) > 0 {
		t.Errorf("facets without values: %v", none)
	}
}

// TestCKANPages: an order and pages give every entry once.
func TestCKANPages(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 70})
	for _, sort := range []string{"id asc", "name desc", "metadata_modified desc, id asc", "title_string asc", "score desc"} {
		seen := map[string]bool{}
		var last string
		for start := 0; start < 70; start += 9 {
			for _, r := range found(t, s, url.Values{"rows": {"9"}, "start": {fmt.Sprint(start)}, "sort": {sort}}).Results {
				if sort == "id asc" && r.ID <= last {
					t.Errorf("%s after %s", r.ID, last)
				}
				last, seen[r.ID] = r.ID, true
			}
		}
		if len(seen) != len(site.Catalog.Order) {
			t.Errorf("%s: %d of %d", sort, len(seen), len(site.Catalog.Order))
		}
	}
	if r := found(t, s, url.Values{"fl": {"id,name"}, "rows": {"1"}}).Results[0]; r.ID == "" || r.Title != "" {
		t.Errorf("fl: %+v", r)
	}
}

// TestCKANAsksForTooMuch: as a CKAN does, the register lowers what is asked for to its most.
func TestCKANAsksForTooMuch(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 1300})
	for _, target := range []string{"package_search?rows=99999", "current_package_list_with_resources?limit=99999"} {
		a, status := act(t, s, "GET", "/api/3/action/"+target, "")
		var list []json.RawMessage
		var found struct{ Results []json.RawMessage }
		if json.Unmarshal(a.Result, &list) != nil && json.Unmarshal(a.Result, &found) == nil {
			list = found.Results
		}
		if status != 200 || !a.Success || len(list) != wire.CKANRowsMax {
			t.Errorf("%s: %d, %d packages, %+v", target, status, len(list), a.Error)
		}
	}
}

// TestCKANErrors: what is wrong comes in the words of CKAN.
func TestCKANErrors(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 20})
	for _, c := range []struct {
		method, target, body string
		status               int
		kind                 string
	}{
		{"GET", "/api/3/action/package_show?id=nobody", "", 404, "Not Found Error"}, {"GET", "/api/3/action/package_show", "", 409, "Validation Error"},
		{"GET", "/api/3/action/package_search?rows=-1", "", 409, "Validation Error"}, {"GET", "/api/3/action/package_search?nobody=1", "", 409, "Validation Error"},
		{"GET", "/api/3/action/package_search?ext_bbox=1,2,3", "", 409, "Validation Error"},
		{"GET", "/api/3/action/package_search?fq=nobody:1", "", 409, "Search Query Error"}, {"GET", "/api/3/action/package_search?fq=(tags:a", "", 409, "Search Query Error"},
		{"GET", "/api/3/action/package_search?fq=" + strings.Repeat("(", 50), "", 409, "Search Query Error"}, {"GET", "/api/3/action/package_search?sort=nobody+asc", "", 409, "Search Query Error"},
		{"GET", "/api/3/action/package_search?facet.field=nobody", "", 409, "Search Query Error"}, {"POST", "/api/3/action/package_search", "{", 400, "Bad request"},
		{"GET", "/api/3/action/resource_search?query=x", "", 409, "Validation Error"}, {"GET", "/api/3/action/tag_list?vocabulary_id=x", "", 404, "Not Found Error"},
		{"GET", "/api/3/action/package_search?fq=title:[zzz+TO+zzzz]", "", 409, "Search Query Error"}, {"GET", "/api/3/action/package_search?fq=notes:[a+TO+*]", "", 409, "Search Query Error"},
		{"GET", "/api/3/action/package_search?fq=res_format:CSV+AND", "", 409, "Search Query Error"}, {"GET", "/api/3/action/package_search?fq=AND", "", 409, "Search Query Error"},
		{"GET", "/api/3/action/site_read?nobody=1", "", 409, "Validation Error"}, {"POST", "/api/3/action/site_read", `{"nobody":1}`, 409, "Validation Error"},
		{"GET", "/api/3/action/license_list?callback=f", "", 409, "Validation Error"}, {"GET", "/api/3/action/resource_show?id=x", "", 404, "Not Found Error"}, {"GET", "/api/3/action/package_search?fq=metadata_modified:[x+TO+*]", "", 409, "Search Query Error"},
	} {
		a, status := act(t, s, c.method, c.target, c.body)
		if status != c.status || a.Success || a.Error["__type"] != c.kind || len(a.Result) > 0 {
			t.Errorf("%s: %d %+v", c.target, status, a)
		}
	}
	if w := get(s, "GET", wire.RouteCKAN+"/api/3/action/datastore_search"); w.Code != 400 || !strings.Contains(w.Body.String(), "Action name not known: datastore_search") {
		t.Errorf("an unknown action: %d %s", w.Code, w.Body)
	}
	first := site.Catalog.Lines[0].Slug
	if w := get(s, "GET", wire.RouteCKAN+"/dataset/"+first); w.Code != 308 || !strings.HasSuffix(w.Header().Get("Location"), "/entry/"+first) {
		t.Errorf("page of a package: %d %s", w.Code, w.Header().Get("Location"))
	}
}
