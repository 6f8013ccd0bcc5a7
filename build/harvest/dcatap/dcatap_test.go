package dcatap

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
)

func input(name string, data []byte) source.Input {
	return source.Input{Name: name, Source: catalog.Source{ID: "s", URL: "http://data.example.org/"}, Now: sourcetest.Now,
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

func fixture(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/catalogue.ttl")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// row is the last row of a field, in short.
func row(d *source.Draft, field string) string {
	for _, r := range slices.Backward(d.Rows) {
		if r.Field == field {
			return string(r.Basis) + " " + r.UpstreamField + ": " + r.Note
		}
	}
	return ""
}

func TestDataset(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, input("catalogue.ttl", fixture(t)))
	d := o.ByName(t, "Marées")
	check(t, *d)
	e := d.Entry
	if e.Type != catalog.TypeDataset || e.NameEn != "Tides" || e.NativeLang != "fr" || e.DescriptionEn != "Times of high water" ||
		e.Description != "Heures des pleines mers\n\net des basses mers." || !strings.HasPrefix(row(d, "name_en"), "machine_translated") {
		t.Errorf("texts %+v %s", e, row(d, "name_en"))
	}
	if e.PublisherName != "Autorité portuaire" || d.PublisherURL != "https://ports.example.org/" || e.Contact == nil || e.Contact.Email != "info@ports.example.org" {
		t.Errorf("publisher %q %q, contact %+v", e.PublisherName, d.PublisherURL, e.Contact)
	}
	if e.HomepageURL != "http://ports.example.org/d/tides" || e.PrimarySourceURL != e.HomepageURL || e.DocsURL != "http://ports.example.org/doc" ||
		e.SourceSeedURL != "http://data.example.org/" || e.UpstreamRef != "data.example.org:dataset:http://data.example.org/d/tides" {
		t.Errorf("addresses %+v", e)
	}
	if !slices.Equal(e.Themes, []string{"ENVI", "TRAN"}) || !slices.Equal(e.HVDCategories, []string{"c_ac64a52d"}) ||
		!slices.Equal(e.Tags, []string{"marées", "port", "tide"}) || !slices.Equal(e.Formats, []string{"CSV", "JSON"}) {
		t.Errorf("themes %q, categories %q, tags %q, formats %q", e.Themes, e.HVDCategories, e.Tags, e.Formats)
	}
	if e.SourceIssuedAt.Format("2006-01-02") != "2020-01-02" || e.SourceModifiedAt.Format("2006-01-02 15") != "2024-01-02 03" {
		t.Errorf("dates %v %v", e.SourceIssuedAt, e.SourceModifiedAt)
	}
	ds := e.Dataset
	if ds.Frequency != "DAILY" || ds.Version != "2.1" || ds.TemporalStart.Year() != 2020 || ds.TemporalEnd.Format("2006-01-02") != "2022-06-30" ||
		!slices.Equal(ds.Spatial, []string{"http://publications.europa.eu/resource/authority/country/FRA", "Port"}) {
		t.Errorf("details %+v", ds)
	}
}

func TestDistributions(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, input("catalogue.ttl", fixture(t)))
	d := o.ByName(t, "Marées")
	list := d.Entry.Dataset.Distributions
	if len(list) != 2 {
		t.Fatalf("%+v", list)
	}
	csv, json := list[0], list[1]
	if csv.Title != "Fichier CSV" || csv.DownloadURL != "http://ports.example.org/tides%202020.csv" || csv.ByteSize != 2048 || csv.Format != "CSV" ||
		csv.LicenseRaw != "http://creativecommons.org/licenses/by/4.0/" || csv.ModifiedAt.Year() != 2024 {
		t.Errorf("%+v", csv)
	}
	if json.AccessURL != "http://ports.example.org/tides.json" || json.Format != "JSON" || json.MediaType != "application/json" || json.LicenseRaw != "Open licence" {
		t.Errorf("%+v", json)
	}
	var notes []string
	for _, r := range d.Rows {
		notes = append(notes, r.Field+" "+r.Note)
	}
	all := strings.Join(notes, "\n")
	for _, want := range []string{"dataset.distributions 1 of 4 distributions are not described", "dataset.distributions 1 of 3 files have no address",
		"license_raw the distributions state 2 different licences", "source_seed_url line 17, column"} {
		if !strings.Contains(all, want) {
			t.Errorf("no note %q in\n%s", want, all)
		}
	}
}

func TestSeriesAndBlankNodes(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, input("catalogue.ttl", fixture(t)))
	quays, series := o.ByName(t, "Quais"), o.ByName(t, "Ports, série")
	if quays.Entry.NativeLang != "fr" || quays.PublisherName != "" || quays.Entry.Publisher.IRI != "http://data.example.org/o/unknown" || quays.Entry.PrimarySourceURL != "http://api.ports.example.org/v1" {
		t.Errorf("a member of a series: %+v", quays)
	}
	if series.Entry.Type != catalog.TypeDataset || !strings.Contains(row(series, "type"), "series") || series.Entry.PrimarySourceURL != "http://ports.example.org/series" {
		t.Errorf("the series: %+v", series)
	}
	if ref := o.ByName(t, "Sans IRI").Entry.UpstreamRef; ref != "data.example.org:dataset:no-iri" {
		t.Error(ref)
	}
	want := map[source.Code]int{source.CodeMissingName: 1, source.CodeMissingURL: 2}
	if got := o.Codes(); !maps.Equal(got, want) || len(o.Drafts) != 6 {
		t.Errorf("%d drafts, rejections %+v", len(o.Drafts), o.Rejections)
	}
	for _, r := range o.Rejections {
		if r.UpstreamRef == "" || r.Remedy == "" || !strings.HasPrefix(r.Place, "catalogue.ttl ") {
			t.Errorf("%+v", r)
		}
	}
}

