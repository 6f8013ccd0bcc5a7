package table

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

func input(data []byte, filters ...string) source.Input {
	in := source.Input{Name: "list", Source: catalog.Source{ID: "s", Filters: map[string]string{}},
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
	for i := 0; i+1 < len(filters); i += 2 {
		in.Source.Filters[filters[i]] = filters[i+1]
	}
	return in
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func row(d *source.Draft, field string) catalog.FieldRow {
	for _, r := range d.Rows {
		if r.Field == field {
			return r
		}
	}
	return catalog.FieldRow{}
}

func TestCSV(t *testing.T) {
	o := sourcetest.Run(t, CSV{}, input(fixture(t, "list.csv")))
	want := map[source.Code]int{source.CodeMissingURL: 1, source.CodeBadURL: 1, source.CodeMissingName: 1, source.CodeInvalidField: 1,
		source.CodeColumnCount: 1, source.CodeControlCharacter: 1, source.CodeUnbalancedQuotes: 1}
	if !maps.Equal(o.Codes(), want) || len(o.Drafts) != 6 {
		t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	d := o.ByName(t, "Tide times")
	e := d.Entry
	if e.Type != catalog.TypeAPI || e.API.BaseURL != "https://tides.example.gov.uk/v1" || e.PrimarySourceURL != e.API.BaseURL ||
		e.Description != "High water,\nand low" || e.CountryCode != "GB" || d.PublisherName != "Harbour Board" || d.PublisherKey != "" ||
		!slices.Equal(e.Formats, []string{"CSV", "JSON"}) || !slices.Equal(e.Tags, []string{"sea", "tides"}) || e.DocsURL == "" || e.LicenseRaw != "OGL-UK-3.0" {
		t.Errorf("%+v", e)
	}
	if !strings.Contains(row(d, "source_seed_url").Note, "1 not read: owner") || d.Place != "list:2" || row(d, "name").UpstreamField != "name" {
		t.Errorf("rows %+v", d.Rows[0])
	}
	parishes := o.ByName(t, "Parishes")
	if p := parishes.Entry; p.Description != "All & every" || p.CountryCode != "GB" || parishes.PublisherKey != "gb-example-office" || p.PublisherName != "" ||
		p.Dataset.Distributions[0].Format != "CSV" || p.Dataset.LandingPage != "" {
		t.Errorf("%+v %+v", p, p.Dataset)
	}
	if m := o.ByName(t, "Old map").Entry; m.Type != catalog.TypeAPI || m.API.SpecFormat != "ogc-wms" {
		t.Errorf("type read off the url: %+v", m)
	}
	pay := o.ByName(t, "Pay")
	if pay.Entry.MCP.EndpointURL == "" || pay.Entry.CountryCode != "GB" || row(pay, "docs_url").Basis != catalog.BasisNotDelivered || pay.Confidence() == 100 {
		t.Errorf("%+v", pay)
	}
	if s := o.ByName(t, "Somewhere"); s.Entry.CountryCode != "" || row(s, "country_code").Basis != catalog.BasisNotDelivered || s.Entry.Dataset.LandingPage == "" {
		t.Errorf("a region for a country: %+v", s)
	}
	for _, r := range o.Rejections {
		if r.Remedy == "" || !strings.HasPrefix(r.Place, "list:") {
			t.Errorf("rejection %+v", r)
		}
	}
}

func TestMapping(t *testing.T) {
	data := []byte("Titel\tAdresse\tArt\nGezeiten\thttps://tides.example.gov.uk\tAPI\n")
	o := sourcetest.Run(t, CSV{}, input(data, "separator", "tab", "column.name", "Titel", "column.url", " adresse ", "column.type", "Art"))
	if len(o.Drafts) != 1 || o.Drafts[0].Entry.Name != "Gezeiten" || row(&o.Drafts[0], "name").UpstreamField != "Titel" {
		t.Errorf("%+v %v", o.Drafts, o.Rejections)
	}
	o = sourcetest.Run(t, NDJSON{}, input([]byte(`{"titel":"A","url":"https://a.example.gov.uk"}`), "column.name", "titel"))
	if len(o.Drafts) != 1 || o.Drafts[0].Entry.Name != "A" {
		t.Errorf("%+v %v", o.Drafts, o.Rejections)
	}
	if o := sourcetest.Run(t, CSV{}, input(data, "separator", "tab", "column.name", "Titel", "column.url", "Adresse", "column.tags", "Worte")); o.Codes()[source.CodeMissingHeader] != 1 {
		t.Errorf("a column that the file does not have: %v", o.Rejections)
	}
	none := func(source.Rejection) error { return nil }
	for _, filters := range [][]string{{"separator", "::"}, {"separator", `"`}, {"column.nam", "x"}} {
		if err := (CSV{}).Run(context.Background(), input(data, filters...), func(source.Draft) error { return nil }, none); err == nil {
			t.Errorf("filters %q were accepted", filters)
		}
	}
}

func TestNDJSON(t *testing.T) {
	o := sourcetest.Run(t, NDJSON{}, input(fixture(t, "list.ndjson")))
	want := map[source.Code]int{source.CodeInvalidField: 2, source.CodeControlCharacter: 1, source.CodeBrokenJSON: 1}
	if !maps.Equal(o.Codes(), want) || len(o.Drafts) != 3 {
		t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	d := o.ByName(t, "Tide times")
	if !slices.Equal(d.Entry.Tags, []string{"sea", "tides"}) || !slices.Equal(d.Entry.Formats, []string{"JSON"}) ||
		!strings.Contains(d.Rows[0].Note, "2 not read: owner, size") {
		t.Errorf("%+v, %+v", d.Entry, d.Rows[0])
	}
	if e := o.ByName(t, "7").Entry; e.Type != catalog.TypeDataset {
		t.Errorf("%+v", e)
	}
	if o := sourcetest.Run(t, NDJSON{}, input([]byte(`[{"name":"A","url":"https://a.example.gov.uk"},{"name":"B"}]`))); len(o.Drafts) != 1 || len(o.Rejections) != 1 {
		t.Errorf("an array: %d drafts, %v", len(o.Drafts), o.Rejections)
	}
}

func TestBadInput(t *testing.T) {
	good := fixture(t, "list.csv")
	utf16, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().Bytes(good)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(good)
	_ = w.Close()
	for _, c := range []struct {
		name   string
		in     []byte
		drafts int
		code   source.Code
	}{
		{"byte order mark", append([]byte("\xef\xbb\xbf"), good...), 6, ""},
		{"utf-16", utf16, 6, ""},
		{"gzip", packed.Bytes(), 6, ""},
		{"truncated gzip", packed.Bytes()[:packed.Len()-40], -1, source.CodeTruncatedGzip},
		{"other separator", []byte("name;url\na;https://a.example.gov.uk\n"), 0, source.CodeMissingHeader},
		{"no header", []byte("Tides,https://a.example.gov.uk\n"), 0, source.CodeMissingHeader},
		{"empty", nil, 0, source.CodeMissingHeader},
		{"latin-1", []byte("NAME , Url\nCaf\xe9,https://a.example.gov.uk\n"), 1, ""},
		{"long record", []byte("name,url\n" + strings.Repeat("x", 70_000) + ",https://a.example.gov.uk\nb,https://b.example.gov.uk\n"), 1, source.CodeRecordTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(c.in)
			in.Limits.Record = 50_000
			o := sourcetest.Run(t, CSV{}, in)
			if c.drafts >= 0 && len(o.Drafts) != c.drafts || c.code != "" && o.Codes()[c.code] != 1 {
				t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
			}
		})
	}
	in := input([]byte("name,url\na,http://10.0.0.1/x\n"))
	in.AllowPrivate = true
	if o := sourcetest.Run(t, CSV{}, in); len(o.Drafts) != 1 {
		t.Errorf("private addresses allowed: %v", o.Rejections)
	}
}

// The list of another catalogue is read by a mapping.
func TestRealCSV(t *testing.T) {
	data, err := os.ReadFile(sourcetest.Shared(t, "data/uk-api-catalogue/catalogue.csv"))
	if err != nil {
		t.Fatal(err)
	}
	o := sourcetest.Run(t, CSV{}, input(data, "column.docs_url", "documentation", "column.institution", "provider"))
	t.Logf("%d drafts, %v", len(o.Drafts), o.Codes())
	if len(o.Drafts)+len(o.Rejections) != 231 || len(o.Drafts) < 210 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Codes())
	}
}

// Lists of portals are read by a mapping. A region in the column of countries
// is refused, not the record.
func TestRealPortals(t *testing.T) {
	dir := sourcetest.Shared(t, "data/portals")
	for _, c := range []struct {
		file      string
		connector source.Connector
		filters   []string
		records   int
	}{
		{"dataportals-registry.tsv.gz", CSV{}, []string{"separator", "tab", "column.url", "link", "column.country_code", "country", "column.institution", "owner_name",
			"column.tags", "software", "column.type", "-", "column.license", "licence_id"}, 19140},
		{"dataportals.org_portals.csv", CSV{}, []string{"column.name", "title", "column.country_code", "country", "column.institution", "publisher", "column.license", "license_id"}, 631},
		{"btaa_arcgis_hub_portals.csv", CSV{}, []string{"column.name", "Provider"}, 84},
		{"dataportals-registry_central-gov_full.jsonl.gz", NDJSON{}, []string{"column.url", "link", "column.country_code", "-", "column.type", "-", "column.tags", "-", "column.institution", "-"}, 164},
		{"18f_individual_apis.yml", CSV{}, nil, 1},
		{"18f_developer_hubs.yml", NDJSON{}, nil, 1},
		{"public-apis_government-section.md", CSV{}, nil, 1},
	} {
		data, err := os.ReadFile(dir + "/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		o := sourcetest.Run(t, c.connector, input(data, c.filters...))
		none := 0
		for i := range o.Drafts {
			if o.Drafts[i].Entry.CountryCode == "" {
				none++
			}
		}
		t.Logf("%s: %d drafts (%d without country), %v", c.file, len(o.Drafts), none, o.Codes())
		if len(o.Drafts)+len(o.Rejections) != c.records {
			t.Errorf("%s: %d drafts and %d rejections", c.file, len(o.Drafts), len(o.Rejections))
		}
		check(t, o.Drafts)
	}
}

func check(t *testing.T, list []source.Draft) {
	t.Helper()
	for _, d := range list {
		if d.Entry.Name == "" || d.Entry.Type == "" || d.Repaired > d.Delivered {
			t.Fatalf("draft %+v", d)
		}
		if err := catalog.CheckURL("primary_source_url", d.Entry.PrimarySourceURL); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzCSV(f *testing.F) {
	f.Add(fixture(f, "list.csv"))
	f.Add([]byte("url,name\n\"a\"\"b,\n"))
	f.Fuzz(func(t *testing.T, data []byte) { check(t, sourcetest.Run(t, CSV{}, input(data)).Drafts) })
}

func FuzzNDJSON(f *testing.F) {
	f.Add(fixture(f, "list.ndjson"))
	f.Fuzz(func(t *testing.T, data []byte) { check(t, sourcetest.Run(t, NDJSON{}, input(data)).Drafts) })
}
