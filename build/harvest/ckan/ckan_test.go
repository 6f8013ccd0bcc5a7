package ckan

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

const portal = "https://data.example.gov"

func fixture(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/packages.jsonl")
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

func TestPackage(t *testing.T) {
	in := feedtest.File("packages.jsonl", fixture(t), portal)
	in.Source.CountryCode = "GB"
	o := sourcetest.Run(t, Connector{}, in)
	feedtest.CheckOutcome(t, o)
	d := o.ByName(t, "Parking places")
	e := &d.Entry
	for _, c := range []struct{ field, got, want string }{
		{"primary", e.PrimarySourceURL, portal + "/dataset/parking-places"}, {"landing page", e.Dataset.LandingPage, portal + "/dataset/parking-places"},
		{"ref", e.UpstreamRef, "data.example.gov:ckan:11111111-aaaa"}, {"description", e.Description, "All parking places.\nUpdated often, see here."},
		{"publisher", d.PublisherName, "City of Example"}, {"key", d.PublisherKey, "gb-city-of-example"}, {"licence", e.LicenseRaw, "uk-ogl"},
		{"tags", strings.Join(e.Tags, ","), "parking,transport"}, {"themes", strings.Join(e.Themes, ","), "TRAN"},
		{"formats", strings.Join(e.Formats, ","), "CSV,PDF,WMS_SRVC"}, {"frequency", e.Dataset.Frequency, "MONTHLY"},
		{"spatial", strings.Join(e.Dataset.Spatial, " "), "-1,50,1,52"}, {"country", e.CountryCode, "GB"},
		{"start", e.Dataset.TemporalStart.Format(time.DateOnly), "2019-01-01"}, {"end", e.Dataset.TemporalEnd.Format(time.DateOnly), "2020-12-31"},
		{"issued", e.SourceIssuedAt.Format(time.DateOnly), "2020-02-01"}, {"modified", e.SourceModifiedAt.Format(time.DateOnly), "2024-05-22"},
		{"contact", e.Contact.Email, "opendata@example.gov"}, {"version", e.Dataset.Version, "1.2"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.field, c.got, c.want)
		}
	}
	dist := e.Dataset.Distributions
	if len(dist) != 3 || dist[0].Format != "CSV" || dist[0].ByteSize != 2048 || dist[0].DownloadURL == "" || dist[0].ModifiedAt.IsZero() ||
		dist[1].AccessURL != "https://files.example.gov/parking%20map.pdf" || dist[1].DownloadURL != "" {
		t.Errorf("distributions %+v", dist)
	}
	if got := feedtest.Upstream(d, "formats"); got != "resources[].format" {
		t.Errorf("formats from %q", got)
	}
	if note := feedtest.Note(d, "dataset.distributions"); !strings.Contains(note, "1 of 5 files have no address") {
		t.Errorf("note %q", note)
	}
}

func TestLanguages(t *testing.T) {
	o := run(t, "packages.jsonl", fixture(t))
	e := o.ByName(t, "Données sur l'eau").Entry
	if e.NameEn != "Water data" || e.NativeLang != "fr" || e.DescriptionEn != "Levels." || e.Description != "Niveaux." {
		t.Errorf("%q, %q, %q, %q", e.NameEn, e.NativeLang, e.Description, e.DescriptionEn)
	}
	in := feedtest.File("p.json", []byte(`{"id":"1","name":"a","title":"Preise","resources":[]}`), portal)
	in.Source.Filters = map[string]string{"language": "de"}
	declared := sourcetest.Run(t, Connector{}, in)
	if got := declared.Drafts[0].Entry.NativeLang; got != "de" {
		t.Errorf("declared language: got %q", got)
	}
}

