package datajson

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

const portal = "https://data.example.gov"

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func run(t testing.TB, name string, data []byte) sourcetest.Outcome {
	t.Helper()
	o := sourcetest.Run(t, Connector{}, feedtest.File(name, data, portal+"/"))
	feedtest.CheckOutcome(t, o)
	return o
}

func TestDataset(t *testing.T) {
	o := run(t, "data.json", fixture(t, "data.json"))
	d := o.ByName(t, "Road works")
	e := &d.Entry
	for _, c := range []struct{ field, got, want string }{
		{"primary", e.PrimarySourceURL, "https://data.example.gov/roads"}, {"landing page", e.Dataset.LandingPage, "https://data.example.gov/roads"},
		{"docs", e.DocsURL, "https://data.example.gov/roads/schema.json"}, {"ref", e.UpstreamRef, "data.example.gov:datajson:EX-1"},
		{"language", e.NativeLang, "en-US"}, {"publisher", d.PublisherName, "Road Office"}, {"tags", strings.Join(e.Tags, ","), "closures,roads,transport"},
		{"themes", strings.Join(e.Themes, ","), "TRAN"}, {"formats", strings.Join(e.Formats, ","), "CSV,REST"}, {"frequency", e.Dataset.Frequency, "DAILY"},
		{"spatial", strings.Join(e.Dataset.Spatial, " "), "-91,41,-90,42"}, {"end", e.Dataset.TemporalEnd.Format(time.DateOnly), "2020-12-31"},
		{"licence", e.LicenseRaw, "https://creativecommons.org/publicdomain/zero/1.0/"}, {"modified", e.SourceModifiedAt.Format(time.DateOnly), "2024-05-22"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.field, c.got, c.want)
		}
	}
	if e.Contact != nil {
		t.Errorf("a person's address was kept: %+v", e.Contact)
	}
	// One dataset is one entry: its API is one of its distributions.
	if dist := e.Dataset.Distributions; len(dist) != 2 || dist[0].Format != "REST" || dist[1].DownloadURL != "https://data.example.gov/roads.csv" {
		t.Errorf("distributions %+v", dist)
	}
	if note := feedtest.Note(d, "dataset.distributions"); !strings.Contains(note, "2 of 4 files") || !strings.Contains(note, "http2") {
		t.Errorf("note %q", note)
	}
}

// A dataset of a collection leads to it by the reference that the collection
// itself has.
func TestCollection(t *testing.T) {
	o := run(t, "data.json", []byte(`{"dataset": [
		{"identifier": "C", "title": "Roads", "landingPage": "https://data.example.gov/c"},
		{"identifier": "C-1", "title": "Roads, north", "landingPage": "https://data.example.gov/c1", "isPartOf": "C"},
		{"identifier": "C-2", "title": "Roads, south", "landingPage": "https://data.example.gov/c2", "isPartOf": ["C"]}]}`))
	collection := o.ByName(t, "Roads").Entry
	for _, name := range []string{"Roads, north", "Roads, south"} {
		got := o.ByName(t, name).Entry.Relations
		if len(got) != 1 || got[0].Kind != catalog.RelationSeries || got[0].Ref != collection.UpstreamRef {
			t.Errorf("%s has the relations %+v, want one to %s", name, got, collection.UpstreamRef)
		}
	}
	if len(collection.Relations) > 0 {
		t.Errorf("the collection has the relations %+v", collection.Relations)
	}
}

// TestAddressesOfAnIntranet: a record or service without a page of its own is known by an address of an intranet where
// the register may hold such addresses, and is rejected elsewhere.
func TestAddressesOfAnIntranet(t *testing.T) {
	data := []byte(`{"dataset": [{"identifier": "A", "title": "Roads", "distribution": [{"downloadURL": "http://files.intranet/a.csv"}]}],
		"service": [{"identifier": "S", "title": "Roads as a service", "endpointURL": "http://10.0.0.7/api", "servesDataset": [{"identifier": "http://files.intranet/a", "title": "Roads"}]}]}`)
	in := feedtest.File("data.json", data, portal+"/")
	if o := sourcetest.Run(t, Connector{}, in); o.Codes()[source.CodeBadURL]+o.Codes()[source.CodeMissingURL] < 2 {
		t.Errorf("a public register: %d drafts, %v", len(o.Drafts), o.Codes())
	}
	in.AllowPrivate = true
	o := sourcetest.Run(t, Connector{}, in)
	service := &o.ByName(t, "Roads as a service").Entry
	if a, b := o.ByName(t, "Roads").Entry.PrimarySourceURL, service.PrimarySourceURL; a != "http://files.intranet/a.csv" || b != "http://10.0.0.7/api" {
		t.Errorf("addresses %q and %q", a, b)
	}
	if len(service.Members) != 1 || service.Members[0].URL != "http://files.intranet/a" {
		t.Errorf("members %+v", service.Members)
	}
}

