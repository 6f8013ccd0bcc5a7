package dynamic

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/wire"
)

func ask(t *testing.T, s *Service, query string) wire.SearchPage {
	t.Helper()
	w := get(s, "GET", "/api/v1/entries/search?"+query)
	if w.Code != 200 {
		t.Fatalf("%s: %d %s", query, w.Code, w.Body)
	}
	return decode[wire.SearchPage](t, w)
}

func TestSearchAnswers(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 200})
	p := ask(t, s, "q="+url.QueryEscape("ktiria"))
	if p.Total == 0 || p.Match != wire.MatchAll || p.Snapshot != site.Catalog.ID || p.Query != "ktiria" {
		t.Fatalf("%+v", p)
	}
	for _, i := range p.Items {
		if !strings.HasPrefix(i.Entry.Name, "Κτίρια") {
			t.Errorf("found %s", i.Entry.Name)
		}
		if len(i.Highlights) == 0 || !strings.Contains(i.Highlights[0].HTML, "<mark>Κτίρια</mark>") {
			t.Errorf("highlights %+v", i.Highlights)
		}
	}
	sum := 0
	for _, f := range p.Facets.Type {
		sum += f.Count
	}
	if sum != p.Total {
		t.Errorf("types sum up to %d of %d", sum, p.Total)
	}
}