// A package of an unknown portal is known by the address of a file, that of an intranet where the register may hold such.
func TestAddressesOfAnIntranet(t *testing.T) {
	in := feedtest.File("p.json", []byte(`{"id":"1","name":"a","title":"Preise","resources":[{"url":"http://files.intranet/a.csv"}]}`), "")
	if o := sourcetest.Run(t, Connector{}, in); len(o.Drafts) != 0 || o.Codes()[source.CodeMissingURL] != 1 {
		t.Errorf("a public register: %d drafts, %v", len(o.Drafts), o.Codes())
	}
	in.AllowPrivate = true
	o := sourcetest.Run(t, Connector{}, in)
	if got := o.ByName(t, "Preise").Entry.PrimarySourceURL; got != "http://files.intranet/a.csv" {
		t.Errorf("address %q", got)
	}
}

// What the portal keeps back is refused with the reason, never dropped.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name, in string
		code     source.Code
	}{
		{"deleted", `{"id":"1","title":"a","state":"deleted","resources":[]}`, source.CodeDeleted},
		{"draft", `{"id":"1","title":"a","state":"draft-complete","resources":[]}`, source.CodeDraft},
		{"private", `{"id":"1","title":"a","private":true,"resources":[]}`, source.CodePrivate},
		{"private as text", `{"id":"1","title":"a","private":"True","resources":[]}`, source.CodePrivate},
		{"harvest source", `{"id":"1","title":"a","type":"harvest","resources":[]}`, source.CodeNotData},
		{"group", `{"id":"1","title":"a","name":"a","type":"group"}`, source.CodeNotData},
		{"test", `{"id":"1","title":"Test dataset 3","resources":[]}`, source.CodeTest},
		{"no name", `{"id":"1","resources":[]}`, source.CodeMissingName},
		{"failed answer", `{"help":"h","success":false,"error":{"message":"Access denied","__type":"x"}}`, source.CodeUpstreamError},
		{"no packages", `{"count":102,"returned":10}`, source.CodeNoRecords},
		{"not JSON", `<html></html>`, source.CodeBrokenJSON},
		{"empty", ``, source.CodeNoRecords},
		{"array of texts", `["a","b"]`, source.CodeInvalidField},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := run(t, "in", []byte(c.in))
			if len(o.Drafts) != 0 || o.Codes()[c.code] == 0 {
				t.Errorf("%d drafts, %v, want %s", len(o.Drafts), o.Codes(), c.code)
			}
		})
	}
}

func TestShapes(t *testing.T) {
	p := `{"id":"1","name":"a","title":"A","resources":[]}`
	for name, in := range map[string]string{
		"package_search": `{"help":"h","success":true,"result":{"count":1,"results":[` + p + `]}}`,
		"package_show":   `{"help":"h","success":true,"result":` + p + `}`,
		"inner result":   `{"count":1,"facets":{},"results":[` + p + `]}`,
		"current list":   `{"success":true,"result":[` + p + `]}`,
		"group_show":     `{"success":true,"result":{"title":"g","name":"g","packages":[` + p + `]}}`,
		"array":          `[` + p + `]`,
		"bare":           p,
		"lines":          p + "\n" + p + "\n",
	} {
		o := run(t, name, []byte(in))
		if len(o.Drafts) == 0 || len(o.Rejections) != 0 || o.Drafts[0].Entry.Name != "A" {
			t.Errorf("%s: %d drafts, %v", name, len(o.Drafts), o.Rejections)
		}
	}
}

// TestAccessRights: who may have it, as a field of its own or among the extras.
func TestAccessRights(t *testing.T) {
	for body, want := range map[string]catalog.AccessRights{
		`"access_rights":"http://publications.europa.eu/resource/authority/access-right/RESTRICTED"`: catalog.RightsRestricted,
		`"access_rights":"non-public"`: catalog.RightsNonPublic, `"extras":[{"key":"access_rights","value":"public"}]`: catalog.RightsPublic,
		`"access_rights":"by hand"`: "", `"notes":"x"`: "",
	} {
		o := run(t, "rights", []byte(`{"id":"1","name":"a","title":"A","resources":[],`+body+`}`))
		if len(o.Drafts) != 1 || o.Drafts[0].Entry.AccessRights != want {
			t.Errorf("%s: %+v, want %q", body, o.Drafts, want)
		}
	}
}