func TestQuirks(t *testing.T) {
	o := run(t, "data.json", fixture(t, "data.json"))
	want := map[source.Code]int{source.CodePrivate: 1, source.CodeMissingName: 1, source.CodeMissingURL: 1, source.CodeBadURL: 1, source.CodeBrokenJSON: 1}
	if len(o.Drafts) != 5 || fmt.Sprint(o.Codes()) != fmt.Sprint(want) {
		t.Fatalf("%d drafts, %v, want 5 and %v", len(o.Drafts), o.Codes(), want)
	}
	interval := o.ByName(t, "Interval")
	if note := feedtest.Note(interval, "source_modified_at"); !strings.Contains(note, "repeating interval") || !interval.Entry.SourceModifiedAt.IsZero() {
		t.Errorf("interval: %q", note)
	}
	if e := interval.Entry; e.LicenseRaw != "" || e.Contact == nil || strings.Join(e.Dataset.Spatial, " ") != "Iowa -90,41,-90,41" || len(e.Dataset.Distributions) != 1 {
		t.Errorf("%+v", e)
	}
	again := o.ByName(t, "Interval again")
	if again.Entry.UpstreamRef != interval.Entry.UpstreamRef || again.Entry.SourceModifiedAt.Year() != 2015 || !slices.Equal(again.Entry.Tags, []string{"one", "two"}) {
		t.Errorf("%+v", again.Entry)
	}
	if note := feedtest.Note(again, "free_access_class"); !strings.Contains(note, "restricted public: Ask us.") || again.Entry.FreeAccessClass != "" {
		t.Errorf("access: %q", note)
	}
	ministry := o.ByName(t, "Ministry")
	if ministry.Entry.PrimarySourceURL != "https://data.example.gov/3.csv" || !strings.Contains(feedtest.Note(ministry, "dataset.landing_page"), "Ministry of Roads") {
		t.Errorf("ministry: %+v", ministry.Entry)
	}
	if got := o.ByName(t, "Last").Entry.Description; got != "" {
		t.Errorf("an unfilled template became a description: %q", got)
	}
	for _, r := range o.Rejections {
		if r.Code == source.CodeBrokenJSON && r.Place != "data.json:27" {
			t.Errorf("place %s", r.Place)
		}
	}
}

func TestVersion3(t *testing.T) {
	o := run(t, "dcat3.json", fixture(t, "dcat3.json"))
	var names []string
	for _, d := range o.Drafts {
		names = append(names, d.Entry.Name)
	}
	if got := strings.Join(names, ", "); got != "Top, Climate API, Served, 2023, 2024, In child, In grandchild" {
		t.Errorf("drafts %s", got)
	}
	if o.Codes()[source.CodeMissingURL] != 1 || o.Codes()[source.CodeNotData] != 1 || len(o.Rejections) != 2 {
		t.Errorf("rejections %+v", o.Rejections)
	}
	top := o.ByName(t, "Top").Entry
	if top.UpstreamRef != "data.example.gov:datajson:https://example.gov/d/top" || top.Dataset.Spatial[0] != "Ohio" || top.Dataset.TemporalEnd.Year() != 2020 ||
		top.Dataset.Distributions[0].MediaType != "" || top.Dataset.Distributions[0].ByteSize != 12 || top.Formats[0] != "CSV" || top.Contact.Email != "help@example.gov" {
		t.Errorf("%+v %+v", top, top.Dataset)
	}
	api := o.ByName(t, "Climate API").Entry
	if api.Type != catalog.TypeAPI || api.API.BaseURL != "https://api.example.gov/climate/v1" || api.API.OpenAPIURL == "" || api.API.SpecFormat != "openapi" ||
		len(api.Members) != 2 || api.Members[1].Title != "Served" {
		t.Errorf("%+v %+v", api.API, api.Members)
	}
}

