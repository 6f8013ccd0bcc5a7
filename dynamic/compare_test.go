package dynamic

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/wire"
)

const compareRoute = "/api/v1/entries/compare"

// compared is a comparison as a client sees it.
type compared struct {
	Items    []json.RawMessage `json:"items"`
	Asked    []wire.Asked      `json:"asked"`
	NotFound []string          `json:"not_found"`
	Snapshot string            `json:"snapshot"`
	Manifest wire.Manifest     `json:"manifest"`
}

func TestCompare(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 30})
	id := site.Catalog.Lines[0].ID
	w := get(s, "GET", compareRoute+"?ids="+id+",former-3,e3-record,nothing,"+sitetest.Merged+","+sitetest.Replaced)
	if w.Code != 200 || w.Header().Get("Assay-Snapshot") != site.Catalog.ID {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	got := decode[compared](t, w)
	var outcomes []wire.AskedOutcome
	for _, a := range got.Asked {
		outcomes = append(outcomes, a.Outcome)
	}
	if d := cmp.Diff([]wire.AskedOutcome{wire.AskedFound, wire.AskedMoved, wire.AskedFound, wire.AskedUnknown, wire.AskedMerged, wire.AskedRemoved}, outcomes); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"nothing", sitetest.Replaced}, got.NotFound); d != "" {
		t.Error(d)
	}
	if got.Asked[5].Successor == nil || len(got.Items) != 3 || got.Snapshot != site.Catalog.ID || !got.Manifest.Live {
		t.Errorf("%d items, %+v", len(got.Items), got)
	}
	if !bytes.Equal(got.Items[0], site.Items[id]) {
		t.Errorf("the item is not that of the list:\n%s\n%s", got.Items[0], site.Items[id])
	}
	again := get(s, "GET", compareRoute+"?snapshot="+site.Catalog.ID+"&ids="+id+"%2C+former-3,e3-record,nothing,"+sitetest.Merged+","+sitetest.Replaced)
	if again.Header().Get("Etag") != w.Header().Get("Etag") {
		t.Error("the same question has another answer")
	}
}

func TestCompareRefuses(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 30})
	eleven := strings.TrimSuffix(strings.Repeat("a,", 11), ",")
	for i := range 11 {
		eleven = strings.Replace(eleven, "a,", string(rune('b'+i))+",", 1)
	}
	for _, route := range []string{compareRoute, compareRoute + "/matrix"} {
		for query, want := range map[string]int{
			"": 422, "?ids=": 422, "?ids=a": 422, "?ids=a,a": 422, "?ids=a,,b": 422, "?ids=" + eleven: 422, "?ids=a,b&ids=c,d": 422,
			"?ids=a,b&colour=red": 422, "?ids=a," + strings.Repeat("x", 300): 422, "?ids=a,b&snapshot=latest": 422,
			"?ids=a,b&snapshot=20200101-000000000000": 410, "?ids=%zz": 400, "?ids=a,b": 200, "?ids=a%00,%E2%80%8B": 200,
		} {
			if w := get(s, "GET", route+query); w.Code != want {
				t.Errorf("%s%s: %d %s, want %d", route, query, w.Code, w.Body, want)
			}
		}
	}
	w := get(s, "GET", compareRoute+"/matrix?ids=a,b&format=xml")
	if w.Code != 422 || !strings.Contains(w.Body.String(), "use one of json, csv") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestMatrixForms(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 30})
	const route = compareRoute + "/matrix?ids=e1-record,e3-record"
	w := get(s, "GET", route)
	m := decode[wire.ComparisonMatrix](t, w)
	if w.Code != 200 || len(m.Entries) != 2 || !slices.ContainsFunc(m.Rows, func(r wire.MatrixRow) bool { return r.Field == "slug" && r.Differs }) {
		t.Fatalf("%d %+v", w.Code, m)
	}
	if got := w.Header().Get("Vary"); got != "Accept, Accept-Encoding" {
		t.Errorf("Vary is %q", got)
	}
	for _, c := range []struct{ query, accept, want string }{
		{"&format=csv", "", "text/csv"}, {"&format=csv", "application/json", "text/csv"}, {"", "text/csv", "text/csv"},
		{"&format=json", "text/csv", "application/json"}, {"", "text/html", "application/json"},
	} {
		w := get(s, "GET", route+c.query, "Accept", c.accept)
		if got := w.Header().Get("Content-Type"); w.Code != 200 || !strings.HasPrefix(got, c.want) {
			t.Errorf("%q, Accept %q: %d %s", c.query, c.accept, w.Code, got)
			continue
		}
		if c.want == "text/csv" {
			rows, err := csv.NewReader(w.Body).ReadAll()
			if err != nil || len(rows) != len(m.Rows)+1 {
				t.Errorf("%d rows, %v", len(rows), err)
			}
		}
	}
}

func TestRestate(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 3, BaseURL: "https://register.example/reg"})
	const route = "/api/v1/identifiers/restate/"
	for _, c := range []struct {
		target string
		status int
		text   string
	}{
		{"GR?notation=iso3166-1-alpha-3", 200, `"codes":[{"notation":"iso3166-1-alpha-3","values":["GRC"],"source":"ISO 3166-1"}]`},
		{"text%2Fcsv?notation=file-extension", 200, `"values":["csv"]`},
		{"http:%2F%2Fpublications.europa.eu%2Fresource%2Fauthority%2Fcountry%2FGRC", 200, `"values":["GR"]`},
		{"de", 200, `"kind":"country"`}, {"de", 200, `"kind":"language"`}, {"de", 200, `"kind":"nuts-region"`},
		{"DE21?notation=nuts-1", 200, `"checked_by":"form"`},
		{"GR?notation=morse", 422, "use one of iso3166-1-alpha-2, "},
		{"GR?colour=red", 422, "known are notation"},
		{"GR?notation=spdx", 404, "GR is a country and has no code in spdx; it can be restated in eu-country, "},
		{"nothing", 404, "No code list has nothing"},
		{strings.Repeat("x", 201), 404, ""}, {"a%2F..%2F..%2Fb", 404, "No code list has"},
		{"text/csv", 404, ""}, {"..", 404, ""}, {"%2e%2e", 404, ""}, {"a%5Cb", 404, ""},
	} {
		for _, prefix := range []string{"", "/reg"} {
			w := get(s, "GET", prefix+route+c.target)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.text) {
				t.Errorf("%s%s: %d %s", prefix, c.target, w.Code, w.Body)
			}
		}
	}
	// Coded slashes are no way into the tree.
	for _, target := range []string{"/api%2Fv1/entries", "/api/v1/identifiers/restate%2F..%2F..%2Fentries"} {
		if w := get(s, "GET", target); w.Code != 404 {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
}
