package template

import (
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

const portal = "https://data.example.gov/"

func run(t testing.TB, data []byte) sourcetest.Outcome {
	t.Helper()
	o := sourcetest.Run(t, Connector{}, feedtest.File("datasets.json", data, portal))
	feedtest.CheckOutcome(t, o)
	return o
}

func fixture(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/datasets.json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRecords: one case for each quirk of real files.
func TestRecords(t *testing.T) {
	t.Parallel()
	o := run(t, fixture(t))
	d := o.ByName(t, "Tides")
	for _, c := range []struct{ field, got, want string }{
		{"ref", d.Entry.UpstreamRef, "data.example.gov:template:7"}, {"page", d.Entry.PrimarySourceURL, "https://data.example.gov/tides"},
		{"publisher", d.PublisherName, "Harbour Board"}, {"licence", d.Entry.LicenseRaw, "CC-BY-4.0"}, {"tags", fmt.Sprint(d.Entry.Tags), "[sea water]"},
		{"modified", d.Entry.SourceModifiedAt.Format(time.DateOnly), "2024-05-22"}, {"formats", fmt.Sprint(d.Entry.Formats), "[CSV]"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.field, c.got, c.want)
		}
	}
	want := map[source.Code]int{source.CodeMissingName: 1, source.CodeMissingURL: 1}
	if len(o.Drafts) != 1 || fmt.Sprint(o.Codes()) != fmt.Sprint(want) {
		t.Errorf("%d drafts, %v, want %v", len(o.Drafts), o.Codes(), want)
	}
}

// TestPages reads a live portal page by page.
func TestPages(t *testing.T) {
	t.Parallel()
	site := &feedtest.Site{Answer: func(raw string) string {
		at := 0
		if u, err := url.Parse(raw); err == nil {
			fmt.Sscan(u.Query().Get("offset"), &at)
		}
		return fmt.Sprintf(`{"total": 3, "datasets": [{"id": %d, "title": "N%[1]d", "page": "https://data.example.gov/%[1]d"}]}`, at)
	}}
	o := sourcetest.Run(t, Connector{}, site.Input(portal, nil))
	feedtest.CheckOutcome(t, o)
	if len(o.Drafts) != 3 || len(site.Asked) != 3 || site.Asked[0] != portal+"api/datasets?offset=0" || len(site.Marks) != 2 {
		t.Errorf("%d drafts, asked %v, marks %v", len(o.Drafts), site.Asked, site.Marks)
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add(fixture(f))
	f.Add([]byte(`[{"id": [1], "title": {"a": 1}, "files": null}]`))
	f.Fuzz(func(t *testing.T, data []byte) { run(t, data) })
}
