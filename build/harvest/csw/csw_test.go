package csw

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

const endpoint = "https://geo.example.gov/csw"

func iso(id string) string {
	return fmt.Sprintf(`<gmd:MD_Metadata xmlns:gmd="%s" xmlns:gco="http://www.isotc211.org/2005/gco"><gmd:fileIdentifier><gco:CharacterString>%s</gco:CharacterString></gmd:fileIdentifier>`+
		`<gmd:identificationInfo><gmd:MD_DataIdentification><gmd:citation><gmd:CI_Citation><gmd:title><gco:CharacterString>Record %[2]s</gco:CharacterString></gmd:title></gmd:CI_Citation></gmd:citation></gmd:MD_DataIdentification></gmd:identificationInfo></gmd:MD_Metadata>`, gmd, id)
}

func dc(id string) string {
	return fmt.Sprintf(`<csw:Record><dc:identifier xmlns:dc="http://purl.org/dc/elements/1.1/">%s</dc:identifier><dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">Record %[1]s</dc:title></csw:Record>`, id)
}

func results(matched, next int, records ...string) string {
	return fmt.Sprintf(`<?xml version="1.0"?><csw:GetRecordsResponse xmlns:csw="%s"><csw:SearchResults numberOfRecordsMatched="%d" numberOfRecordsReturned="%d" nextRecord="%d">%s</csw:SearchResults></csw:GetRecordsResponse>`,
		core, matched, len(records), next, strings.Join(records, "\n"))
}

const exceptionReport = `<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows"><ows:Exception exceptionCode="InvalidParameterValue" locator="outputSchema"><ows:ExceptionText>unknown schema</ows:ExceptionText></ows:Exception></ows:ExceptionReport>`

// catalogue is a service of n records that gives at most cap of them at once.
func catalogue(n, most int, knowsISO bool) *feedtest.Site {
	return &feedtest.Site{Answer: func(raw string) string {
		u, _ := url.Parse(raw)
		q := u.Query()
		if !knowsISO && q.Get("outputSchema") == gmd {
			return exceptionReport
		}
		start, want := number(q.Get("startPosition")), number(q.Get("maxRecords"))
		var list []string
		for i := start; i < min(start+min(want, most), n+1); i++ {
			if knowsISO {
				list = append(list, iso(fmt.Sprint("r", i)))
			} else {
				list = append(list, dc(fmt.Sprint("r", i)))
			}
		}
		next := start + len(list)
		if next > n {
			next = 0
		}
		return results(n, next, list...)
	}}
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := catalogue(45, 20, true)
	o := sourcetest.Run(t, Connector{}, s.Input(endpoint+"?map=x&SERVICE=CSW&Request=GetCapabilities", nil))
	feedtest.CheckOutcome(t, o)
	if len(o.Drafts) != 45 || len(o.Rejections) != 0 || len(s.Asked) != 4 || len(s.Marks) != 2 {
		t.Fatalf("%d drafts, %v, asked %v", len(o.Drafts), o.Rejections, s.Asked)
	}
	u, _ := url.Parse(s.Asked[2])
	q := u.Query()
	if q.Get("startPosition") != "21" || q.Get("map") != "x" || q.Get("outputSchema") != gmd || q.Get("request") != "GetRecords" || q.Has("Request") || q.Get("elementSetName") != "full" {
		t.Errorf("asked %s", s.Asked[2])
	}
	e := o.Drafts[0].Entry
	if e.UpstreamRef != "geo.example.gov:csw:r1" || !strings.Contains(e.PrimarySourceURL, "request=GetRecordById") || !strings.Contains(e.PrimarySourceURL, "id=r1") {
		t.Errorf("%+v", e)
	}
	again := catalogue(45, 20, true)
	in := again.Input(endpoint, nil)
	in.Cursor = s.Marks[1]
	if rest := sourcetest.Run(t, Connector{}, in); len(rest.Drafts) != 5 || rest.Drafts[0].Entry.Name != "Record r41" {
		t.Errorf("after the cursor: %d drafts", len(rest.Drafts))
	}
}