func TestService(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, input("catalogue.ttl", fixture(t)))
	d := o.ByName(t, "API des marées")
	check(t, *d)
	a := d.Entry.API
	if d.Entry.Type != catalog.TypeAPI || a.BaseURL != "http://api.ports.example.org/v1" || a.OpenAPIURL != a.BaseURL+"/openapi.json" || a.SpecFormat != "openapi" ||
		d.Entry.PrimarySourceURL != a.BaseURL || d.Entry.LicenseRaw != "Libre" || d.Entry.UpstreamRef != "data.example.org:service:http://data.example.org/s/tides" {
		t.Errorf("%+v %+v", d.Entry, a)
	}
	members := []catalog.Member{{Name: "http://data.example.org/d/elsewhere"}, {Name: "http://data.example.org/d/tides", Title: "Marées"}}
	if !reflect.DeepEqual(d.Entry.Members, members) {
		t.Errorf("%+v", d.Entry.Members)
	}
	wms := o.ByName(t, "Carte").Entry
	if wms.API.SpecFormat != "ogc-wms" || wms.API.OpenAPIURL != "" || !strings.Contains(wms.API.PingURL, "GetCapabilities") || wms.PrimarySourceURL != wms.API.PingURL {
		t.Errorf("%+v", wms.API)
	}
}

// A place that the register knows keeps its IRI, which has names in all languages, beside its box; another one
// is what the source calls it.
func TestKnownPlacesKeepTheirIRI(t *testing.T) {
	const ttl = `@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://a.gov/d/1> a dcat:Dataset ; dct:title "Tides"@en ; dct:spatial <https://sws.geonames.org/2803139/>, <http://a.gov/place/9> .
<https://sws.geonames.org/2803139/> a dct:Location ; skos:prefLabel "Antwerpen"@nl, "Anvers"@fr ; dcat:bbox "POLYGON((4 51,5 51,5 52,4 52,4 51))" .
<http://a.gov/place/9> a dct:Location ; skos:prefLabel "Waasland"@nl .`
	o := sourcetest.Run(t, Connector{}, input("places.ttl", []byte(ttl)))
	if got := o.ByName(t, "Tides").Entry.Dataset.Spatial; !slices.Equal(got, []string{"Waasland", "https://sws.geonames.org/2803139/", "4,51,5,52"}) {
		t.Errorf("places %q", got)
	}
}

// TestServiceKeepsAll holds that what a service states beside its endpoint is kept:
// further endpoints and landing pages, the addresses and formats of what it lists
// as distributions, the places it covers and how often it changes.
func TestServiceKeepsAll(t *testing.T) {
	const ttl = `@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
<http://a.gov/s/1> a dcat:DataService ; dct:title "Tides"@en ; dcat:endpointURL <https://a.gov/one>, <https://a.gov/two> ;
  dcat:landingPage <https://a.gov/tides?l=en>, <https://a.gov/tides?l=fr> ; dct:spatial <http://publications.europa.eu/resource/authority/country/BEL> ;
  dct:accrualPeriodicity <http://publications.europa.eu/resource/authority/frequency/DAILY> ;
  dcat:distribution [ a dcat:Distribution ; dcat:accessURL <https://a.gov/wms?service=WMS&request=GetCapabilities> ; dct:format "WMS" ] ,
    [ a dcat:Distribution ; dcat:downloadURL <https://a.gov/tides.csv> ; dct:format "CSV" ] .`
	o := sourcetest.Run(t, Connector{}, input("service.ttl", []byte(ttl)))
	e := o.ByName(t, "Tides").Entry
	want := []string{"https://a.gov/two", "https://a.gov/wms?service=WMS&request=GetCapabilities", "https://a.gov/tides.csv", "https://a.gov/tides?l=fr"}
	if !slices.Equal(e.API.OtherURLs, want) || e.API.BaseURL != "https://a.gov/one" || e.HomepageURL != "https://a.gov/tides?l=en" {
		t.Errorf("addresses %q, %q, %q", e.API.BaseURL, e.HomepageURL, e.API.OtherURLs)
	}
	if len(e.API.Spatial) != 1 || e.API.Frequency != "DAILY" || e.Dataset != nil || !slices.Equal(e.Formats, []string{"CSV", "WMS_SRVC"}) {
		t.Errorf("spatial %q, frequency %q, formats %q, dataset %+v", e.API.Spatial, e.API.Frequency, e.Formats, e.Dataset)
	}
}