// Version 3.0 has documents with titles, texts by language, polygons and licences of files.
func TestVersion3Forms(t *testing.T) {
	o := run(t, "forms.json", []byte(`{"dataset":[{"@id":"https://example.gov/d/1","title":"Luft","titleMap":{"de":"Luft","en":"Air"},"description":"Staub","descriptionMap":{"de":"Staub","en":"Dust"},
		"keyword":["luft"],"keywordMap":{"de":["luft"],"en":["air"]},"landingPage":{"@type":"Document","title":"Luft","@id":"https://example.gov/luft"},
		"describedBy":{"@type":"Distribution","title":"Felder","downloadURL":"https://example.gov/fields.json"},"page":[{"title":"Mehr","accessURL":"https://example.gov/more"}],
		"spatial":[{"@type":"Location","bbox":{"type":"Polygon","coordinates":[[[1,50],[2,50],[2,51],[1,51],[1,50]]]}},{"@type":"Location","bbox":"{\"type\":\"Polygon\",\"coordinates\":[[[3,50],[4,51]]]}"}],
		"distribution":[{"accessURL":"https://example.gov/a","license":"https://creativecommons.org/licenses/by/4.0/"},{"downloadURL":"https://example.gov/b.csv","license":"https://creativecommons.org/licenses/by/4.0/"}]}]}`))
	e := o.ByName(t, "Luft").Entry
	for _, c := range []struct{ field, got, want string }{{"language", e.NativeLang, "de"}, {"English", e.Titles["en"] + e.Descriptions["en"], "AirDust"}, {"keywords", fmt.Sprint(e.Keywords), "map[de:[luft] en:[air]]"},
		{"page", e.Dataset.LandingPage, "https://example.gov/luft"}, {"fields", e.DocsURL, "https://example.gov/fields.json"}, {"places", strings.Join(e.Dataset.Spatial, " "), "1,50,2,51 3,50,4,51"},
		{"licence", e.LicenseRaw, "https://creativecommons.org/licenses/by/4.0/"}} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.field, c.got, c.want)
		}
	}
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name, in string
		drafts   int
		code     source.Code
	}{
		{"no datasets", `{"conformsTo":"x","dataset":[]}`, 0, ""},
		{"list of version 1.0", `[{"identifier":"1","title":"A","accessURL":"https://a.gov/a.csv","format":"text/csv","webService":"https://a.gov/api"}]`, 1, ""},
		{"bare dataset", `{"identifier":"1","title":"A","landingPage":"https://a.gov"}`, 1, ""},
		{"catalogue without list", `{"@type":"dcat:Catalog","title":"x","conformsTo":"x"}`, 0, source.CodeNoRecords},
		{"other object", `{"hello":"world"}`, 0, source.CodeNoRecords},
		{"null dataset", `{"dataset":null}`, 0, source.CodeNoRecords},
		{"one dataset instead of a list", `{"dataset":{"identifier":"1","title":"A","landingPage":"https://a.gov"}}`, 1, ""},
		{"texts in the list", `{"dataset":["a",{"identifier":"1","title":"A","landingPage":"https://a.gov"}]}`, 1, source.CodeInvalidField},
		{"odd members", `{"dataset":[{"identifier":7,"title":["A"],"landingPage":"https://a.gov","publisher":"P","contactPoint":"x","distribution":"none","keyword":null,"temporal":{},"spatial":{}}]}`, 1, ""},
		{"test record", `{"dataset":[{"title":"Test","landingPage":"https://a.gov"}]}`, 0, source.CodeTest},
		{"deep catalogues", strings.Repeat(`{"title":"c","catalog":[`, 20) + `{"title":"c","dataset":[{"title":"A"}]}` + strings.Repeat(`]}`, 20), 0, source.CodeInvalidField},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := run(t, c.name, []byte(c.in))
			if len(o.Drafts) != c.drafts || c.code != "" && o.Codes()[c.code] != 1 || c.code == "" && len(o.Rejections) > 0 {
				t.Errorf("%d drafts, %+v", len(o.Drafts), o.Rejections)
			}
		})
	}
}

func TestLive(t *testing.T) {
	for address, want := range map[string]string{
		"https://data.example.gov":                          "https://data.example.gov/data.json",
		"https://data.example.gov/open/":                    "https://data.example.gov/open/data.json",
		"https://data.example.gov/x/feed.json":              "https://data.example.gov/x/feed.json",
		"https://data.example.gov/api/feed/dcat-us/1.1":     "https://data.example.gov/api/feed/dcat-us/1.1",
		"https://data.example.gov/harvest?format=data.json": "https://data.example.gov/harvest?format=data.json",
	} {
		s := &feedtest.Site{Answer: func(string) string { return string(fixture(t, "dcat3.json")) }}
		o := sourcetest.Run(t, Connector{}, s.Input(address, nil))
		if len(o.Drafts) != 7 || len(s.Asked) != 1 || s.Asked[0] != want {
			t.Errorf("%s: %d drafts, asked %v, want %s", address, len(o.Drafts), s.Asked, want)
		}
	}
}

