package dynamic

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/dynamic/sitetest"
)

// oaiAnswer is what a harvester reads of an answer.
type oaiAnswer struct {
	Request struct {
		Verb string `xml:"verb,attr"`
	} `xml:"request"`
	Error struct {
		Code string `xml:"code,attr"`
	} `xml:"error"`
	Headers []oaiHeader `xml:"ListIdentifiers>header"`
	Records []oaiRecord `xml:"ListRecords>record"`
	One     []oaiRecord `xml:"GetRecord>record"`
	Sets    []string    `xml:"ListSets>set>setSpec"`
	Formats []string    `xml:"ListMetadataFormats>metadataFormat>metadataPrefix"`
	Deleted string      `xml:"Identify>deletedRecord"`
	Token   struct {
		Value string `xml:",chardata"`
		Size  int    `xml:"completeListSize,attr"`
	} `xml:"ListIdentifiers>resumptionToken"`
	Next string `xml:"ListRecords>resumptionToken"`
}

type oaiHeader struct {
	Status string   `xml:"status,attr"`
	ID     string   `xml:"identifier"`
	Stamp  string   `xml:"datestamp"`
	Sets   []string `xml:"setSpec"`
}

type oaiRecord struct {
	Header   oaiHeader `xml:"header"`
	Metadata struct {
		Titles []string `xml:"dc>title"`
		Inner  string   `xml:",innerxml"`
	} `xml:"metadata"`
}

func oaiSite(t *testing.T, entries int) (*Service, *sitetest.Site) {
	t.Helper()
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: entries})
	s, err := New(Config{SiteDir: site.Dir, Derived: []documents.Derived{{Type: "application/rdf+xml",
		From: func(route string) string { return strings.Replace(route, ".rdf", ".jsonld", 1) },
		Make: func(b []byte) ([]byte, error) { return append([]byte("<?xml version=\"1.0\"?>\n"), b...), nil }}}})
	if err != nil {
		t.Fatal(err)
	}
	return s, site
}

func oaiAsk(t *testing.T, s *Service, query string) oaiAnswer {
	t.Helper()
	w := get(s, http.MethodGet, "/api/v1/oai?"+query)
	var a oaiAnswer
	if err := xml.Unmarshal(w.Body.Bytes(), &a); w.Code != 200 || err != nil || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/xml") {
		t.Fatalf("%s: %d %v\n%s", query, w.Code, err, w.Body)
	}
	return a
}

// TestOAIHarvest walks all records by tokens: each stands once, those that left as
// deletions, and the record of each is the one that it has alone.
func TestOAIHarvest(t *testing.T) {
	s, site := oaiSite(t, 230)
	c := site.Catalog
	seen := map[string]oaiHeader{}
	pages, titles := 0, 0
	for query := "verb=ListRecords&metadataPrefix=oai_dc"; query != ""; pages++ {
		a := oaiAsk(t, s, query)
		for _, r := range a.Records {
			if _, twice := seen[r.Header.ID]; twice {
				t.Errorf("%s stands twice", r.Header.ID)
			}
			seen[r.Header.ID] = r.Header
			titles += len(r.Metadata.Titles)
		}
		if query = ""; a.Next != "" {
			query = "verb=ListRecords&resumptionToken=" + url.QueryEscape(a.Next)
		}
	}
	if want := len(c.Lines) + len(c.Gone); len(seen) != want || pages != (want+99)/100 || titles < len(c.Lines) {
		t.Errorf("%d records on %d pages with %d titles, want %d", len(seen), pages, titles, want)
	}
	for _, gone := range c.Gone {
		if seen["oai:register.example:"+gone.ID].Status != "deleted" {
			t.Errorf("%s is not deleted", gone.Slug)
		}
	}
	if a := oaiAsk(t, s, "verb=ListIdentifiers&metadataPrefix=oai_dc"); len(a.Headers) != len(seen) || a.Token.Value != "" {
		t.Errorf("%d identifiers", len(a.Headers))
	}
	one := oaiAsk(t, s, "verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:register.example:"+c.Lines[3].ID)
	if len(one.One) != 1 || len(one.One[0].Metadata.Titles) == 0 || one.One[0].Metadata.Titles[0] != c.Lines[3].Name {
		t.Errorf("one record: %+v", one.One)
	}
	for _, set := range oaiAsk(t, s, "verb=ListSets").Sets {
		for _, h := range oaiAsk(t, s, "verb=ListIdentifiers&metadataPrefix=oai_dc&set="+set).Headers {
			if h.Status == "" && !strings.Contains(fmt.Sprint(h.Sets), set) {
				t.Errorf("%s is not of %s", h.ID, set)
			}
		}
	}
	last := ""
	for _, h := range seen {
		last = max(last, h.Stamp)
	}
	for _, q := range []string{"from=" + last, "from=" + last[:10], "until=" + last} {
		got := oaiAsk(t, s, "verb=ListIdentifiers&metadataPrefix=oai_dc&"+q)
		want := 0
		for _, h := range seen {
			if strings.HasPrefix(q, "until") || h.Stamp >= strings.TrimPrefix(q, "from=") {
				want++
			}
		}
		if len(got.Headers) != want {
			t.Errorf("%s: %d records, want %d", q, len(got.Headers), want)
		}
	}
}