// TestShuffle reads the statements in another order, each in its own copy, from
// the disk: the drafts are the same, as long as the values of one property of a
// subject keep theirs.
func TestShuffle(t *testing.T) {
	var lines []string
	o := rdf.Options{Base: "http://data.example.org/", Lenient: func(rdf.Problem) error { return nil }}
	if err := rdf.Read(bytes.NewReader(fixture(t)), rdf.Turtle, o, func(x rdf.Triple) error {
		lines = append(lines, strings.NewReplacer("_:#", "_:b").Replace(x.String()))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	lines = append(lines, lines...)
	want := sourcetest.Run(t, Connector{}, input("c.nt", []byte(strings.Join(lines, "\n"))))
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		c := Connector{TempDir: t.TempDir(), Memory: 1 + r.IntN(6000)}
		if got := sourcetest.Run(t, c, input("c.nt", []byte(strings.Join(mixed(lines, r), "\n")))); !reflect.DeepEqual(got, want) {
			t.Fatalf("memory %d: %d and %d drafts", c.Memory, len(got.Drafts), len(want.Drafts))
		}
	}
	if len(want.Drafts) != 6 {
		t.Errorf("%d drafts", len(want.Drafts))
	}
}

// mixed shuffles statements, but not those of one subject with one property.
func mixed(lines []string, r *rand.Rand) []string {
	about := func(line string) string { return strings.Join(strings.SplitN(line, " ", 3)[:2], " ") }
	queues := map[string][]string{}
	for _, line := range lines {
		queues[about(line)] = append(queues[about(line)], line)
	}
	out := make([]string, 0, len(lines))
	for _, i := range r.Perm(len(lines)) {
		k := about(lines[i])
		out = append(out, queues[k][0])
		queues[k] = queues[k][1:]
	}
	return out
}

func TestBadDocuments(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, _ = w.Write(fixture(t))
	_ = w.Close()
	text := string(fixture(t))
	for _, c := range []struct {
		name, file, data string
		drafts           int
		code             source.Code
		place            string
	}{
		{"a web page", "c.ttl", "<!DOCTYPE html><html>", 0, CodeNoRDF, "c.ttl"},
		{"nothing", "c", " \n", 0, CodeNoRDF, "c"},
		{"no catalogue", "c.ttl", "<http://h/a> <http://h/b> 1 .", 0, source.CodeNoRecords, "c.ttl"},
		{"gzip", "c.ttl.gz", z.String(), 6, source.CodeMissingURL, ""},
		{"half of it", "c.ttl.gz", z.String()[:z.Len()-12], 4, source.CodeTruncatedGzip, "c.ttl.gz"},
		{"a broken dataset", "c.ttl", strings.Replace(text, `"no-iri"`, "???", 1), 5, CodeSyntax, "c.ttl dataset without"},
		{"a broken distribution", "c.ttl", strings.Replace(text, `"no address"`, "???", 1), 6, CodeSyntax, "c.ttl:22:"},
		{"broken XML", "c.rdf", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description>", 0, CodeSyntax, "c.rdf:1:"},
		{"remote context", "c.jsonld", `{"@context":"https://example.org/c.jsonld","@graph":[{"@id":"http://h/a"}]}`, 0, CodeSyntax, "c.jsonld"},
	} {
		o := sourcetest.Run(t, Connector{TempDir: t.TempDir()}, input(c.file, []byte(c.data)))
		i := slices.IndexFunc(o.Rejections, func(r source.Rejection) bool { return r.Code == c.code && strings.HasPrefix(r.Place, c.place) })
		if i < 0 || o.Rejections[i].Reason == "" || o.Rejections[i].Remedy == "" || len(o.Drafts) < c.drafts {
			t.Errorf("%s: %d drafts, %+v", c.name, len(o.Drafts), o.Rejections)
		}
	}
}

func TestTooLarge(t *testing.T) {
	in := input("c.ttl", fixture(t))
	in.Limits.Record = 1200
	o := sourcetest.Run(t, Connector{}, in)
	if o.Codes()[source.CodeRecordTooLarge] != 1 || len(o.Drafts) != 5 || !strings.Contains(o.Rejections[1].UpstreamRef, "d/tides") {
		t.Errorf("%d drafts, %+v", len(o.Drafts), o.Rejections)
	}
	in.Limits.Record = 300
	if o = sourcetest.Run(t, Connector{}, in); len(o.Drafts)+len(o.Rejections) < 9 {
		t.Errorf("%d drafts, %+v", len(o.Drafts), o.Rejections)
	}
}

func TestFolder(t *testing.T) {
	in := source.Input{Name: "folder", Source: catalog.Source{ID: "s", URL: "http://data.example.org/"}, Files: fstest.MapFS{
		"a/1.ttl": {Data: fixture(t)}, "b/2.rdf": {Data: []byte("<html>")}, "readme.md": {Data: []byte("# x")},
	}}
	if o := sourcetest.Run(t, Connector{}, in); len(o.Drafts) != 6 || o.Codes()[CodeNoRDF] != 1 || len(o.Rejections) != 4 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Codes())
	}
}

