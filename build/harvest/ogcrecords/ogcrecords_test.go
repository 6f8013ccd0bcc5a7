package ogcrecords

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

const landing = "https://geo.example.gov/"

func fixture(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/items.json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRecord(t *testing.T) {
	t.Parallel()
	o := sourcetest.Run(t, Connector{}, feedtest.File("items.json", fixture(t), landing))
	feedtest.CheckOutcome(t, o)
	d := o.ByName(t, "Rivières")
	e := &d.Entry
	for _, c := range []struct{ field, got, want string }{
		{"ref", e.UpstreamRef, "geo.example.gov:ogc-records:rivers"}, {"address", e.PrimarySourceURL, "https://geo.example.gov/collections/main/items/rivers?f=html"},
		{"language", e.NativeLang, "fr"}, {"languages", fmt.Sprint(e.Languages), "[fr de]"}, {"description", e.Description, "Toutes les rivières."},
		{"publisher", d.PublisherName, "Office de l'eau"}, {"publisher IRI", e.Publisher.IRI, "https://id.example.gov/org/eau"}, {"creator", e.Creators[0].Names["fr"], "Service hydrologique"},
		{"contact", e.Contact.Email, "info@eau.example.gov"}, {"tags", fmt.Sprint(e.Tags), "[eau rivières]"}, {"themes", fmt.Sprint(e.Themes), "[ENVI]"},
		{"subjects", fmt.Sprint(e.Subjects), "[http://inspire.ec.europa.eu/theme/hy http://publications.europa.eu/resource/authority/data-theme/ENVI]"},
		{"licence", e.LicenseRaw, "https://creativecommons.org/licenses/by/4.0/"}, {"access", string(e.AccessRights), "PUBLIC"},
		{"identifiers", fmt.Sprint(e.Identifiers), "[https://doi.org/10.1234/rivers]"}, {"formats", fmt.Sprint(e.Formats), "[CSV GPKG]"},
		{"files", fmt.Sprint(len(e.Dataset.Distributions)), "1"}, {"docs", e.DocsURL, "https://geo.example.gov/about"},
		{"issued", e.SourceIssuedAt.Format(time.DateOnly), "2020-01-02"}, {"modified", e.SourceModifiedAt.Format(time.DateOnly), "2024-03-04"},
		{"spatial", fmt.Sprint(e.Dataset.Spatial), "[5.9,45.8,10.5,47.8]"}, {"start", e.Dataset.TemporalStart.Format(time.DateOnly), "2019-01-01"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.field, c.got, c.want)
		}
	}
	s := o.ByName(t, "River service").Entry
	if s.Type != catalog.TypeAPI || s.API.SpecFormat != "ogc-wfs" || s.API.OpenAPIURL != "https://geo.example.gov/api.json" || s.PrimarySourceURL != s.API.BaseURL {
		t.Errorf("%+v %+v", s, s.API)
	}
	want := map[source.Code]int{source.CodeNotData: 1, source.CodeMissingName: 1, source.CodeMissingURL: 1}
	if len(o.Drafts) != 2 || fmt.Sprint(o.Codes()) != fmt.Sprint(want) {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
}

// api has two collections of records with n records each in pages of ten, and
// one of features.
func api(n int) *feedtest.Site {
	return &feedtest.Site{Answer: func(raw string) string {
		u, _ := url.Parse(raw)
		switch {
		case u.Path == "/":
			return `{"title": "Catalogue", "links": [{"rel": "data", "type": "text/html", "href": "/html"}, {"rel": "data", "type": "application/json", "href": "/collections?f=json"}]}`
		case u.Path == "/collections":
			return `{"collections": [{"id": "a", "itemType": "record", "links": [{"rel": "items", "type": "application/geo+json", "href": "/collections/a/items?f=json"}]},
				{"id": "roads", "itemType": "feature", "links": [{"rel": "items", "type": "application/geo+json", "href": "/collections/roads/items"}]},
				{"id": "b", "itemType": "record"}], "links": []}`
		case strings.HasSuffix(u.Path, "/items"):
			start := 0
			fmt.Sscan(u.Query().Get("offset"), &start)
			var list []string
			for i := start; i < min(start+10, n); i++ {
				list = append(list, fmt.Sprintf(`{"id": "%s%d", "type": "Feature", "properties": {"title": "Record %[1]s%[2]d"}}`, strings.Split(u.Path, "/")[2], i))
			}
			next := ""
			if start+10 < n {
				next = fmt.Sprintf(`{"rel": "next", "type": "application/geo+json", "href": "%s?offset=%d"}`, u.Path, start+10)
			}
			return `{"type": "FeatureCollection", "features": [` + strings.Join(list, ",") + `], "links": [` + next + `]}`
		}
		return ""
	}}
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := api(15)
	o := sourcetest.Run(t, Connector{}, s.Input(landing, nil))
	feedtest.CheckOutcome(t, o)
	if len(o.Drafts) != 30 || len(o.Rejections) != 0 || len(s.Asked) != 6 || len(s.Marks) != 3 {
		t.Fatalf("%d drafts, %v, asked %v, marks %v", len(o.Drafts), o.Rejections, s.Asked, s.Marks)
	}
	if s.Asked[2] != landing+"collections/a/items?f=json&limit=100" || o.Drafts[0].Entry.PrimarySourceURL != landing+"collections/a/items/a0" {
		t.Errorf("asked %v, %s", s.Asked, o.Drafts[0].Entry.PrimarySourceURL)
	}
	for i, drafts := range []int{20, 15, 5} {
		again := api(15)
		in := again.Input(landing, nil)
		in.Cursor = s.Marks[i]
		if rest := sourcetest.Run(t, Connector{}, in); len(rest.Drafts) != drafts {
			t.Errorf("after %s: %d drafts, want %d", s.Marks[i], len(rest.Drafts), drafts)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at      string
		filters map[string]string
		drafts  int
	}{
		{landing + "collections", nil, 10}, {landing + "collections/a/items", nil, 5}, {landing, map[string]string{FilterCollections: "b"}, 5},
		{landing, map[string]string{FilterCollections: "roads,b"}, 10}, {landing, map[string]string{FilterCollections: "none"}, 0},
	} {
		s := api(5)
		o := sourcetest.Run(t, Connector{}, s.Input(c.at, c.filters))
		if len(o.Drafts) != c.drafts || c.drafts == 0 && o.Codes()[source.CodeNoRecords] != 1 {
			t.Errorf("%s %v: %d drafts, %v", c.at, c.filters, len(o.Drafts), o.Rejections)
		}
	}
	s := &feedtest.Site{Answer: func(string) string { return "<html>" }}
	err := Connector{}.Run(t.Context(), s.Input(landing, nil), func(source.Draft) error { return nil }, func(source.Rejection) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "no JSON") {
		t.Errorf("HTML: %v", err)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	sourcetest.Failures(t, Connector{}, "a.json", `{"features": [{"id": "1", "properties": {"title": "A", "externalIds": [{"value": "https://geo.example.gov/1"}]}}]}`)
}

func FuzzOGCRecords(f *testing.F) {
	f.Add(fixture(f))
	f.Add([]byte(`{"features": [{"id": 1, "time": "x", "geometry": {}, "properties": {"title": {"en": "A"}, "contacts": ["x"], "themes": [{"concepts": [1]}]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		feedtest.CheckOutcome(t, sourcetest.Run(t, Connector{}, feedtest.File("a.json", data, landing)))
	})
}

// TestDates reads the dates of resources where a catalogue tells them from those of records.
func TestDates(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]string{
		`"created":"2020-01-02","updated":"2024-03-04"`:                                                    "2020-01-02 2024-03-04",
		`"created":"2020-01-02","updated":"2024-03-04","issued":"2011-01-01","modified":"2012-01-01"`:      "2011-01-01 2012-01-01",
		`"created":"2020-01-02","updated":"2024-03-04","issued":null,"modified":null`:                      "0001-01-01 0001-01-01",
		`"created":"2020-01-02","updated":"2024-03-04","issued":null,"modified":"2012-01-01T00:00:00Z"`:    "0001-01-01 2012-01-01",
		`"created":"2020-01-02","updated":"2024-03-04","issued":{"a":[1]},"modified":["2012-01-01", "no"]`: "0001-01-01 2012-01-01",
	} {
		page := `{"features":[{"type":"Feature","id":"a","geometry":null,"properties":{"type":"dataset","title":"Rivers",` + members + `},"links":[{"rel":"canonical","href":"https://geo.example.gov/rivers"}]}]}`
		o := sourcetest.Run(t, Connector{}, feedtest.File("items.json", []byte(page), landing))
		e := o.ByName(t, "Rivers").Entry
		if got := e.SourceIssuedAt.Format(time.DateOnly) + " " + e.SourceModifiedAt.Format(time.DateOnly); got != want {
			t.Errorf("%s: %s, want %s", members, got, want)
		}
	}
}
