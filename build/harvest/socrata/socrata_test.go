package socrata

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

const portal = "https://data.example.gov"

func fixture(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/results.json")
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

func TestResult(t *testing.T) {
	o := run(t, "results.json", fixture(t))
	d := o.ByName(t, "Crime reports")
	e := &d.Entry
	for _, c := range []struct{ field, got, want string }{
		{"primary", e.PrimarySourceURL, portal + "/d/aaaa-1111"}, {"landing page", e.Dataset.LandingPage, portal + "/dataset/Crime/aaaa-1111"},
		{"ref", e.UpstreamRef, "data.example.gov:socrata:aaaa-1111"}, {"description", e.Description, "Reports.\nDaily."}, {"tags", strings.Join(e.Tags, ","), "crime,police,public safety"},
		{"publisher", d.PublisherName, "Police"}, {"publisher url", d.PublisherURL, "https://police.example.gov"}, {"licence", e.LicenseRaw, "Public Domain"},
		{"frequency", e.Dataset.Frequency, "DAILY"}, {"spatial", strings.Join(e.Dataset.Spatial, ","), "Example City"}, {"formats", strings.Join(e.Formats, ","), "CSV,GEOJSON,JSON"},
		{"issued", e.SourceIssuedAt.Format(time.DateOnly), "2019-02-01"}, {"modified", e.SourceModifiedAt.Format(time.DateOnly), "2024-05-22"}, {"contact", e.Contact.Email, "opendata@example.gov"},
		{"download", e.Dataset.Distributions[0].DownloadURL, portal + "/api/views/aaaa-1111/rows.csv?accessType=DOWNLOAD"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.field, c.got, c.want)
		}
	}
	other := o.ByName(t, "Drug tests").Entry
	if other.UpstreamRef != "other.data.socrata.com:socrata:hhhh-8888" || !other.ThirdParty || other.Dataset.Distributions[0].Format != "PDF" ||
		other.PrimarySourceURL != "https://other.data.socrata.com/d/hhhh-8888" {
		t.Errorf("%+v %+v", other, other.Dataset)
	}
	want := map[source.Code]int{source.CodeHidden: 1, source.CodeNotData: 2, source.CodeTest: 1, source.CodeDraft: 1, source.CodeMissingName: 1}
	if len(o.Drafts) != 2 || fmt.Sprint(o.Codes()) != fmt.Sprint(want) {
		t.Errorf("%d drafts, %v, want %v", len(o.Drafts), o.Codes(), want)
	}
	for _, r := range o.Rejections {
		if r.UpstreamRef == "" {
			t.Errorf("a refused record cannot be told from a lost one: %+v", r)
		}
	}
}

