package ogc

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

func TestEndpoint(t *testing.T) {
	for raw, want := range map[string]string{
		"https://a.gov/ows?SERVICE=WMS&map=x&Request=GetCapabilities&VERSION=1.3.0": "https://a.gov/ows?map=x",
		"https://a.gov/ows?":             "https://a.gov/ows",
		" https://a.gov/ows?&map=a%20b&": "https://a.gov/ows?map=a%20b",
		"https://a.gov/api/?f=json#top":  "https://a.gov/api/",
		"https://a.gov/ows":              "https://a.gov/ows",
		"not an address":                 "not an address",
	} {
		if got := endpoint(raw); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

func TestCapabilitiesURL(t *testing.T) {
	for raw, want := range map[string]string{
		"https://a.gov/ows?service=wfs":                         "https://a.gov/ows?SERVICE=WFS&REQUEST=GetCapabilities",
		"https://a.gov/ows?map=x&service=WMS&version=1.1.1":     "https://a.gov/ows?map=x&SERVICE=WMS&REQUEST=GetCapabilities",
		"https://a.gov/ows?service=WMS&request=GetCapabilities": "https://a.gov/ows?service=WMS&request=GetCapabilities",
		"https://a.gov/api/":                                    "https://a.gov/api/",
		"https://a.gov/x?service=other":                         "https://a.gov/x?service=other",
		"":                                                      "",
	} {
		if got := capabilitiesURL(raw); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

// TestTerms covers what operators write into the two fields for conditions.
func TestTerms(t *testing.T) {
	for _, c := range []struct{ constraints, fees, want string }{
		{"none", "none", ""},
		{"", "", ""},
		{"None.", "no conditions apply", ""},
		{"CC BY 4.0", "none", "CC BY 4.0"},
		{"none", "Licence: OGL v3", "Licence: OGL v3"},
		{"Registered users only", "https://creativecommons.org/licenses/by/4.0/", "https://creativecommons.org/licenses/by/4.0/"},
		{"https://a.gov/licence", "Lizenz: dl-de/by-2-0", "https://a.gov/licence"},
		{"<p>Open &amp; free</p>", "", "Open & free"},
		{`Lizenz: {"id":"cc-by/4.0","name":"n","url":""}`, "", "cc-by/4.0"},
		{`{"id": broken`, "", `{"id": broken`},
		{"http://inspire.ec.europa.eu/metadata-codelist/LimitationsOnPublicAccess/noLimitations",
			"http://inspire.ec.europa.eu/metadata-codelist/ConditionsApplyingToAccessAndUse/noConditionsApply", ""},
	} {
		in := input("x", nil)
		b := source.NewBuilder(&in, "x", "", "")
		terms(b, &service{constraints: c.constraints, fees: c.fees})
		if got := b.Draft.Entry.LicenseRaw; got != c.want {
			t.Errorf("%q, %q: %q", c.constraints, c.fees, got)
		}
	}
}

// Older and rarer documents.
func TestShapes(t *testing.T) {
	for _, c := range []struct{ name, doc, format, members string }{
		{"WCS 1.0", `<WCS_Capabilities version="1.0.0" xmlns="http://www.opengis.net/wcs"><Service><name>c</name><label>T</label><description>d</description>
			<keywords><keyword>k</keyword></keywords><fees>none</fees></Service><Capability><Request><GetCapabilities><DCPType><HTTP><Get><OnlineResource href="https://a.example.gov.uk/"/></Get></HTTP></DCPType></GetCapabilities></Request></Capability>
			<ContentMetadata><CoverageOfferingBrief><name>dem</name><label>Heights</label></CoverageOfferingBrief></ContentMetadata></WCS_Capabilities>`, "ogc-wcs", "dem=Heights"},
		{"WCS 1.1", `<Capabilities version="1.1.1" xmlns="http://www.opengis.net/wcs/1.1"><ServiceIdentification><Title>T</Title></ServiceIdentification>
			<OperationsMetadata><Operation name="GetCapabilities"><DCP><HTTP><Get href="https://a.example.gov.uk/"/></HTTP></DCP></Operation></OperationsMetadata>
			<Contents><CoverageSummary><Title>Heights</Title><SupportedFormat>image/tiff</SupportedFormat><Identifier>dem</Identifier></CoverageSummary></Contents></Capabilities>`, "ogc-wcs", "dem=Heights"},
		{"no layers", `<WFS_Capabilities><Service><Title>T</Title><OnlineResource>https://a.example.gov.uk/</OnlineResource></Service></WFS_Capabilities>`, "ogc-wfs", ""},
	} {
		o := sourcetest.Run(t, Connector{}, input("x.xml", []byte(c.doc)))
		if len(o.Drafts) != 1 {
			t.Fatalf("%s: %v", c.name, o.Rejections)
		}
		if e := o.Drafts[0].Entry; e.API.SpecFormat != c.format || names(&e) != c.members || e.Name != "T" {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
}

// What is wrong with the collections costs members and is reported.
func TestCollections(t *testing.T) {
	landing := string(fixture(t, "features/landing.json"))
	for _, c := range []struct {
		name, collections string
		members           int
		code              source.Code
	}{
		{"good", `{"collections":[{"id":"a"},{"name":"b"}]}`, 2, ""},
		{"broken", "{\n\"collections\":[", 0, CodeSyntax},
		{"something else", `{"items":[]}`, 0, CodeNotOGC},
		{"empty", `{"collections":[]}`, 0, ""},
	} {
		in := input("landing.json", []byte(landing))
		in.Files = fstest.MapFS{"collections.json": {Data: []byte(c.collections)}}
		o := sourcetest.Run(t, Connector{}, in)
		if len(o.Drafts) != 1 || len(o.Drafts[0].Entry.Members) != c.members || c.code != "" && o.Codes()[c.code] != 1 || c.code == "" && len(o.Rejections) > 0 {
			t.Errorf("%s: %d drafts, %v", c.name, len(o.Drafts), o.Rejections)
		}
	}
	in := input("landing.json", []byte(landing))
	in.Files = fstest.MapFS{}
	if o := sourcetest.Run(t, Connector{}, in); len(o.Drafts) != 1 || len(o.Rejections) != 0 {
		t.Errorf("no collections: %v", o.Rejections)
	}
	in = input("collections.json", fixture(t, "features/collections.json"))
	if o := sourcetest.Run(t, Connector{}, in); o.Codes()[CodeNotOGC] != 1 {
		t.Errorf("collections alone: %v", o.Rejections)
	}
}

// Where a document was found counts more than what it says of its address.
func TestAddress(t *testing.T) {
	in := input("https://public.example.gov.uk/ows?service=WMS&request=GetCapabilities", []byte(strings.ReplaceAll(string(fixture(t, "wms130.xml")), "maps.example.gov.uk", "inner.local")))
	if e := sourcetest.Run(t, Connector{}, in).Drafts[0].Entry; e.API.BaseURL != "https://public.example.gov.uk/ows" {
		t.Errorf("found live: %q", e.API.BaseURL)
	}
	in.Name = "wms.xml"
	in.Source.Filters = map[string]string{FilterBase: "https://filter.example.gov.uk/ows?"}
	if e := sourcetest.Run(t, Connector{}, in).Drafts[0].Entry; e.API.BaseURL != "https://filter.example.gov.uk/ows" {
		t.Errorf("by filter: %q", e.API.BaseURL)
	}
}

// A document in UTF-16 names that encoding itself; the stream has undone it.
func TestUTF16(t *testing.T) {
	doc := strings.Replace(string(fixture(t, "wfs100.xml")), `<?xml version="1.0"?>`, `<?xml version="1.0" encoding="UTF-16"?>`, 1)
	data := []byte{0xff, 0xfe}
	for _, c := range []byte(doc) {
		data = append(data, c, 0)
	}
	if o := sourcetest.Run(t, Connector{}, input("x.xml", data)); len(o.Drafts) != 1 {
		t.Errorf("%v", o.Rejections)
	}
}

func TestEveryMemberIsClean(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, source.Input{Name: "captures", Source: catalog.Source{ID: "s"}, Files: os.DirFS("testdata")})
	for _, d := range o.Drafts {
		if !slices.IsSorted(d.Entry.Formats) {
			t.Errorf("%s: formats %q", d.Place, d.Entry.Formats)
		}
		for _, m := range d.Entry.Members {
			if m.Name == "" || catalog.CheckText("members", m.Name+m.Title, catalog.NameMax) != nil || m.URL != "" && catalog.CheckURL("members", m.URL) != nil {
				t.Errorf("%s: member %+v", d.Place, m)
			}
		}
	}
}