func TestOAIFormats(t *testing.T) {
	s, site := oaiSite(t, 3)
	id := site.Catalog.Lines[0].ID
	put(t, s, site, map[string]string{"/id/" + id + ".jsonld": "<rdf/>"})
	a := oaiAsk(t, s, "verb=GetRecord&metadataPrefix=dcat_ap&identifier=oai:register.example:"+id)
	if len(a.One) != 1 || strings.TrimSpace(a.One[0].Metadata.Inner) != "<rdf/>" {
		t.Errorf("%+v", a.One)
	}
	r := httptest.NewRequest(http.MethodPost, "/api/v1/oai", strings.NewReader("verb=Identify"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	if w.Code != 200 || !strings.Contains(w.Body.String(), "<deletedRecord>persistent</deletedRecord>") {
		t.Errorf("by POST: %d %s", w.Code, w.Body)
	}
	if f := oaiAsk(t, s, "verb=ListMetadataFormats").Formats; fmt.Sprint(f) != "[oai_dc dcat_ap]" {
		t.Errorf("formats %v", f)
	}
}

func TestOAIErrors(t *testing.T) {
	s, _ := oaiSite(t, 3)
	id := s.Snapshot()
	for query, want := range map[string]string{
		"": "badVerb", "verb=Nothing": "badVerb", "verb=Identify&verb=Identify": "badVerb", "verb=Identify&set=x": "badArgument",
		"verb=ListRecords": "badArgument", "verb=ListRecords&metadataPrefix=marc": "cannotDisseminateFormat", "verb=GetRecord&metadataPrefix=oai_dc": "badArgument",
		"verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:other:1":                                               "idDoesNotExist",
		"verb=ListRecords&metadataPrefix=oai_dc&from=2099-01-01":                                                    "noRecordsMatch",
		"verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01&until=2026-01-02T00:00:00Z":                         "badArgument",
		"verb=ListRecords&metadataPrefix=oai_dc&from=yesterday":                                                     "badArgument",
		"verb=ListRecords&metadataPrefix=oai_dc&from=2026-02-01&until=2026-01-01":                                   "badArgument",
		"verb=ListRecords&metadataPrefix=oai_dc&until=1900-01-01":                                                   "noRecordsMatch",
		"verb=ListRecords&metadataPrefix=oai_dc&until=1970-01-01T00:00:00Z":                                         "noRecordsMatch",
		"verb=ListRecords&resumptionToken=junk":                                                                     "badResumptionToken",
		"verb=ListRecords&resumptionToken=ListRecords,20200101-0123456789ab,oai_dc,,0,0,1":                          "badResumptionToken",
		"verb=ListRecords&resumptionToken=ListIdentifiers," + id + ",oai_dc,,0,0,1":                                 "badResumptionToken",
		"verb=ListRecords&resumptionToken=ListRecords," + id + ",oai_dc,nowhere,0,0,1":                              "badResumptionToken",
		"verb=ListRecords&metadataPrefix=oai_dc&from=":                                                              "badArgument",
		"verb=ListRecords&metadataPrefix=oai_dc&set=":                                                               "badArgument",
		"verb=ListRecords&metadataPrefix=oai_dc&from=2026-11-20T00:00:00.000Z":                                      "badArgument",
		"verb=ListRecords&metadataPrefix=oai_dc&resumptionToken=x":                                                  "badArgument",
		"verb=ListSets&resumptionToken=x":                                                                           "badResumptionToken",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&set=nope":                                                       "badArgument",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&set=country:ZZ":                                                 "noRecordsMatch",
		"verb=ListRecords&metadataPrefix=oai_dc&set=type:nothing":                                                   "noRecordsMatch",
		"verb=ListRecords&metadataPrefix=oai_dc&set=type:nothing&until=2000-01-01":                                  "noRecordsMatch",
		"verb=GetRecord&metadataPrefix=oai_dc&identifier=" + url.QueryEscape("\x01<&\"") + "&metadataPrefix=oai_dc": "badArgument",
	} {
		if a := oaiAsk(t, s, query); a.Error.Code != want {
			t.Errorf("%q: %q, want %s", query, a.Error.Code, want)
		}
	}
}