// The portal of a dump is known by its source, by a filter, or not at all.
func TestPortal(t *testing.T) {
	p := []byte(`{"id":"1","name":"a b","title":"A","resources":[{"url":""},{"url":"https://files.gov/a.csv"}]}`)
	for _, c := range []struct{ url, filter, want string }{
		{portal + "/catalogue/dataset?q=x", "", portal + "/catalogue/dataset/a%20b"}, {"", "https://other.gov", "https://other.gov/dataset/a%20b"}, {"", "", "https://files.gov/a.csv"},
	} {
		in := feedtest.File("dump.json", p, c.url)
		in.Source.Filters = map[string]string{"base": c.filter}
		if o := sourcetest.Run(t, Connector{}, in); len(o.Drafts) != 1 || o.Drafts[0].Entry.PrimarySourceURL != c.want {
			t.Errorf("%+v: %+v", c, o)
		}
	}
	s := site(3, 10, false)
	in := s.Input(portal, nil)
	in.Name, in.Source.Endpoint = "https://ckan.example.gov/api/3/action/package_search", "https://ckan.example.gov/api/3/action/package_search"
	o := sourcetest.Run(t, Connector{}, in)
	if !strings.HasPrefix(s.Asked[0], "https://ckan.example.gov/api/3/action/package_search?") || o.Drafts[0].Entry.PrimarySourceURL != portal+"/dataset/n0" {
		t.Errorf("asked %s, page %s", s.Asked[0], o.Drafts[0].Entry.PrimarySourceURL)
	}
}

func TestDirectory(t *testing.T) {
	p := `{"id":"1","name":"a","title":"A","resources":[]}`
	in := source.Input{Name: "dump", Source: catalog.Source{ID: "s", URL: portal}, Files: fstest.MapFS{
		"b.json": {Data: []byte(`[` + p + `]`)}, "a.jsonl": {Data: []byte(p + "\n{broken\n" + p)}, "notes.txt": {Data: []byte("x")},
		"json__3__action__package_search_Q_rows-1": {Data: []byte(`{"result":{"results":[` + p + `]}}`)}}}
	o := sourcetest.Run(t, Connector{}, in)
	if len(o.Drafts) != 4 || o.Codes()[source.CodeBrokenJSON] != 1 || o.Rejections[0].Place != "dump/a.jsonl:2" {
		t.Errorf("%d drafts, %+v", len(o.Drafts), o.Rejections)
	}
}

// site is a portal of n packages whose server lowers the page to cap, and which
// loses a package while it is paged.
func site(n, most int, shrinks bool) *feedtest.Site {
	return &feedtest.Site{Answer: func(raw string) string {
		u, _ := url.Parse(raw)
		var start, rows int
		fmt.Sscan(u.Query().Get("start"), &start)
		fmt.Sscan(u.Query().Get("rows"), &rows)
		total := n
		if shrinks && start > 0 {
			total--
		}
		var list []string
		for i := start; i < min(start+min(rows, most), total); i++ {
			list = append(list, fmt.Sprintf(`{"id":"id-%03d","name":"n%d","title":"T%d","resources":[]}`, i, i, i))
		}
		return fmt.Sprintf(`{"success":true,"result":{"count":%d,"results":[%s]}}`, total, strings.Join(list, ","))
	}}
}

func TestLive(t *testing.T) {
	for _, c := range []struct {
		name    string
		site    *feedtest.Site
		drafts  int
		pages   int
		filters map[string]string
	}{
		{"one page", site(10, 1000, false), 10, 1, nil},
		{"rows lowered by the server", site(25, 10, false), 25, 3, nil},
		{"exactly full pages", site(20, 10, false), 20, 2, nil},
		{"total shrinks", site(25, 10, true), 24, 3, nil},
		{"nothing", site(0, 10, false), 0, 1, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := sourcetest.Run(t, Connector{}, c.site.Input(portal+"/dataset", nil))
			if len(o.Drafts) != c.drafts || len(c.site.Asked) != c.pages || len(o.Rejections) != 0 {
				t.Errorf("%d drafts from %d pages, %v", len(o.Drafts), len(c.site.Asked), o.Rejections)
			}
			if len(c.site.Marks) != c.pages-1 {
				t.Errorf("marks %v", c.site.Marks)
			}
		})
	}
}