// A service that knows no ISO is asked for Dublin Core.
func TestFallback(t *testing.T) {
	t.Parallel()
	s := catalogue(3, 50, false)
	o := sourcetest.Run(t, Connector{}, s.Input(endpoint, map[string]string{FilterPage: "https://geo.example.gov/records/{id}"}))
	feedtest.CheckOutcome(t, o)
	if len(o.Drafts) != 3 || len(o.Rejections) != 0 || len(s.Asked) != 4 {
		t.Fatalf("%d drafts, %v, asked %v", len(o.Drafts), o.Rejections, s.Asked)
	}
	if e := o.Drafts[2].Entry; e.PrimarySourceURL != "https://geo.example.gov/records/r3" || e.UpstreamRef != "geo.example.gov:csw:r3" {
		t.Errorf("%+v", e)
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	s := catalogue(1, 50, true)
	sourcetest.Run(t, Connector{}, s.Input(endpoint, map[string]string{FilterSchema: "http://www.w3.org/ns/dcat#", FilterConstraint: "AnyText LIKE '%water%'"}))
	u, _ := url.Parse(s.Asked[1])
	if q := u.Query(); q.Get("outputSchema") != "http://www.w3.org/ns/dcat#" || q.Get("constraint") != "AnyText LIKE '%water%'" || q.Get("constraintLanguage") != "CQL_TEXT" {
		t.Errorf("asked %s", s.Asked[1])
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		answer func(start int) string
		drafts int
		code   source.Code
	}{
		{"exception", func(int) string { return exceptionReport }, 0, CodeException},
		{"fewer than counted", func(start int) string {
			if start > 1 {
				return results(9, 0)
			}
			return results(9, 3, iso("1"), iso("2"))
		}, 2, source.CodeTruncated},
		{"goes back", func(int) string { return results(9, 1, iso("1")) }, 1, source.CodeRepeatedPage},
		{"HTML", func(int) string { return "<!DOCTYPE html><html>login" }, 0, source.CodeBrokenXML},
		{"broken in the middle", func(int) string {
			return strings.Replace(results(2, 0, iso("1"), iso("2")), "Record 2", "Record <2", 1)
		}, 1, source.CodeBrokenXML},
	} {
		s := &feedtest.Site{Answer: func(raw string) string {
			u, _ := url.Parse(raw)
			return c.answer(number(u.Query().Get("startPosition")))
		}}
		o := sourcetest.Run(t, Connector{}, s.Input(endpoint, map[string]string{FilterPage: endpoint + "/{id}"}))
		if len(o.Drafts) != c.drafts || o.Codes()[c.code] == 0 {
			t.Errorf("%s: %d drafts, %v", c.name, len(o.Drafts), o.Rejections)
		}
	}
	s := &feedtest.Site{Answer: func(string) string { return exceptionReport }}
	o := sourcetest.Run(t, Connector{}, s.Input(endpoint, nil))
	if len(o.Rejections) != 1 || !strings.Contains(o.Rejections[0].Reason, "InvalidParameterValue, outputSchema, unknown schema") {
		t.Errorf("%+v", o.Rejections)
	}
}

func TestAfter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		start, want int
		a           answer
	}{
		{"as the page says", 1, 51, answer{records: 50, matched: 120, next: 51}}, {"last", 101, 0, answer{records: 20, matched: 120, next: 0}},
		{"next beyond the last", 101, 0, answer{records: 20, matched: 120, next: 121}}, {"no next stated", 1, 51, answer{records: 50, matched: 120, next: -1}},
		{"no next stated, last", 101, 0, answer{records: 20, matched: 120, next: -1}}, {"nothing stated", 51, 101, answer{records: 50, matched: -1, next: -1}},
		{"nothing stated, empty", 101, 0, answer{matched: -1, next: -1}},
	} {
		at, bad := after(fmt.Sprintf("%s?startPosition=%d", endpoint, c.start), c.a)
		want := ""
		if c.want > 0 {
			want = fmt.Sprintf("%s?startPosition=%d", endpoint, c.want)
		}
		if at != want || bad != nil {
			t.Errorf("%s: %q, %v", c.name, at, bad)
		}
	}
}