// TestManyValues gives a dataset more values than are looked at: it is noted.
func TestManyValues(t *testing.T) {
	var b bytes.Buffer
	const d = "<http://h.example.org/d> "
	b.WriteString(d + "<" + rdf.RDFType + "> <" + classDataset + "> .\n" + d + "<http://purl.org/dc/terms/title> \"Many\" .\n" +
		d + "<" + dcat + "landingPage> <http://h.example.org/p> .\n")
	for i := range valuesMax + 1 {
		fmt.Fprintf(&b, d+"<"+dcat+"keyword> \"k%d\"@en-x-%d .\n", i, i)
		fmt.Fprintf(&b, d+"<"+dct+"description> \"k%d\"@en-x-%d .\n", i, i)
	}
	o := sourcetest.Run(t, Connector{}, input("c.nt", b.Bytes()))
	if len(o.Drafts) != 1 || len(o.Rejections) != 0 || !strings.Contains(row(&o.Drafts[0], "source_seed_url"), "only the first 10000") {
		t.Errorf("%d drafts, %+v", len(o.Drafts), o.Rejections)
	}
}

// TestFilters says of a captured file where it was found and in which language
// it is.
func TestFilters(t *testing.T) {
	const text = "<c> a <http://www.w3.org/ns/dcat#Catalog> . <d> a <http://www.w3.org/ns/dcat#Dataset> ; " +
		"<http://purl.org/dc/terms/title> \"Tides\" ; <http://www.w3.org/ns/dcat#landingPage> <p> ."
	in := input("c.ttl", []byte(text))
	in.Source.URL, in.Source.Filters = "", map[string]string{FilterBase: "https://found.example.org/x/", "language": "en"}
	o := sourcetest.Run(t, Connector{}, in)
	if len(o.Drafts) != 1 || len(o.Rejections) != 0 {
		t.Fatalf("%+v", o)
	}
	e := o.Drafts[0].Entry
	if e.UpstreamRef != "found.example.org:dataset:https://found.example.org/x/d" || e.PrimarySourceURL != "https://found.example.org/x/p" || e.NativeLang != "en" {
		t.Errorf("%+v", e)
	}
}

// TestLeavesNothing checks that a run that is stopped leaves no files.
func TestLeavesNothing(t *testing.T) {
	stop := errors.New("stop")
	for name, c := range map[string]struct {
		ctx  func() context.Context
		emit error
	}{
		"cancelled": {func() context.Context { ctx, cancel := context.WithCancel(t.Context()); cancel(); return ctx }, nil},
		"full":      {t.Context, stop},
	} {
		dir := t.TempDir()
		in := input("c.ttl", bytes.Repeat(fixture(t), 20))
		err := Connector{TempDir: dir, Memory: 1000}.Run(c.ctx(), in, func(source.Draft) error { return c.emit }, func(source.Rejection) error { return nil })
		left, _ := os.ReadDir(dir)
		if err == nil || len(left) > 0 {
			t.Errorf("%s: %v, left %v", name, err, left)
		}
	}
	missing := Connector{TempDir: "testdata/missing", Memory: 1000}
	if err := missing.Run(t.Context(), input("c.ttl", fixture(t)), nil, nil); err == nil || !strings.Contains(err.Error(), "make room") {
		t.Error(err)
	}
}

func FuzzDocument(f *testing.F) {
	f.Add(fixture(f))
	f.Add([]byte(`[{"@id":"http://h/a","@type":["http://www.w3.org/ns/dcat#Dataset"],"http://purl.org/dc/terms/title":[{"@value":"T"}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		o := sourcetest.Run(t, Connector{TempDir: t.TempDir(), Memory: 500}, input("c", data))
		for _, d := range o.Drafts {
			check(t, d)
		}
		for _, r := range o.Rejections {
			if r.Place == "" || r.Code == "" || r.Reason == "" {
				t.Fatalf("%+v", r)
			}
		}
	})
}