func TestResumeSinceAndFilters(t *testing.T) {
	s := site(25, 10, false)
	in := s.Input(portal, map[string]string{"fq": "res_format:CSV", "organization": "city"})
	in.Since = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	all := sourcetest.Run(t, Connector{}, in)
	u, _ := url.Parse(s.Asked[0])
	if got, want := u.Query().Get("fq"), `+(res_format:CSV) +organization:"city" +metadata_modified:[2026-01-02T03:04:05Z TO *]`; got != want {
		t.Errorf("fq %q, want %q", got, want)
	}
	if u.Path != "/api/3/action/package_search" || u.Query().Get("sort") != "id asc" {
		t.Errorf("asked %s", s.Asked[0])
	}
	again := site(25, 10, false)
	in = again.Input(portal, nil)
	in.Cursor = s.Marks[1]
	rest := sourcetest.Run(t, Connector{}, in)
	if len(all.Drafts) != 25 || len(rest.Drafts) != 5 || rest.Drafts[0].Entry.Name != "T20" {
		t.Errorf("%d, then %d drafts", len(all.Drafts), len(rest.Drafts))
	}
}

// A server that ignores start goes in circles.
func TestSamePageTwice(t *testing.T) {
	s := &feedtest.Site{Answer: func(string) string {
		return `{"result":{"count":50,"results":[{"id":"1","name":"a","title":"A","resources":[]}]}}`
	}}
	o := sourcetest.Run(t, Connector{}, s.Input(portal, nil))
	if len(o.Drafts) != 1 || o.Codes()[source.CodeRepeatedPage] != 1 || len(s.Asked) != 2 {
		t.Errorf("%d drafts, %v, %d pages", len(o.Drafts), o.Codes(), len(s.Asked))
	}
}

// A page that fails ends the run; what was read before it stays.
func TestFailedPage(t *testing.T) {
	good := site(25, 10, false)
	s := &feedtest.Site{Answer: func(u string) string {
		if strings.Contains(u, "start=10") {
			return ""
		}
		return good.Answer(u)
	}}
	n := 0
	err := Connector{}.Run(t.Context(), s.Input(portal, nil), func(source.Draft) error { n++; return nil }, func(source.Rejection) error { return nil })
	if err == nil || n != 10 || len(s.Marks) != 1 {
		t.Errorf("error %v, %d drafts, marks %v", err, n, s.Marks)
	}
}

// countCaptured counts packages with another parser.
func countCaptured(name string, data []byte) int {
	if !strings.HasPrefix(strings.TrimSpace(string(data)), "{") && !strings.HasPrefix(strings.TrimSpace(string(data)), "[") || strings.Contains(name, "uk-mock") {
		return -1
	}
	if strings.Contains(name, "jsonl") {
		return bytes.Count(bytes.TrimSpace(data), []byte{'\n'}) + 1
	}
	var doc any
	if json.Unmarshal(data, &doc) != nil {
		return -1
	}
	if list, ok := doc.([]any); ok {
		return len(list)
	}
	for _, key := range []string{"result", "results", "packages"} {
		switch v := doc.(map[string]any)[key].(type) {
		case []any:
			return len(v)
		case map[string]any:
			return len(v["results"].([]any))
		}
	}
	return 1
}

