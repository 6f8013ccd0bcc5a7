package ukapicatalogue

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

func input(data []byte) source.Input {
	return source.Input{Name: "catalogue.csv", Source: catalog.Source{ID: "s", URL: "https://www.api.gov.uk/"},
		Files: os.DirFS("testdata"),
		Open:  func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

func fixture(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/catalogue.csv")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func note(d *source.Draft, field string) string {
	for _, r := range d.Rows {
		if r.Field == field {
			return string(r.Basis) + ": " + r.Note
		}
	}
	return ""
}

func TestMapping(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, input(fixture(t)))
	want := map[source.Code]int{source.CodeMissingURL: 1, source.CodeBadURL: 1, source.CodeMissingName: 1,
		source.CodeColumnCount: 1, source.CodeUnbalancedQuotes: 1}
	if got := o.Codes(); !maps.Equal(got, want) || len(o.Drafts) != 7 {
		t.Fatalf("%d drafts, rejections %v", len(o.Drafts), o.Rejections)
	}

	d := o.ByName(t, "Tide Times")
	e := d.Entry
	if e.Description != "Times of high water.\n\nThe API has:\n\n- ports\n- heights" {
		t.Errorf("description %q", e.Description)
	}
	if e.API.BaseURL != "https://api.tides.example.gov.uk/v1" || e.PrimarySourceURL != e.API.BaseURL ||
		e.RepoURL != "https://github.com/tide-office/tides-api" || e.Contact.Email != "tides@harbour.example.gov.uk" {
		t.Errorf("addresses of %+v", e)
	}
	if d.PublisherKey != "gb-harbour-board" || e.PublisherName != "Harbour Board" || e.SourceIssuedAt.Year() != 2019 || e.SourceModifiedAt.Year() != 2020 {
		t.Errorf("publisher and dates of %+v", d)
	}
	if d.Delivered != 9 || d.Repaired != 1 || d.Confidence() != 88 {
		t.Errorf("%d delivered, %d repaired, confidence %d", d.Delivered, d.Repaired, d.Confidence())
	}
}

func TestQuirks(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, input(fixture(t)))
	stamp, window := o.ByName(t, "Stamp Duty"), o.ByName(t, "Window Tax")
	if stamp.Entry.PrimarySourceURL != window.Entry.PrimarySourceURL || !stamp.OtherLicence || stamp.Entry.LicenseRaw != "ISC" {
		t.Errorf("shared url or licence: %+v", stamp)
	}
	if stamp.Entry.Contact != nil || !strings.Contains(note(stamp, "contact"), "person") {
		t.Errorf("a person's address was kept: %v", stamp.Entry.Contact)
	}
	if window.Entry.Contact == nil || window.Entry.Contact.URL == "" || window.Entry.Description != "Two lines,\nwith a real break." {
		t.Errorf("contact page or line break: %+v", window.Entry)
	}
	air := o.ByName(t, "Air Quality")
	if got := note(air, "source_issued_at"); !strings.HasPrefix(got, "not_delivered") || air.Entry.SourceIssuedAt.Format("2006-01-02") != "2020-02-26" {
		t.Errorf("in service: %s, %v", got, air.Entry.SourceIssuedAt)
	}
	if got := note(air, "source_modified_at"); !strings.Contains(got, "before") || air.Entry.API.SpecFormat != "ogc-wms" || air.Entry.Contact != nil {
		t.Errorf("air quality: %s, %+v", got, air.Entry)
	}
	if air.PublisherKey != "gb-air-office" || air.PublisherURL != "https://www.air.example.gov.uk" || air.PublisherName != "Air Office" {
		t.Errorf("publisher with a capital letter: %+v", air)
	}
	places := o.ByName(t, "School Places")
	if places.Entry.PrimarySourceURL != "https://docs.schools.example.gov.uk/places" || places.Entry.API.BaseURL != "" ||
		note(places, "primary_source_url") == "" || places.PublisherName != "school office" {
		t.Errorf("row without url: %+v", places)
	}
	copies := o.ByName(t, "Title Copies").Entry
	if copies.API.BaseURL != "https://land.example.gov.uk/api/titles/%7Btitle%7D/copy" || copies.SunsetAt.Year() != 2030 {
		t.Errorf("template: %+v", copies)
	}
	if c := o.ByName(t, "Contracts").Entry; c.API.BaseURL != "" || c.RepoURL == "" {
		t.Errorf("repository as url: %+v", c)
	}
}

// mapped are fields whose value needs no row: they hold the row's own account.
var unmapped = []string{"extraction_confidence"}

