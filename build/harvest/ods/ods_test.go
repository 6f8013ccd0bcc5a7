package ods

import (
	"encoding/json"
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

const portal = "https://data.example.ch"

func fixture(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/datasets.json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func run(t testing.TB, name string, data []byte) sourcetest.Outcome {
	t.Helper()
	o := sourcetest.Run(t, Connector{}, feedtest.File(name, data, portal+"/explore/"))
	feedtest.CheckOutcome(t, o)
	return o
}

func TestDataset(t *testing.T) {
	o := run(t, "datasets.json", fixture(t))
	d := o.ByName(t, "Haltestellen")
	e := &d.Entry
	for _, c := range []struct{ field, got, want string }{
		{"primary", e.PrimarySourceURL, portal + "/explore/dataset/haltestellen/"}, {"homepage", e.HomepageURL, "https://www.example.ch/verkehr"}, {"ref", e.UpstreamRef, "data.example.ch:ods:haltestellen"},
		{"description", e.Description, "Alle Haltestellen."}, {"language", e.NativeLang, "de"}, {"tags", strings.Join(e.Tags, ","), "bus,tram,verkehr"}, {"themes", strings.Join(e.Themes, ","), "TRAN"},
		{"licence", e.LicenseRaw, "CC BY 4.0"}, {"publisher", d.PublisherName, "Verkehrsamt"}, {"frequency", e.Dataset.Frequency, "DAILY"}, {"spatial", strings.Join(e.Dataset.Spatial, ","), "Bern"},
		{"formats", strings.Join(e.Formats, ","), "CSV,GEOJSON,JSON,PDF"}, {"end", e.Dataset.TemporalEnd.Format(time.DateOnly), "2020-12-31"}, {"contact", e.Contact.Email, "opendata@example.ch"},
		{"modified", e.SourceModifiedAt.Format(time.DateOnly), "2024-05-22"}, {"csv", e.Dataset.Distributions[0].DownloadURL, portal + "/api/explore/v2.1/catalog/datasets/haltestellen/exports/csv"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.field, c.got, c.want)
		}
	}
	files := o.ByName(t, "Only files").Entry
	if len(files.Dataset.Distributions) != 0 || files.NativeLang != "" || files.Dataset.Frequency != "" {
		t.Errorf("%+v", files.Dataset)
	}
	want := map[source.Code]int{source.CodePrivate: 2, source.CodeMissingName: 1, source.CodeTest: 1, source.CodeNoRecords: 1}
	if len(o.Drafts) != 2 || fmt.Sprint(o.Codes()) != fmt.Sprint(want) {
		t.Errorf("%d drafts, %v, want %v", len(o.Drafts), o.Codes(), want)
	}
}

func TestShapes(t *testing.T) {
	r := `{"dataset_id":"a","metas":{"default":{"title":"A"}}}`
	for name, in := range map[string]string{
		"envelope": `{"total_count":1,"results":[` + r + `]}`, "export": `[` + r + `]`, "one": r, "lines": r + "\n" + r, "version 2.0": `{"total_count":1,"datasets":[{"links":[],"dataset":` + r + `}]}`,
	} {
		if o := run(t, name, []byte(in)); len(o.Drafts) == 0 || len(o.Rejections) > 0 || o.Drafts[0].Entry.Name != "A" {
			t.Errorf("%s: %d drafts, %+v", name, len(o.Drafts), o.Rejections)
		}
	}
	if o := run(t, "error", []byte(`{"error_code":"ODSQLError","message":"x"}`)); o.Codes()[source.CodeNoRecords] != 1 {
		t.Errorf("error: %v", o.Codes())
	}
	unknown := sourcetest.Run(t, Connector{}, feedtest.File("in", []byte(r), ""))
	if unknown.Codes()[source.CodeMissingURL] != 1 {
		t.Errorf("without a portal: %v", unknown.Codes())
	}
}

// site has n datasets, 40 on a page, and an export.
func site(n int) *feedtest.Site {
	dataset := func(i int) string {
		return fmt.Sprintf(`{"dataset_id":"d%05d","metas":{"default":{"title":"T%d"}}}`, i, i)
	}
	return &feedtest.Site{Answer: func(raw string) string {
		u, _ := url.Parse(raw)
		var list []string
		if strings.Contains(u.Path, "/exports/json") {
			for i := n - 1; i >= 0; i-- {
				list = append(list, dataset(i))
			}
			return "[" + strings.Join(list, ",") + "]"
		}
		var at int
		fmt.Sscan(u.Query().Get("offset"), &at)
		for i := at; i < min(at+40, n); i++ {
			list = append(list, dataset(i))
		}
		return fmt.Sprintf(`{"total_count":%d,"results":[%s]}`, n, strings.Join(list, ","))
	}}
}

func TestLive(t *testing.T) {
	s := site(90)
	in := s.Input(portal+"/explore/?sort=modified", map[string]string{"refine": "publisher:SBB|theme:Verkehr", "where": "records_count > 0", "lang": "de"})
	in.Since = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	o := sourcetest.Run(t, Connector{}, in)
	if len(o.Drafts) != 90 || len(s.Asked) != 3 || len(s.Marks) != 2 || len(o.Rejections) != 0 {
		t.Fatalf("%d drafts, asked %v", len(o.Drafts), s.Asked)
	}
	u, _ := url.Parse(s.Asked[0])
	q := u.Query()
	if u.Path != "/api/explore/v2.1/catalog/datasets" || len(q["refine"]) != 2 || q.Get("where") != "(records_count > 0) AND modified >= date'2026-01-02'" || q.Get("lang") != "de" {
		t.Errorf("asked %s", s.Asked[0])
	}
	again := site(90)
	in = again.Input(portal, nil)
	in.Cursor = s.Marks[1]
	if rest := sourcetest.Run(t, Connector{}, in); len(rest.Drafts) != 10 {
		t.Errorf("resumed: %d drafts", len(rest.Drafts))
	}
}

// The pages reach ten thousand datasets; a larger catalogue is exported.
func TestLargeCatalogue(t *testing.T) {
	s := site(10_050)
	o := sourcetest.Run(t, Connector{}, s.Input(portal, nil))
	refs := map[string]bool{}
	for _, d := range o.Drafts {
		refs[d.Entry.UpstreamRef] = true
	}
	if len(refs) != 10_050 || len(s.Asked) != 2 || len(o.Rejections) != 0 {
		t.Errorf("%d datasets from %v, %v", len(refs), s.Asked, o.Rejections)
	}
}

func TestSamePageTwice(t *testing.T) {
	s := &feedtest.Site{Answer: func(string) string {
		return `{"total_count":61,"results":[{"dataset_id":"a","metas":{"default":{"title":"A"}}}]}`
	}}
	o := sourcetest.Run(t, Connector{}, s.Input(portal, nil))
	if len(o.Drafts) != 1 || o.Codes()[source.CodeRepeatedPage] != 1 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Codes())
	}
}

func TestRealPortal(t *testing.T) {
	all := feedtest.Family(t, Connector{}, "data/ods", "https://data.sbb.ch", func(_ string, data []byte) int {
		var doc struct{ Results []any }
		if json.Unmarshal(data, &doc) != nil {
			return -1
		}
		return len(doc.Results)
	})
	o := all["data.sbb.ch_catalog-datasets.json"]
	annual := 0
	for _, d := range o.Drafts {
		if d.Entry.NativeLang != "" {
			t.Errorf("%s: nobody said that this is %s", d.Entry.Name, d.Entry.NativeLang)
		}
		if d.Entry.Dataset.Frequency == "ANNUAL" {
			annual++
		}
	}
	if len(o.Drafts) != 12 || annual == 0 {
		t.Errorf("%d drafts, %d annual", len(o.Drafts), annual)
	}
}

func FuzzODS(f *testing.F) {
	f.Add(fixture(f))
	f.Add([]byte(`[{"dataset_id":1,"metas":{"default":{"title":{"de":"x"},"theme":"y","references":[""]},"dcat":{"temporal":"R/P1Y"}},"attachments":[{}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) { run(t, "in", data) })
}