func TestRealCatalogues(t *testing.T) {
	all := feedtest.Family(t, Connector{}, "data/ckan", portal, countCaptured)
	depositar := all["depositar_packages.jsonl.gz"]
	empty, same, formats := 0, 0, map[string]bool{}
	for i := range depositar.Drafts {
		d := &depositar.Drafts[i]
		if strings.Contains(feedtest.Note(d, "dataset.distributions"), "no address") {
			empty++
		}
		if d.Entry.Name == "日治時期臺灣行政區域沿革" {
			same++
		}
		for _, f := range d.Entry.Formats {
			formats[f] = true
		}
		if strings.ContainsAny(d.Entry.Description, "\u2028\u2029") {
			t.Errorf("%s: a line separator is left", d.Place)
		}
	}
	if len(depositar.Drafts) != 1097 || empty != 29 || same != 10 {
		t.Errorf("depositar: %d drafts, %d with empty addresses, %d of one title", len(depositar.Drafts), empty, same)
	}
	if formats[".PDF"] || formats["EXTERNAL RESOURCES"] || formats["CSV.GZ"] || !formats["PDF"] || !formats["RAR"] || !formats["CSV"] {
		t.Errorf("formats %v", formats)
	}
	brazil := all["dados.pbh.gov.br_package_abridged.jsonl"]
	if len(brazil.Drafts) != 1 || !strings.Contains(feedtest.Note(&brazil.Drafts[0], "source_modified_at"), "before the date of issue") {
		t.Errorf("Belo Horizonte: %+v", brazil.Rejections)
	}
	zurich := all["data.stadt-zuerich.ch/ckan_package_search.json"]
	if len(zurich.Drafts) != 3 || zurich.Drafts[0].Entry.SourceModifiedAt.Format(time.DateOnly) != "2004-09-22" {
		t.Errorf("Zürich: %d drafts", len(zurich.Drafts))
	}
}

// The mock catalogue of data.gov.uk is a template; its server fills it in.
func TestMockHarvestSource(t *testing.T) {
	dir := sourcetest.Shared(t, "data/ckan/uk-mock-harvest-source")
	data, err := os.ReadFile(dir + "/json__3__action__package_search_Q_rows-100_A_start-0_A_sort-id_asc")
	if err != nil {
		t.Fatal(err)
	}
	raw := run(t, "raw", data)
	if len(raw.Drafts) != 0 || raw.Codes()[source.CodeBrokenJSON] != 3 {
		t.Errorf("template: %d drafts, %v", len(raw.Drafts), raw.Codes())
	}
	filled := strings.ReplaceAll(string(data), `<!--#echo var="mock_absolute_root_url" -->`, "https://mock.example.gov/")
	o := run(t, "filled", []byte(filled))
	if len(o.Drafts) != 2 || len(o.Rejections) != 0 {
		t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	e := o.Drafts[0].Entry
	if e.Dataset.Frequency != "NEVER" || e.Dataset.TemporalEnd.Format(time.DateOnly) != "2011-10-21" || !slices.Contains(e.Formats, "XLS") {
		t.Errorf("%+v %v", e.Dataset, e.Formats)
	}
}

func FuzzCKAN(f *testing.F) {
	f.Add(fixture(f))
	f.Add([]byte(`{"success":true,"result":{"results":[{"id":1,"title":{"fr":"x"},"extras":{"a":1},"tags":["x"],"resources":[{"url":" "}]}]}}`))
	f.Add([]byte(`[{"extras":[{"key":"spatial","value":"{"}],"organization":null,"resources":null}]`))
	f.Fuzz(func(t *testing.T, data []byte) { run(t, "in", data) })
}

// TestAFailedAnswerIsTold: an answer that failed ends the run with the words of
// the portal, whatever form they have, and nothing more is asked for.
func TestAFailedAnswerIsTold(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"message":"Search index \u001b[2J\u202eis\ndown","__type":"Search Error"}`: "Search index [2Jis down",
		`{"rows":["Must be an integer"],"__type":"Validation Error"}`:                `{"rows":["Must be an integer"],"__type":"Validation Error"}`,
		`"Bad request"`: "Bad request",
		`null`:          "it does not say which",
		`{"message":"` + strings.Repeat("é", 400) + `"}`: strings.Repeat("é", 150) + "…",
	} {
		asked := 0
		in := source.Input{Source: catalog.Source{URL: portal}, Fetch: func(context.Context, source.Request) (*source.Response, error) {
			asked++
			return &source.Response{Body: io.NopCloser(strings.NewReader(`{"success":false,"error":` + body + `}`))}, nil
		}}
		o := sourcetest.Run(t, Connector{}, in)
		if len(o.Rejections) != 1 || o.Rejections[0].Reason != "the portal answered with an error: "+want || asked != 1 {
			t.Errorf("%s: asked %d times, %+v", body, asked, o.Rejections)
		}
	}
}