// count counts the records of a file with another parser: datasets, services,
// and what lies in series, services and catalogues.
func count(_ string, data []byte) int {
	var walk func(v any) int
	walk = func(v any) int {
		o, ok := v.(map[string]any)
		if !ok {
			return 0
		}
		n := 0
		for _, key := range []string{"dataset", "seriesMember", "servesDataset", "service", "datasetSeries", "catalog"} {
			list, _ := o[key].([]any)
			for _, item := range list {
				if key != "datasetSeries" && key != "catalog" {
					n++
				}
				n += walk(item)
			}
		}
		return n
	}
	var doc any
	if json.Unmarshal(data, &doc) != nil {
		return -1
	}
	return walk(doc)
}

func TestRealCatalogues(t *testing.T) {
	all := feedtest.Family(t, Connector{}, "data/datajson", portal, count)
	if o := all["arcgis-hub/05b-27057_20211231.data.json"]; len(o.Drafts) != 0 || len(o.Rejections) != 0 {
		t.Errorf("the empty catalogue: %+v", o)
	}
	detroit := all["arcgis-hub/07c-01_20220417.data.json.gz"]
	same := 0
	for _, d := range detroit.Drafts {
		if strings.HasSuffix(d.Entry.UpstreamRef, "detroitmi::restaurants") {
			same++
		}
	}
	if same != 2 {
		t.Errorf("%d records of one identifier, want 2", same)
	}
	iowa := all["arcgis-hub/03a-03_20220417.data.json.gz"]
	broken := 0
	for i := range iowa.Drafts {
		if strings.Contains(feedtest.Note(&iowa.Drafts[i], "dataset.distributions"), "http2://") {
			broken++
		}
	}
	if broken != 1 {
		t.Errorf("%d records with the broken address, want 1", broken)
	}
	intervals := 0
	fda := all["us-federal/fda.data.json"]
	for i := range fda.Drafts {
		if strings.Contains(feedtest.Note(&fda.Drafts[i], "source_modified_at"), "repeating interval") {
			intervals++
		}
	}
	if intervals != 18 {
		t.Errorf("%d intervals for dates, want 18", intervals)
	}
	html := all["arcgis-hub/03b-19113_20220417.data.json.gz"]
	for _, d := range html.Drafts {
		if strings.Contains(d.Entry.LicenseRaw, "<") {
			t.Errorf("HTML is left in the licence: %.80s", d.Entry.LicenseRaw)
		}
	}
	for _, d := range all["arcgis-hub/05b-27139_20211231.data.json"].Drafts {
		if d.Entry.LicenseRaw != "" {
			t.Errorf("null became the licence %q", d.Entry.LicenseRaw)
		}
	}
	long := all["gsa-examples/dcatus_long_description.json"].Drafts[0].Entry
	if len(long.Description) > catalog.DescriptionMax || len(long.Description) < catalog.DescriptionMax/2 {
		t.Errorf("the description has %d bytes", len(long.Description))
	}
	if o := all["gsa-examples/missing_title.json"]; o.Codes()[source.CodeMissingName] != 1 {
		t.Errorf("missing title: %v", o.Codes())
	}
	warned := all["gsa-examples/dcatus3_0_warning.json"].Drafts[0]
	if !strings.Contains(feedtest.Note(&warned, "source_modified_at"), "before the date of issue") {
		t.Error("the order of the dates is not noted")
	}
}

func FuzzDataJSON(f *testing.F) {
	f.Add(fixture(f, "data.json"))
	f.Add(fixture(f, "dcat3.json"))
	f.Add([]byte(`{"dataset":[{"title":{"en":"x"},"spatial":[1,2,3,4],"temporal":["R/P1Y",{}],"publisher":[],"distribution":[null,1,{}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) { run(t, "in", data) })
}

func BenchmarkMapping(b *testing.B) {
	data, err := os.ReadFile(sourcetest.Shared(b, "data/datajson/us-federal/energy.data.json.gz"))
	if err != nil {
		b.Fatal(err)
	}
	var file struct{ Dataset []dataset }
	if err := json.Unmarshal(feedtest.Unzip(b, data), &file); err != nil {
		b.Fatal(err)
	}
	in := feedtest.File("in", nil, portal)
	m := mapper{in: &in, emit: func(source.Draft) error { return nil }, reject: func(source.Rejection) error { return nil }}
	for i := 0; b.Loop(); i++ {
		if err := m.dataset(&file.Dataset[i%len(file.Dataset)], where{place: "in:1", seed: portal}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkRun(b *testing.B) {
	data, err := os.ReadFile(sourcetest.Shared(b, "data/datajson/arcgis-hub/12b-17097_20220417.data.json.gz"))
	if err != nil {
		b.Fatal(err)
	}
	plain := feedtest.Unzip(b, data)
	b.SetBytes(int64(len(plain)))
	n := 0
	for b.Loop() {
		err := Connector{}.Run(b.Context(), feedtest.File("in", plain, portal), func(source.Draft) error { n++; return nil }, func(source.Rejection) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "records/s")
}
