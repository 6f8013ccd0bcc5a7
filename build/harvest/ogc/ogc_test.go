package ogc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

func input(name string, data []byte) source.Input {
	return source.Input{Name: name, Source: catalog.Source{ID: "s"},
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func one(t *testing.T, name string) *source.Draft {
	t.Helper()
	o := sourcetest.Run(t, Connector{}, input(name, fixture(t, name)))
	if len(o.Drafts) != 1 || len(o.Rejections) != 0 {
		t.Fatalf("%s: %d drafts, %v", name, len(o.Drafts), o.Rejections)
	}
	return &o.Drafts[0]
}

func names(e *catalog.Entry) string {
	var all []string
	for _, m := range e.Members {
		all = append(all, m.Name+"="+m.Title)
	}
	return strings.Join(all, ",")
}

func TestServices(t *testing.T) {
	for _, c := range []struct {
		file, name, format, version, primary, members, formats, licence string
	}{
		{"wms130.xml", "Rivers of Examplia", "ogc-wms", "1.3.0", "https://maps.example.gov.uk/ows?map=rivers&SERVICE=WMS&REQUEST=GetCapabilities",
			"rivers=Rivers,rivers_small=Small rivers,lakes=Lakes", "JPEG,PNG", ""},
		{"wms111.xml", "Rivers of Examplia", "ogc-wms", "1.1.1", "http://maps.example.gov.uk/ows?map=rivers&SERVICE=WMS&REQUEST=GetCapabilities",
			"root=Root,rivers=Rivers", "PNG", "https://www.govdata.de/dl-de/by-2-0"},
		{"wfs200.xml", "Rivers of Examplia", "ogc-wfs", "2.0.0", "https://maps.example.gov.uk/ows?map=rivers&SERVICE=WFS&REQUEST=GetCapabilities",
			"ex:River=River,ex:Lake=Lake", "CSV,GEOJSON,GML", "http://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/"},
		{"wfs100.xml", "Old features", "ogc-wfs", "1.0.0", "https://old.example.gov.uk/wfs?SERVICE=WFS&REQUEST=GetCapabilities",
			"parish=Parishes", "GML2", "10 EUR a day"},
		{"wmts.xml", "Tiles", "ogc-wmts", "1.0.0", "https://tiles.example.gov.uk/1.0.0/WMTSCapabilities.xml?SERVICE=WMTS&REQUEST=GetCapabilities",
			"grey=Grey map", "JPEG,PNG", ""},
		{"wcs201.xml", "Heights", "ogc-wcs", "2.0.1", "https://maps.example.gov.uk/wcs?SERVICE=WCS&REQUEST=GetCapabilities", "dem_5m=", "TIFF", ""},
		{"csw.xml", "Metadata", "ogc-csw", "2.0.2", "https://maps.example.gov.uk/csw?SERVICE=CSW&REQUEST=GetCapabilities", "", "XML", ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			e := one(t, c.file).Entry
			got := []string{e.Name, e.API.SpecFormat, e.API.Version, e.PrimarySourceURL, names(&e), strings.Join(e.Formats, ","), e.LicenseRaw}
			want := []string{c.name, c.format, c.version, c.primary, c.members, c.formats, c.licence}
			if !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			if e.API.PingURL != e.PrimarySourceURL || e.Type != catalog.TypeAPI || e.UpstreamRef == "" {
				t.Errorf("entry %+v", e)
			}
		})
	}
}

func TestHeader(t *testing.T) {
	d := one(t, "wms130.xml")
	e := d.Entry
	if e.Description != "Rivers & lakes of Examplia.\n\n- water" || e.NativeLang != "en" || !slices.Equal(e.Tags, []string{"infomapaccessservice", "water"}) {
		t.Errorf("description %q, language %q, tags %q", e.Description, e.NativeLang, e.Tags)
	}
	if e.PublisherName != "Water Office" || d.PublisherName != "Water Office" || e.HomepageURL != "https://water.example.gov.uk/about" ||
		e.Contact == nil || e.Contact.Email != "gis@water.example.gov.uk" {
		t.Errorf("publisher of %+v", e)
	}
	old, wfs := one(t, "wms111.xml").Entry, one(t, "wfs200.xml").Entry
	if old.PublisherName != "Büro für Wasser" || old.Description != "Old form\u00a0of it" || old.HomepageURL != "" {
		t.Errorf("latin-1 document: %q, %q, %q", old.PublisherName, old.Description, old.HomepageURL)
	}
	if wfs.Contact != nil {
		t.Error("a person's address was kept")
	}
	if got := wfs.Members[0].Formats; !slices.Equal(got, []string{"CSV", "GML"}) {
		t.Errorf("formats of a feature type: %q", got)
	}
	rows := map[string]bool{}
	for _, r := range d.Rows {
		rows[r.Field] = true
	}
	for _, f := range []string{"name", "description", "api.base_url", "primary_source_url", "members", "formats", "publisher_name", "contact", "tags", "upstream_ref"} {
		if !rows[f] {
			t.Errorf("no row for %s", f)
		}
	}
}

// Two versions of one protocol at one endpoint are one service; two protocols
// are two.
func TestIdentity(t *testing.T) {
	a, b, c := one(t, "wms130.xml").Entry, one(t, "wms111.xml").Entry, one(t, "wfs200.xml").Entry
	for _, e := range []*catalog.Entry{&a, &b, &c} {
		identity.Keys(e)
	}
	if a.MatchKey != b.MatchKey || a.UpstreamRef != b.UpstreamRef {
		t.Errorf("two versions: %q and %q, %q and %q", a.MatchKey, b.MatchKey, a.UpstreamRef, b.UpstreamRef)
	}
	if a.MatchKey == c.MatchKey || a.UpstreamRef == c.UpstreamRef {
		t.Errorf("WMS and WFS share %q", a.MatchKey)
	}
}

func TestFolder(t *testing.T) {
	in := source.Input{Name: "captures", Source: catalog.Source{ID: "s"}, Files: os.DirFS("testdata")}
	o := sourcetest.Run(t, Connector{}, in)
	if want := map[source.Code]int{CodeException: 1, CodeNotOGC: 1}; !maps.Equal(o.Codes(), want) || len(o.Drafts) != 8 {
		t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	e := o.ByName(t, "Parishes").Entry
	if names(&e) != "parish=Parishes,ward=Wards" || e.API.BaseURL != "https://api.example.gov.uk/features/" || e.PrimarySourceURL != e.API.BaseURL ||
		e.API.OpenAPIURL != "https://api.example.gov.uk/features/openapi?f=json" || e.LicenseRaw == "" || e.API.SpecFormat != "ogc-api" ||
		e.Members[0].URL != "https://api.example.gov.uk/features/collections/parish" || !slices.Contains(e.Formats, "GEOJSON") || e.Description != "All parishes" {
		t.Errorf("landing page: %+v, %+v", e, e.API)
	}
}

func TestLive(t *testing.T) {
	pages := map[string]string{
		"https://api.example.gov.uk/f":                                              string(fixture(t, "features/landing.json")),
		"https://api.example.gov.uk/collections?f=json":                             `{"collections":[{"id":"a"}],"links":[{"rel":"next","href":"https://api.example.gov.uk/two"}]}`,
		"https://api.example.gov.uk/two":                                            `{"collections":[{"id":"b"}],"links":[{"rel":"self","href":"x"}]}`,
		"https://maps.example.gov.uk/ows?map=a&SERVICE=WMS&REQUEST=GetCapabilities": string(fixture(t, "wms130.xml")),
	}
	fetch := func(_ context.Context, r source.Request) (*source.Response, error) {
		body, ok := pages[r.URL]
		if !ok {
			return nil, &source.FetchError{URL: r.URL, Status: 404, Err: errors.New("not found")}
		}
		return &source.Response{URL: r.URL, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
	in := source.Input{Name: "https://api.example.gov.uk/f", Source: catalog.Source{ID: "s"}, Fetch: fetch}
	if o := sourcetest.Run(t, Connector{}, in); len(o.Drafts) != 1 || names(&o.Drafts[0].Entry) != "a=,b=" {
		t.Errorf("%+v %v", o.Drafts, o.Rejections)
	}
	in.Name = "https://maps.example.gov.uk/ows?service=wms&map=a"
	o := sourcetest.Run(t, Connector{}, in)
	if len(o.Drafts) != 1 || o.Drafts[0].Entry.API.BaseURL != "https://maps.example.gov.uk/ows?map=a" {
		t.Errorf("%+v %v", o.Drafts, o.Rejections)
	}
	in.Name = "https://maps.example.gov.uk/gone"
	nothing := func(source.Draft) error { return nil }
	if err := (Connector{}).Run(context.Background(), in, nothing, func(source.Rejection) error { return nil }); err == nil {
		t.Error("a missing page is no error")
	}
}

func TestBadInput(t *testing.T) {
	wms := string(fixture(t, "wms130.xml"))
	for _, c := range []struct {
		name, in, place string
		code            source.Code
	}{
		{"empty", "", "x.xml:1", CodeSyntax},
		{"cut off", wms[:len(wms)/2], "", CodeSyntax},
		{"web page", "<!DOCTYPE html><html><body><p>Not here</body></html>", "x.xml:1", CodeNotOGC},
		{"other XML", "<rss/>", "x.xml:1", CodeNotOGC},
		{"JSON of another kind", `{"openapi":"3.0.0"}`, "x.xml", CodeNotOGC},
		{"broken JSON", "{\n\"title\":}", "x.xml:2", CodeSyntax},
		{"entity bomb", `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><WMS_Capabilities><Service><Title>&b;</Title></Service></WMS_Capabilities>`, "x.xml:1", CodeSyntax},
		{"external entity", `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><WMS_Capabilities><Service><Title>&f;</Title></Service></WMS_Capabilities>`, "x.xml:1", CodeSyntax},
		{"too deep", "<WMS_Capabilities>" + strings.Repeat("<Layer>", 200), "x.xml:1", CodeSyntax},
		{"far too deep", "<WMS_Capabilities><Capability>" + strings.Repeat("<Layer>", 50_000) + strings.Repeat("</Layer>", 50_000) + "</Capability></WMS_Capabilities>", "x.xml:1", CodeSyntax},
		{"no title", strings.ReplaceAll(wms, "<Title>Rivers of Examplia</Title>", ""), "x.xml", source.CodeMissingName},
		{"no address", strings.ReplaceAll(wms, "https://maps.example.gov.uk/ows", ""), "x.xml", source.CodeBadURL},
		{"private address", strings.ReplaceAll(wms, "maps.example.gov.uk", "localhost:8080"), "x.xml", source.CodeBadURL},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := sourcetest.Run(t, Connector{}, input("x.xml", []byte(c.in)))
			if len(o.Drafts) != 0 || len(o.Rejections) != 1 || o.Rejections[0].Code != c.code || c.place != "" && o.Rejections[0].Place != c.place {
				t.Errorf("%d drafts, %+v", len(o.Drafts), o.Rejections)
			}
		})
	}
	in := input("x.xml", []byte(strings.ReplaceAll(wms, "maps.example.gov.uk", "localhost:8080")))
	in.AllowPrivate = true
	if o := sourcetest.Run(t, Connector{}, in); len(o.Drafts) != 1 {
		t.Errorf("private addresses allowed: %v", o.Rejections)
	}
}

func TestManyLayers(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<WMS_Capabilities><Service><Title>Many</Title></Service><Capability><Request><GetCapabilities><Get><OnlineResource href="https://a.example.gov.uk/"/></Get></GetCapabilities></Request><Layer>`)
	for i := range catalog.ListMax + 10 {
		b.WriteString("<Layer><Name>l" + strings.Repeat("x", i%3) + "</Name></Layer>")
	}
	b.WriteString("</Layer></Capability></WMS_Capabilities>")
	d := sourcetest.Run(t, Connector{}, input("x.xml", []byte(b.String()))).Drafts[0]
	if n := len(d.Entry.Members); n != catalog.ListMax-1 {
		t.Errorf("%d members", n)
	}
	for _, r := range d.Rows {
		if r.Field == "members" && r.Note != "the first 4999 of 5010" {
			t.Errorf("note %q", r.Note)
		}
	}
}

func TestSaysNothing(t *testing.T) {
	for s, want := range map[string]bool{"none": true, "NONE.": true, "-": true, " keine ": true, "": true, "Δωρεάν": false, "CC0": false,
		"http://inspire.ec.europa.eu/metadata-codelist/LimitationsOnPublicAccess/noLimitations": true,
		"https://creativecommons.org/licenses/by/4.0/":                                          false, "no commercial use": false} {
		if got := saysNothing(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func FuzzOGC(f *testing.F) {
	for _, name := range []string{"wms130.xml", "wms111.xml", "wfs200.xml", "wfs100.xml", "wmts.xml", "wcs201.xml", "csw.xml", "exception.xml", "features/landing.json", "features/collections.json"} {
		f.Add(fixture(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o := sourcetest.Run(t, Connector{}, input("x", data))
		if len(o.Drafts)+len(o.Rejections) != 1 {
			t.Fatalf("%d drafts, %d rejections", len(o.Drafts), len(o.Rejections))
		}
		for _, d := range o.Drafts {
			if d.Entry.Name == "" || len(d.Entry.Members) > catalog.ListMax {
				t.Fatalf("draft %+v", d)
			}
			if err := catalog.CheckURL("primary_source_url", d.Entry.PrimarySourceURL); err != nil {
				t.Fatal(err)
			}
			for _, m := range d.Entry.Members {
				if err := catalog.CheckText("members", m.Name+m.Title, 2*catalog.NameMax); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