func TestDraftName(t *testing.T) {
	for name, want := range map[string]bool{"Budget - DRAFT": true, "[Draft] Budget": true, "DRAFT: Budget": true, "Draft Environmental Impact Statements": false, "NFL draft picks": false, "Budget": false} {
		if got := draftName(name); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

func TestShapes(t *testing.T) {
	r := `{"resource":{"name":"A","id":"aaaa-1111","type":"dataset"},"metadata":{"domain":"data.example.gov"}}`
	for name, c := range map[string]struct {
		in     string
		drafts int
		code   source.Code
	}{
		"envelope": {`{"results":[` + r + `],"resultSetSize":1}`, 1, ""}, "array": {`[` + r + `]`, 1, ""}, "lines": {r + "\n" + r + "\n", 2, ""},
		"broken line": {r + "\n{\"resource\":{\n" + r + "\n", 2, source.CodeBrokenJSON}, "error": {`{"error":"Domain not found"}`, 0, source.CodeNoRecords}, "none": {`{"results":[],"resultSetSize":0}`, 0, ""},
	} {
		o := run(t, name, []byte(c.in))
		if len(o.Drafts) != c.drafts || c.code != "" && o.Codes()[c.code] != 1 || c.code == "" && len(o.Rejections) > 0 {
			t.Errorf("%s: %d drafts, %+v", name, len(o.Drafts), o.Rejections)
		}
	}
}

// site has n results, at most fifty on a page.
func site(n int) *feedtest.Site {
	return &feedtest.Site{Answer: func(raw string) string {
		u, _ := url.Parse(raw)
		var at int
		fmt.Sscan(u.Query().Get("offset"), &at)
		if id := u.Query().Get("scroll_id"); id != "" {
			fmt.Sscanf(id, "%d", &at)
			at++
		}
		var list []string
		for i := at; i < min(at+50, n); i++ {
			list = append(list, fmt.Sprintf(`{"resource":{"name":"N%d","id":"%05d","type":"dataset"},"metadata":{"domain":"data.example.gov"}}`, i, i))
		}
		return fmt.Sprintf(`{"results":[%s],"resultSetSize":%d}`, strings.Join(list, ","), n)
	}}
}

func TestLive(t *testing.T) {
	s := site(120)
	o := sourcetest.Run(t, Connector{}, s.Input(portal+"/browse", map[string]string{"only": "dataset", "categories": "a, b"}))
	if len(o.Drafts) != 120 || len(s.Asked) != 3 || len(s.Marks) != 2 || len(o.Rejections) != 0 {
		t.Fatalf("%d drafts, asked %v", len(o.Drafts), s.Asked)
	}
	u, _ := url.Parse(s.Asked[0])
	q := u.Query()
	if u.Host != "data.example.gov" || u.Path != "/api/catalog/v1" || q.Get("domains") != "data.example.gov" || q.Get("search_context") != "data.example.gov" ||
		q.Get("only") != "dataset" || len(q["categories"]) != 2 || q.Get("order") != "dataset_id" {
		t.Errorf("asked %s", s.Asked[0])
	}
	global := site(1)
	sourcetest.Run(t, Connector{}, global.Input("https://api.us.socrata.com/api/catalog/v1", map[string]string{"domains": "a.gov,b.gov"}))
	if u, _ := url.Parse(global.Asked[0]); len(u.Query()["domains"]) != 2 || u.Query().Has("search_context") {
		t.Errorf("asked %s", global.Asked[0])
	}
	again := site(120)
	in := again.Input(portal, nil)
	in.Cursor = s.Marks[1]
	if rest := sourcetest.Run(t, Connector{}, in); len(rest.Drafts) != 20 {
		t.Errorf("resumed: %d drafts", len(rest.Drafts))
	}
}

// Beyond the ten-thousandth result the API only scrolls.
func TestScrolls(t *testing.T) {
	s := site(10_120)
	o := sourcetest.Run(t, Connector{}, s.Input(portal, nil))
	if len(o.Drafts) != 10_120 || len(o.Rejections) != 0 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	if last := s.Asked[len(s.Asked)-1]; !strings.Contains(last, "scroll_id=") || strings.Contains(last, "offset=") || strings.Contains(last, "order=") {
		t.Errorf("asked %s", last)
	}
}

func TestSamePageTwice(t *testing.T) {
	s := &feedtest.Site{Answer: func(string) string {
		return `{"results":[{"resource":{"name":"N","id":"aaaa-1111","type":"dataset"}}],"resultSetSize":9}`
	}}
	o := sourcetest.Run(t, Connector{}, s.Input(portal, nil))
	if len(o.Drafts) != 1 || o.Codes()[source.CodeRepeatedPage] != 1 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Codes())
	}
}

func TestRealPortals(t *testing.T) {
	all := feedtest.Family(t, Connector{}, "data/socrata", "https://api.us.socrata.com", func(_ string, data []byte) int {
		return bytes.Count(bytes.TrimSpace(data), []byte{'\n'}) + 1
	})
	mixed := all["_mixed-small-portals.jsonl.gz"]
	if mixed.Codes()[source.CodeHidden] != 1 || mixed.Codes()[source.CodeNotData] != 2 {
		t.Errorf("small portals: %v", mixed.Codes())
	}
	community, invisible := 0, 0
	for i := range mixed.Drafts {
		if mixed.Drafts[i].Entry.ThirdParty {
			community++
		}
	}
	for _, o := range all {
		for i := range o.Drafts {
			d := &o.Drafts[i]
			if strings.ContainsAny(d.Entry.Name+d.Entry.Description, "\u200b\u0080") {
				t.Errorf("%s: an invisible character is left", d.Place)
			}
			if strings.Contains(feedtest.Note(d, "description")+feedtest.Note(d, "name"), "invisible characters removed") {
				invisible++
			}
		}
	}
	if community != 3 || invisible < 16 {
		t.Errorf("%d of the community, %d repaired texts", community, invisible)
	}
}

func FuzzSocrata(f *testing.F) {
	f.Add(fixture(f))
	f.Add([]byte(`[{"resource":{"id":1,"name":["a"],"columns_datatype":null},"classification":{"domain_metadata":[{}]},"metadata":{"domain":"a b"}}]`))
	f.Fuzz(func(t *testing.T, data []byte) { run(t, "in", data) })
}

// TestEntityOfThePortalsOwnFields: portals of other languages name the body in
// fields of their own, which go before the name of the account.
func TestEntityOfThePortalsOwnFields(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"Informacin-de-la-Entidad_Nombre-de-la-Entidad": "Alcaldía de Pasto",
		"Informaci-n-de-la-Entidad_Departamento":        "Ministerio TIC",
	} {
		o := run(t, "in", []byte(`[{"resource":{"id":"abcd-1234","name":"Datos","type":"dataset","attribution":"Ministerio TIC"},"permalink":"https://www.datos.gov.co/d/abcd-1234",`+
			`"classification":{"domain_metadata":[{"key":"`+key+`","value":"Alcaldía de Pasto"}]},"metadata":{"domain":"www.datos.gov.co"}}]`))
		if len(o.Drafts) != 1 || o.Drafts[0].PublisherName != want {
			t.Errorf("%s: %+v %+v", key, o.Drafts, o.Rejections)
		}
	}
}