func TestSearchItemsAreThoseOfTheList(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 60})
	w := get(s, "GET", "/api/v1/entries/search?q=budget&limit=100")
	var p struct {
		Items []struct {
			Entry json.RawMessage `json:"entry"`
		} `json:"items"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || len(p.Items) == 0 {
		t.Fatal(err, len(p.Items))
	}
	for _, i := range p.Items {
		var id struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(i.Entry, &id); err != nil || string(site.Items[id.ID]) != string(i.Entry) {
			t.Errorf("item %s differs from the list's: %v", id.ID, err)
		}
	}
	if w.Header().Get("Assay-Snapshot") != site.Catalog.ID || w.Header().Get("Etag") == "" {
		t.Errorf("header %v", w.Header())
	}
}

// Filters in the query and filters beside it select what the list selects.
func TestSearchFiltersAreThoseOfTheList(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 300})
	for _, f := range filters(site) {
		if strings.Contains(f, "search=") || strings.Contains(f, "sort_") {
			continue
		}
		list := decode[page](t, get(s, "GET", "/api/v1/entries?search=air&limit=100&"+f))
		found := ask(t, s, "q=air*&limit=100&"+f)
		if list.Total != found.Total {
			t.Errorf("%s: the list has %d, the search %d", f, list.Total, found.Total)
		}
	}
	for _, c := range []struct{ inside, beside string }{
		{"country:gr", "country_code=GR"}, {"type:api,dataset", "type=API,DATASET"}, {"tag:air tag:maps", "tags=air,maps"}, {"format:csv", "format=CSV"},
		{"status:deprecated", "status=DEPRECATED"}, {`tags:"open data"`, "tags=open%20data"}, {"state:verified", "verification_state=VERIFIED"},
	} {
		a, b := ask(t, s, "q="+url.QueryEscape("air* "+c.inside)), ask(t, s, "q=air*&"+c.beside)
		if a.Total != b.Total || a.Total == 0 {
			t.Errorf("%s: %d inside, %d beside", c.inside, a.Total, b.Total)
		}
		only := ask(t, s, "q="+url.QueryEscape(c.inside))
		if list := decode[page](t, get(s, "GET", "/api/v1/entries?"+c.beside)); list.Total != only.Total {
			t.Errorf("%s alone: %d, the list has %d", c.inside, only.Total, list.Total)
		}
	}
}

func TestSearchRefuses(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 20})
	for _, c := range []struct {
		query string
		code  int
		says  string
	}{
		{"", 422, "say what to look for"}, {"q=", 422, "say what to look for"}, {"q=a&q=b", 422, "more than once"},
		{"q=" + strings.Repeat("x", 1001), 422, "at most 1000 bytes"}, {"q=" + strings.Repeat("a+", 40), 200, `"query"`},
		{"q=%ff", 400, "UTF-8"}, {"q=a&page=600&limit=20", 422, "10000"}, {"q=a&nonsense=1", 422, "unknown parameter"},
		{"q=country:Greece", 422, "country_code"}, {"q=type:boat", 422, "use one of"}, {"q=a&snapshot=20200101-000000000000", 410, "no longer"},
		{"q=" + strings.Repeat("country:GR+", 30), 422, "at most 20 conditions"}, {"q=" + strings.Repeat("x", 10_000), 414, ""},
	} {
		w := get(s, "GET", "/api/v1/entries/search?"+c.query)
		if w.Code != c.code || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%.40s: %d %s", c.query, w.Code, w.Body)
		}
	}
}

// Signs of other query languages mean nothing and break nothing.
func TestHostileQueries(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 50})
	for _, q := range []string{"***", "((((((((((", "[a-z]+.*?$^", `"`, `"""""`, "-", "--a", "-air", ":", "a:b:c", "title:", "title:*", "country:", "~^\\/{}", "\x00\x01",
		strings.Repeat("(", 900), strings.Repeat("a*", 400), strings.Repeat("\u0301", 400), strings.Repeat(`"a `, 15), "air AND NOT (maps OR *)", "😀", "ﷺ", "a\u200bb",
		strings.Repeat("z", 900), strings.Repeat("-a ", 30), "air -air", "' OR 1=1 --", "<script>"} {
		w := get(s, "GET", "/api/v1/entries/search?q="+url.QueryEscape(q))
		if w.Code != 200 && w.Code != 422 {
			t.Errorf("%q: %d %s", q, w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), "<script>") && w.Code == 200 && !strings.Contains(w.Body.String(), `"query":"<script>"`) {
			t.Errorf("%q is shown unescaped", q)
		}
	}
}

func TestSuggestions(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 200})
	for _, c := range []struct{ typed, want string }{
		{"κτί", "Κτίρια"}, {"ktir", "Κτίρια"}, {"qual", "Air quality"}, {"open d", "open data"}, {"ÉCO", "école"}, {"ecoles", "Écoles"}, {"qualty", "Air quality"}, {"instit", "Institution"},
	} {
		w := get(s, "GET", "/api/v1/entries/search/suggestions?q="+url.QueryEscape(c.typed))
		p := decode[wire.Suggestions](t, w)
		if w.Code != 200 || len(p.Suggestions) == 0 || !strings.HasPrefix(p.Suggestions[0].Text, c.want) || p.Snapshot != site.Catalog.ID {
			t.Errorf("%q: %d %+v", c.typed, w.Code, p)
		}
	}
	for _, c := range []struct{ query, kind, text, filter string }{
		{"q=transp&lang=fr", "theme", "Transports", "theme=TRAN"}, {"q=vervo&lang=nl", "theme", "Vervoer", "theme=TRAN"}, {"q=environ", "theme", "Environment", "theme=ENVI"},
		{"q=germ&lang=de", "place", "Deutschland", "country_code=DE"}, {"q=allem&lang=fr", "place", "Allemagne", "country_code=DE"}, {"q=deutschl", "place", "Germany", "country_code=DE"},
	} {
		p := decode[wire.Suggestions](t, get(s, "GET", "/api/v1/entries/search/suggestions?"+c.query))
		if !slices.ContainsFunc(p.Suggestions, func(x wire.Suggestion) bool {
			return x.Kind == c.kind && strings.HasPrefix(x.Text, c.text) && x.Filter == c.filter && x.Entries > 0
		}) {
			t.Errorf("%s: no %s %s: %+v", c.query, c.kind, c.text, p.Suggestions)
		}
		if list := decode[struct{ Total int }](t, get(s, "GET", "/api/v1/entries?"+c.filter)); len(p.Suggestions) > 0 && p.Suggestions[0].Filter == c.filter && list.Total != p.Suggestions[0].Entries {
			t.Errorf("%s: %d entries suggested, %d listed", c.filter, p.Suggestions[0].Entries, list.Total)
		}
	}
	if p := decode[wire.Suggestions](t, get(s, "GET", "/api/v1/entries/search/suggestions?q=a&limit=3")); len(p.Suggestions) != 3 {
		t.Errorf("%d suggestions, want 3", len(p.Suggestions))
	}
	for _, q := range []string{"", "q=", "q=" + strings.Repeat("a", 300), "q=a&limit=50", "q=a&lang=FR", "q=a&lang=fr&lang=de", "q=a&lang=<b>"} {
		if w := get(s, "GET", "/api/v1/entries/search/suggestions?"+q); w.Code != 422 {
			t.Errorf("%q: %d", q, w.Code)
		}
	}
}