func TestEveryFieldHasARow(t *testing.T) {
	for _, d := range sourcetest.Run(t, Connector{}, input(fixture(t))).Drafts {
		have := map[string]bool{}
		for _, r := range d.Rows {
			if r.SourceID != "s" || r.SourceURL == "" || r.ObservedAt.IsZero() || r.Basis == "" {
				t.Errorf("%s: row %+v", d.Entry.Name, r)
			}
			have[r.Field] = true
		}
		e := d.Entry
		for field, set := range map[string]bool{"description": e.Description != "", "docs_url": e.DocsURL != "", "repo_url": e.RepoURL != "",
			"api.base_url": e.API.BaseURL != "", "license_raw": e.LicenseRaw != "", "publisher_name": e.PublisherName != "",
			"contact": e.Contact != nil, "source_modified_at": !e.SourceModifiedAt.IsZero(), "sunset_at": !e.SunsetAt.IsZero(), "name": true} {
			if set && !have[field] && !slices.Contains(unmapped, field) {
				t.Errorf("%s: no row for %s", e.Name, field)
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	good := fixture(t)
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes(good)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(good)
	_ = w.Close()
	row := func(name, description string) string {
		return "2021-01-01,2021-01-02,https://x.example.gov.uk," + name + "," + description + ",,,,,,,x\n"
	}
	head := string(good[:bytes.IndexByte(good, '\n')+1])
	for _, c := range []struct {
		name   string
		in     []byte
		drafts int
		code   source.Code
	}{
		{"byte order mark", append([]byte("\xef\xbb\xbf"), good...), 7, ""},
		{"utf-16", utf16, 7, ""},
		{"gzip", packed.Bytes(), 7, ""},
		{"truncated gzip", packed.Bytes()[:packed.Len()-300], 1, source.CodeTruncatedGzip},
		{"no header", []byte(row("A", "b")), 0, source.CodeMissingHeader},
		{"empty file", nil, 0, source.CodeMissingHeader},
		{"latin-1 text", []byte(head + row("Caf\xe9", "b")), 1, ""},
		{"control characters", []byte(head + row("A\x00\x07", "b\x1b[31m")), 1, ""},
		{"10 MB description", []byte(head + row("A", strings.Repeat("long ", 2_000_000)) + row("B", "b")), 2, ""},
		{"11 MiB description", []byte(head + row("A", strings.Repeat("x", 11<<20)) + row("B", "b")), 1, source.CodeRecordTooLarge},
		{"repeated row", []byte(head + row("A", "b") + row("A", "b")), 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := sourcetest.Run(t, Connector{}, input(c.in))
			if len(o.Drafts) < c.drafts || c.name != "truncated gzip" && len(o.Drafts) != c.drafts {
				t.Errorf("%d drafts, want %d; %v", len(o.Drafts), c.drafts, o.Codes())
			}
			if c.code != "" && o.Codes()[c.code] != 1 {
				t.Errorf("codes %v, want one %s", o.Codes(), c.code)
			}
			for _, d := range o.Drafts {
				for field, s := range map[string]string{"name": d.Entry.Name, "description": d.Entry.Description} {
					if err := catalog.CheckText(field, s, catalog.DescriptionMax); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
}

func TestRealCatalogue(t *testing.T) {
	dir := sourcetest.Shared(t, "data/uk-api-catalogue")
	for file, want := range map[string][2]int{"catalogue.csv": {221, 10}, "catalogue_2024-12-03.csv": {135, 10}} {
		data, err := os.ReadFile(dir + "/" + file)
		if err != nil {
			t.Fatal(err)
		}
		in := input(data)
		in.Files = os.DirFS(dir)
		o := sourcetest.Run(t, Connector{}, in)
		t.Logf("%s: %d drafts, %v", file, len(o.Drafts), o.Codes())
		if len(o.Drafts)+len(o.Rejections) != want[0]+want[1] || len(o.Drafts) != want[0] {
			t.Errorf("%s: %d drafts and %d rejections %v", file, len(o.Drafts), len(o.Rejections), o.Codes())
		}
		shared, literal := 0, 0
		for _, d := range o.Drafts {
			if strings.HasPrefix(d.Entry.PrimarySourceURL, "https://api.service.hmrc.gov.uk") {
				shared++
			}
			if strings.Contains(note(&d, "description"), "literal") {
				literal++
			}
			if strings.Contains(d.Entry.Description, `\n`) {
				t.Errorf("%s: a literal line break is left", d.Entry.Name)
			}
		}
		if file == "catalogue.csv" && (shared != 30 || literal < 80) {
			t.Errorf("%d entries share the url of the tax office, %d had literal breaks", shared, literal)
		}
	}
}

func FuzzUKCSV(f *testing.F) {
	f.Add(fixture(f))
	f.Add([]byte("url,name,provider\n\"a\"\"b,\n"))
	f.Add([]byte("\xff\xfeu\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		o := sourcetest.Run(t, Connector{}, input(data))
		for _, d := range o.Drafts {
			if d.Entry.Name == "" || d.Entry.PrimarySourceURL == "" || d.Repaired > d.Delivered {
				t.Fatalf("draft %+v", d)
			}
			if err := catalog.CheckURL("primary_source_url", d.Entry.PrimarySourceURL); err != nil {
				t.Fatal(err)
			}
		}
	})
}
