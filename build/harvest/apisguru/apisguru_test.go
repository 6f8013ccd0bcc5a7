package apisguru_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/apisguru"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

func input(data []byte) source.Input {
	return source.Input{Name: "list.json", Source: catalog.Source{ID: "s", Kind: apisguru.Kind, URL: "https://api.apis.guru/v2/list.json"},
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

func fixture(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/list.json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestMapping(t *testing.T) {
	o := sourcetest.Run(t, apisguru.Connector{}, input(fixture(t)))
	want := map[source.Code]int{source.CodeInvalidField: 2, source.CodeMissingName: 1, source.CodeMissingURL: 1}
	if !maps.Equal(o.Codes(), want) || len(o.Drafts) != 5 {
		t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	d := o.ByName(t, "Tides")
	e := d.Entry
	if e.UpstreamRef != "api.apis.guru:apisguru:harbour.example.gov.uk:tides" || e.PrimarySourceURL != "https://harbour.example.gov.uk" ||
		e.API.OpenAPIURL != "https://harbour.example.gov.uk/openapi.yaml" || e.API.SpecFormat != "openapi" || e.API.Version != "2.0" {
		t.Errorf("identity and addresses of %+v, %+v", e, e.API)
	}
	if e.Description != "High water." || !slices.Equal(e.Tags, []string{"open data", "sea", "tide"}) || e.LogoURL == "" || e.DocsURL == "" ||
		e.API.TermsURL == "" || e.Contact.Email != "tides@harbour.example.gov.uk" || !strings.HasPrefix(e.LicenseRaw, "https://www.nationalarchives") {
		t.Errorf("head of %+v", e)
	}
	if e.SourceIssuedAt.Year() != 2021 || e.SourceModifiedAt.Year() != 2022 {
		t.Errorf("dates %v, %v", e.SourceIssuedAt, e.SourceModifiedAt)
	}
	other := []catalog.Member{{Name: "1", Title: "Tides (old)", URL: "https://dir.example.org/v2/specs/tides/1.json"}}
	if len(e.Members) != 1 || e.Members[0].Name != other[0].Name || e.Members[0].Title != other[0].Title || e.Members[0].URL != other[0].URL {
		t.Errorf("members %+v", e.Members)
	}
	fields := map[string]string{}
	for _, r := range d.Rows {
		fields[r.Field] = r.UpstreamField
	}
	for field, from := range map[string]string{"name": "info.title", "api.openapi_url": "info.x-origin[].url", "homepage_url": "info.x-providerName", "members": "versions"} {
		if fields[field] != from {
			t.Errorf("%s comes from %q", field, fields[field])
		}
	}
}

func TestQuirks(t *testing.T) {
	o := sourcetest.Run(t, apisguru.Connector{}, input(fixture(t)))
	milan := o.ByName(t, "Dati").Entry
	if milan.UpstreamRef != "api.apis.guru:apisguru:italy:milan:dati.example.it" || milan.HomepageURL != "https://dati.example.it" ||
		milan.DocsURL != "https://dati.example.it/page" || milan.API.OpenAPIURL != "" || !milan.SourceIssuedAt.IsZero() || milan.API.Version != "1" {
		t.Errorf("key with two colons, no dates, preferred version that is gone: %+v %+v", milan, milan.API)
	}
	ships := o.ByName(t, "Ships")
	if ships.PublisherKey != "" || ships.Entry.HomepageURL != "" || catalog.Host(ships.Entry.PrimarySourceURL) != "raw.githubusercontent.com" {
		t.Errorf("a host that only looks official: %+v", ships)
	}
	old := o.ByName(t, "Old").Entry
	if old.API.SpecFormat != "swagger" || old.API.OpenAPIURL != "https://dir.example.org/v2/specs/old/1.json" || old.LicenseRaw != "" {
		t.Errorf("another format: %+v", old.API)
	}
	other := o.ByName(t, "copy").Entry
	if other.API.OpenAPIURL != "https://dir.example.org/v2/specs/copy/1.json" || other.API.SpecFormat != "openapi" {
		t.Errorf("a document on another body's site: %+v", other.API)
	}
	for _, r := range o.Rejections {
		if r.UpstreamRef == "" || r.Remedy == "" || !strings.Contains(r.Place, "list.json#") {
			t.Errorf("rejection %+v", r)
		}
	}
}

func TestBadInput(t *testing.T) {
	good := fixture(t)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(good)
	_ = w.Close()
	long := `{"a:b":{"preferred":"1","versions":{"1":{"info":{"title":"` + strings.Repeat("x", 20_000) + `"}}}}}`
	for _, c := range []struct {
		name   string
		in     []byte
		drafts int
		code   source.Code
	}{
		{"byte order mark", append([]byte("\xef\xbb\xbf"), good...), 5, ""},
		{"gzip", packed.Bytes(), 5, ""},
		{"cut off", good[:bytes.Index(good, []byte(`"italy`))+40], 1, source.CodeBrokenJSON},
		{"truncated gzip", packed.Bytes()[:packed.Len()-100], -1, source.CodeTruncatedGzip},
		{"an array", []byte("[]"), 0, source.CodeNoRecords},
		{"empty file", nil, 0, source.CodeBrokenJSON},
		{"empty list", []byte("{}"), 0, ""},
		{"long record", []byte(long), 0, source.CodeRecordTooLarge},
		{"trailing comma", []byte(`{"a":1,}`), 0, source.CodeBrokenJSON},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(c.in)
			in.Limits.Record = 10_000
			o := sourcetest.Run(t, apisguru.Connector{}, in)
			if c.drafts >= 0 && len(o.Drafts) != c.drafts || c.code != "" && o.Codes()[c.code] != 1 {
				t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
			}
		})
	}
}

func TestLive(t *testing.T) {
	in := input(nil)
	in.Name, in.Open = "https://api.apis.guru/v2/list.json", nil
	in.Fetch = func(_ context.Context, r source.Request) (*source.Response, error) {
		if r.URL != in.Name {
			return nil, errors.New("another page")
		}
		return &source.Response{URL: r.URL, Body: io.NopCloser(bytes.NewReader(fixture(t)))}, nil
	}
	if o := sourcetest.Run(t, apisguru.Connector{}, in); len(o.Drafts) != 5 || o.Drafts[0].Entry.SourceSeedURL != in.Name {
		t.Errorf("%d drafts", len(o.Drafts))
	}
}

// TestRealLists runs the real lists through the whole harvest: the directory
// is not official, so what lies at hosts that only look official stays out.
func TestRealLists(t *testing.T) {
	dir := sourcetest.Shared(t, "data/apisguru")
	for file, want := range map[string][2]int{"list_reassembled.json.gz": {1001, 0}, "mobidatalab_list.json": {34, 0}, "mobidatalab_metrics.json": {0, 3}} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		o := sourcetest.Run(t, apisguru.Connector{}, input(data))
		t.Logf("%s: %d drafts, %v", file, len(o.Drafts), o.Codes())
		if len(o.Drafts) != want[0] || len(o.Rejections) != want[1] {
			t.Errorf("%s: %d drafts, %v", file, len(o.Drafts), o.Codes())
		}
		for _, d := range o.Drafts {
			if d.PublisherKey != "" || d.Entry.InstitutionID != "" {
				t.Errorf("%s has a known publisher", d.Place)
			}
		}
		if want[0] > 0 {
			admission(t, input(data), want[0])
		}
	}
}

func admission(t *testing.T, in source.Input, n int) {
	t.Helper()
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := harvest.LoadReference(ctx, st, sourcetest.Now); err != nil {
		t.Fatal(err)
	}
	in.Source.ID = harvest.SourceID("apisguru")
	r, err := harvest.Run(ctx, st, apisguru.Connector{}, in, harvest.Options{Now: sourcetest.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d in, %d created, %d quarantined, %d merged, %d rejected", r.In, r.Created, r.Quarantined, r.Merged, r.Rejected)
	if r.In != n || r.Created != 0 || r.Created+r.Quarantined+r.Merged+r.Rejected != n {
		t.Errorf("report %+v", r)
	}
	err = st.View(ctx, func(tx catalog.Tx) error {
		return tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			if strings.Contains(e.UpstreamRef, "cowin.gov.cin") || strings.Contains(e.UpstreamRef, "cdcgov.local") {
				t.Errorf("%s got in as %s", e.UpstreamRef, e.Status)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func FuzzAPIsGuru(f *testing.F) {
	f.Add(fixture(f))
	f.Add([]byte(`{"a:b:c":{"versions":{"1":{"info":{"title":"T","x-providerName":"a.example.org"}}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range sourcetest.Run(t, apisguru.Connector{}, input(data)).Drafts {
			if d.Entry.Name == "" || d.PublisherKey != "" {
				t.Fatalf("draft %+v", d)
			}
			if err := catalog.CheckURL("primary_source_url", d.Entry.PrimarySourceURL); err != nil {
				t.Fatal(err)
			}
		}
	})
}
