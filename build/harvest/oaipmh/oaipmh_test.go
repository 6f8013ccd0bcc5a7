package oaipmh

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assay-register/assay/build/harvest/dcatap"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

const endpoint = "https://repo.example.gov/oai"

var connector = Connector{RDF: dcatap.Connector{}}

func answerOf(body string) string {
	return `<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-11-21T09:00:00Z</responseDate>` + body + `</OAI-PMH>`
}

func records(token string, list ...string) string {
	return answerOf("<ListRecords>" + strings.Join(list, "\n") + "<resumptionToken>" + token + "</resumptionToken></ListRecords>")
}

func record(id, metadata string) string {
	return "<record><header><identifier>" + id + "</identifier><datestamp>2026-01-01</datestamp></header><metadata>" + metadata + "</metadata></record>"
}

func core(title, kind string) string {
	return `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>` + title + `</dc:title>` + kind +
		`<dc:identifier>https://doi.org/10.5072/` + title + `</dc:identifier><dc:rights>info:eu-repo/semantics/restrictedAccess</dc:rights><dc:language>eng</dc:language></oai_dc:dc>`
}

const (
	dataset = "<dc:type>Dataset</dc:type>"
	deleted = `<record><header status="deleted"><identifier>oai:gone</identifier></header></record>`
	rdf     = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dcat="http://www.w3.org/ns/dcat#" xmlns:dct="http://purl.org/dc/terms/">` +
		`<dcat:Dataset rdf:about="https://repo.example.gov/d/1"><dct:title xml:lang="nl">Rivieren</dct:title><dcat:landingPage rdf:resource="https://repo.example.gov/p/1"/></dcat:Dataset></rdf:RDF>`
)

func formats(list ...string) string {
	out := "<ListMetadataFormats>"
	for _, f := range list {
		out += "<metadataFormat><metadataPrefix>" + f + "</metadataPrefix></metadataFormat>"
	}
	return answerOf(out + "</ListMetadataFormats>")
}

// repository gives n records of Dublin Core in pages of ten.
func repository(n int) *feedtest.Site {
	return &feedtest.Site{Answer: func(raw string) string {
		u, _ := url.Parse(raw)
		q := u.Query()
		if q.Get("verb") == "ListMetadataFormats" {
			return formats("marcxml", "oai_dc")
		}
		start := 0
		if token := q.Get("resumptionToken"); token != "" && len(q) != 2 {
			return answerOf(`<error code="badArgument">the token stands alone</error>`)
		} else if token != "" {
			fmt.Sscan(token, &start)
		}
		var list []string
		for i := start; i < min(start+10, n); i++ {
			list = append(list, record(fmt.Sprint("oai:", i), core(fmt.Sprint("T", i), dataset)))
		}
		token := ""
		if start+10 < n {
			token = fmt.Sprint(start + 10)
		}
		return records(token, list...)
	}}
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := repository(25)
	in := s.Input(endpoint+"?verb=Identify", map[string]string{FilterSet: "data"})
	in.Since = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	o := sourcetest.Run(t, connector, in)
	feedtest.CheckOutcome(t, o)
	if len(o.Drafts) != 25 || len(o.Rejections) != 0 || len(s.Asked) != 4 || len(s.Marks) != 2 {
		t.Fatalf("%d drafts, %v, asked %v", len(o.Drafts), o.Rejections, s.Asked)
	}
	if want := endpoint + "?from=2026-02-28&metadataPrefix=oai_dc&set=data&verb=ListRecords"; s.Asked[1] != want {
		t.Errorf("asked %s, want %s", s.Asked[1], want)
	}
	d := o.ByName(t, "T7")
	if e := d.Entry; e.UpstreamRef != "repo.example.gov:oai-pmh:oai:7" || e.PrimarySourceURL != "https://doi.org/10.5072/t7" || e.AccessRights != catalog.RightsRestricted || e.NativeLang != "en" {
		t.Errorf("%+v", e)
	}
	again := repository(25)
	in = again.Input(endpoint, nil)
	in.Cursor = s.Marks[1]
	if rest := sourcetest.Run(t, connector, in); len(rest.Drafts) != 5 || len(again.Asked) != 1 {
		t.Errorf("after the cursor: %d drafts, asked %v", len(rest.Drafts), again.Asked)
	}
}

// The format that says most is asked for.
func TestFormats(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		c    Connector
		list []string
		want string
	}{
		{connector, []string{"oai_dc", "iso19139", "dcat_ap_v2"}, "dcat_ap_v2"}, {connector, []string{"oai_dc", "iso19139.che"}, "iso19139.che"},
		{Connector{}, []string{"dcat", "oai_dc"}, "oai_dc"}, {connector, []string{"marc"}, "oai_dc"},
	} {
		got := ""
		s := &feedtest.Site{Answer: func(raw string) string {
			u, _ := url.Parse(raw)
			if u.Query().Get("verb") == "ListMetadataFormats" {
				return formats(c.list...)
			}
			got = u.Query().Get("metadataPrefix")
			return records("", record("oai:1", core("T", dataset)))
		}}
		if sourcetest.Run(t, c.c, s.Input(endpoint, nil)); got != c.want {
			t.Errorf("%v: asked for %s, want %s", c.list, got, c.want)
		}
	}
}

func TestRecords(t *testing.T) {
	t.Parallel()
	const iso = `<MD_Metadata><fileIdentifier><CharacterString>i1</CharacterString></fileIdentifier><identificationInfo><MD_DataIdentification><citation><CI_Citation><title><CharacterString>Lakes</CharacterString></title></CI_Citation></citation></MD_DataIdentification></identificationInfo></MD_Metadata>`
	page := records("", deleted, record("oai:a", core("Article", "<dc:type>info:eu-repo/semantics/article</dc:type>")), record("oai:u", core("Untyped", "")),
		record("oai:d", core("Data", "<dc:type>info:eu-repo/semantics/dataset</dc:type>")), record("oai:r", rdf), record("oai:i", iso), record("oai:m", "<marc/>"))
	in := feedtest.File("page.xml", []byte(page), endpoint)
	in.Source.Filters = map[string]string{FilterPage: "https://repo.example.gov/{id}"}
	o := sourcetest.Run(t, connector, in)
	feedtest.CheckOutcome(t, o)
	want := map[source.Code]int{source.CodeDeleted: 1, source.CodeNotData: 2, source.CodeInvalidField: 1}
	if len(o.Drafts) != 3 || fmt.Sprint(o.Codes()) != fmt.Sprint(want) {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	if o.Rejections[0].UpstreamRef != "" || o.Rejections[1].UpstreamRef != "repo.example.gov:oai-pmh:oai:a" {
		t.Errorf("a deleted record must count as gone, an article not: %+v", o.Rejections[:2])
	}
	if d := o.ByName(t, "Rivieren"); d.Entry.PrimarySourceURL != "https://repo.example.gov/p/1" || !strings.HasPrefix(d.Place, "page.xml:") {
		t.Errorf("%s %+v", d.Place, d.Entry)
	}
	if d := o.ByName(t, "Lakes"); d.Entry.UpstreamRef != "repo.example.gov:oai-pmh:i1" {
		t.Errorf("%+v", d.Entry)
	}
	in.Source.Filters = map[string]string{FilterUntyped: "dataset"}
	if o := sourcetest.Run(t, connector, in); o.ByName(t, "Untyped").Entry.Type != catalog.TypeDataset {
		t.Error("a record without a type must be a dataset if the source says so")
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, code string
		since      bool
		rejected   source.Code
	}{
		{"nothing new", "noRecordsMatch", true, ""}, {"nothing at all", "noRecordsMatch", false, source.CodeNoRecords},
		{"no sets", "noSetHierarchy", false, CodeProtocol}, {"token", "badResumptionToken", false, CodeProtocol},
	} {
		s := &feedtest.Site{Answer: func(string) string { return answerOf(`<error code="` + c.code + `">said so</error>`) }}
		in := s.Input(endpoint, map[string]string{FilterPrefix: "oai_dc"})
		if c.since {
			in.Since = sourcetest.Now
		}
		o := sourcetest.Run(t, connector, in)
		if c.rejected == "" && len(o.Rejections) != 0 || c.rejected != "" && (len(o.Rejections) != 1 || o.Rejections[0].Code != c.rejected || !strings.Contains(o.Rejections[0].Reason, c.code)) {
			t.Errorf("%s: %+v", c.name, o.Rejections)
		}
	}
}

// A run that goes on with a token that has expired begins anew.
func TestExpiredToken(t *testing.T) {
	t.Parallel()
	s := repository(5)
	real := s.Answer
	s.Answer = func(raw string) string {
		if strings.Contains(raw, "resumptionToken=old") {
			return answerOf(`<error code="badResumptionToken"/>`)
		}
		return real(raw)
	}
	in := s.Input(endpoint, nil)
	in.Cursor = endpoint + "?resumptionToken=old&verb=ListRecords"
	if o := sourcetest.Run(t, connector, in); len(o.Drafts) != 5 || len(o.Rejections) != 0 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
}

func TestSameToken(t *testing.T) {
	t.Parallel()
	s := &feedtest.Site{Answer: func(string) string { return records("again", record("oai:1", core("T", dataset))) }}
	o := sourcetest.Run(t, connector, s.Input(endpoint, map[string]string{FilterPrefix: "oai_dc"}))
	if o.Codes()[source.CodeRepeatedPage] != 1 || len(s.Asked) != 2 {
		t.Errorf("%v, asked %v", o.Rejections, s.Asked)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	in := source.Input{Name: "dump", Source: catalog.Source{ID: "s", URL: endpoint}, Files: fstest.MapFS{
		"1.xml": {Data: []byte(records("x", record("oai:1", core("A", dataset))))}, "2.xml": {Data: []byte(answerOf(`<error code="badVerb"/>`))}, "3.xml": {Data: []byte("<html/>")}}}
	o := sourcetest.Run(t, connector, in)
	if len(o.Drafts) != 1 || o.Codes()[CodeProtocol] != 1 || o.Codes()[source.CodeNoRecords] != 1 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	sourcetest.Failures(t, connector, "a.xml", records("", record("oai:1", core("A", dataset))))
}

func FuzzOAIPMH(f *testing.F) {
	f.Add([]byte(records("t", deleted, record("oai:1", core("A", dataset)), record("oai:2", rdf))))
	f.Add([]byte(answerOf(`<error code="badVerb">x</error>`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := feedtest.File("a.xml", data, endpoint)
		in.Now = sourcetest.Now
		var o sourcetest.Outcome
		err := connector.Run(context.Background(), in, func(d source.Draft) error { o.Drafts = append(o.Drafts, d); return nil },
			func(r source.Rejection) error { o.Rejections = append(o.Rejections, r); return nil })
		if err != nil {
			t.Fatal(err)
		}
		feedtest.CheckOutcome(t, o)
	})
}