func fixture(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/records.xml")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestCore reads captured records of Dublin Core.
func TestCore(t *testing.T) {
	t.Parallel()
	o := sourcetest.Run(t, Connector{}, feedtest.File("records.xml", fixture(t), endpoint))
	feedtest.CheckOutcome(t, o)
	d := o.ByName(t, "Rivières")
	e := &d.Entry
	for _, c := range []struct{ field, got, want string }{
		{"english", e.NameEn, "Rivers"}, {"description", e.Description, "Toutes les rivières."}, {"publisher", d.PublisherName, "Office de l'eau"},
		{"creator", e.Creators[0].Names["fr"], "Service hydrologique"}, {"languages", fmt.Sprint(e.Languages), "[fr]"},
		{"identifiers", fmt.Sprint(e.Identifiers), "[https://doi.org/10.1234/rivers]"}, {"address", e.PrimarySourceURL, "https://doi.org/10.1234/rivers"},
		{"tags", fmt.Sprint(e.Tags), "[environment rivières]"}, {"themes", fmt.Sprint(e.Themes), "[ENVI]"},
		{"rights", string(e.AccessRights), "PUBLIC"}, {"licence", e.LicenseRaw, "https://creativecommons.org/licenses/by/4.0/"},
		{"issued", e.SourceIssuedAt.Format(time.DateOnly), "2020-01-02"}, {"modified", e.SourceModifiedAt.Format(time.DateOnly), "2024-03-04"},
		{"spatial", fmt.Sprint(e.Dataset.Spatial), "[Examplia 5.9,45.8,10.5,47.8]"}, {"start", e.Dataset.TemporalStart.Format(time.DateOnly), "2019-01-01"},
		{"formats", fmt.Sprint(e.Formats), "[GPKG SHP WMS_SRVC]"}, {"files", fmt.Sprint(len(e.Dataset.Distributions), e.Dataset.Distributions[1].DownloadURL), "2https://geo.example.gov/rivers.gpkg"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.field, c.got, c.want)
		}
	}
	s := o.ByName(t, "River service").Entry
	if s.Type != catalog.TypeAPI || s.API.SpecFormat != "ogc-wfs" || s.API.BaseURL != "https://geo.example.gov/wfs" || s.PrimarySourceURL != s.API.BaseURL {
		t.Errorf("%+v", s)
	}
	want := map[source.Code]int{source.CodeNotData: 1, source.CodeMissingName: 1, source.CodeMissingURL: 1}
	if len(o.Drafts) != 2 || fmt.Sprint(o.Codes()) != fmt.Sprint(want) {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
}

func TestCapturedFolder(t *testing.T) {
	t.Parallel()
	in := source.Input{Name: "dump", Source: catalog.Source{ID: "s", URL: endpoint, Filters: map[string]string{FilterPage: endpoint + "/{id}"}}, Files: fstest.MapFS{
		"1.xml": {Data: []byte(results(2, 2, iso("1")))}, "2.xml": {Data: []byte(results(2, 0, dc("2")))}, "3.xml": {Data: []byte(exceptionReport)}, "4.xml": {Data: []byte(results(0, 0))}}}
	o := sourcetest.Run(t, Connector{}, in)
	if len(o.Drafts) != 2 || o.Codes()[CodeException] != 1 || o.Codes()[source.CodeNoRecords] != 1 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
}

// TestLive reads a service over HTTP that refuses ISO with a status.
func TestLive(t *testing.T) {
	t.Parallel()
	site := catalogue(60, 50, false)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("outputSchema") == gmd {
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = io.WriteString(w, site.Answer(r.URL.String()))
	}))
	defer server.Close()
	session := fetch.New(fetch.Options{Client: server.Client(), Gap: time.Millisecond, Attempts: 1}).Session(nil)
	in := source.Input{Name: server.URL + "/csw", Source: catalog.Source{ID: "s", URL: server.URL + "/csw"}, Now: sourcetest.Now, Fetch: session.Fetch, AllowPrivate: true}
	o := sourcetest.Run(t, Connector{}, in)
	if len(o.Drafts) != 60 || len(o.Rejections) != 0 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	good := strings.ReplaceAll(results(1, 0, dc("https://geo.example.gov/1")), "\n", "")
	sourcetest.Failures(t, Connector{}, "a.xml", good)
}

func FuzzCSW(f *testing.F) {
	f.Add(fixture(f))
	f.Add([]byte(results(9, 3, iso("1"), dc("2"))))
	f.Add([]byte(exceptionReport))
	f.Fuzz(func(t *testing.T, data []byte) {
		o := sourcetest.Run(t, Connector{}, feedtest.File("a.xml", data, endpoint))
		feedtest.CheckOutcome(t, o)
	})
}
