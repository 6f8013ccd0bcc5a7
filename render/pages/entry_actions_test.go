package pages

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates/entry"
)

// TestFilesInTheReadersLanguage: of two reports a page begins with the one that its readers can read, and a grid
// comes before a picture of it.
func TestFilesInTheReadersLanguage(t *testing.T) {
	reports := &catalog.DatasetDetails{Distributions: []catalog.Distribution{
		{DownloadURL: "https://a.example/n.pdf", Format: "PDF", Languages: []string{"nl"}}, {DownloadURL: "https://a.example/f.pdf", Format: "PDF", Languages: []string{"fr-BE"}}}}
	for lang, want := range map[string]string{"nl": "n.pdf", "fr": "f.pdf", "en": "n.pdf"} {
		if got := downloads(reports, lang)[0].DownloadURL; got != "https://a.example/"+want {
			t.Errorf("%s begins with %s", lang, got)
		}
	}
	if !tongues(reports) {
		t.Error("the order is the same in every language")
	}
	grid := &catalog.DatasetDetails{Distributions: []catalog.Distribution{{DownloadURL: "https://a.example/geoserver/x/wms/kml?layers=a", Format: "KML"},
		{DownloadURL: "https://a.example/geoserver/x/wcs?service=WCS&request=GetCoverage", Format: "WCS_SRVC"}, {DownloadURL: "https://a.example/grid", Format: "GEOTIFF"}}}
	if got := downloads(grid, "en"); got[0].Format != "GEOTIFF" || len(got) != 2 {
		t.Errorf("a picture comes first: %+v", got[0])
	}
}

// TestPartsAreNoFiles: what asks for a part of the data is a service, at the address of all of it.
func TestPartsAreNoFiles(t *testing.T) {
	for address, want := range map[string]service{
		"https://a.example/collections/roads/items?f=json&limit=1":                                              {"OGC API", "https://a.example/collections/roads"},
		"https://a.example/collections/roads/items?f=json":                                                      {},
		"https://a.example/wcs?service=WCS&request=GetCoverage&coverageId=dem&subset=x(1,2)&scalefactor=2":      {"WCS", "https://a.example/wcs?request=GetCapabilities&service=WCS"},
		"https://a.example/wcs?service=WCS&request=GetCoverage&coverageId=dem":                                  {},
		"https://a.example/wfs?service=WFS&request=GetFeature&typeName=roads&outputFormat=csv&maxFeatures=1000": {"WFS", "https://a.example/wfs?request=GetCapabilities&service=WFS"},
	} {
		if got := serviceAt(address, ""); got != want {
			t.Errorf("%s: %+v, want %+v", address, got, want)
		}
	}
}

// Files in another language than their entry say so, on buttons and in lists.
func TestFilesInOtherLanguages(t *testing.T) {
	d := &catalog.DatasetDetails{Distributions: []catalog.Distribution{
		{DownloadURL: "https://a.example/n.csv", Format: "CSV", Languages: []string{"nl-BE"}}, {DownloadURL: "https://a.example/f.json", Format: "JSON", Languages: []string{"fr"}},
		{DownloadURL: "https://a.example/b.csv", Format: "CSV", Languages: []string{"nl", "fr"}}, {DownloadURL: "https://a.example/u.csv", Format: "CSV"}}}
	v := &view{e: &catalog.Entry{NativeLang: "nl", Dataset: d}}
	for i, want := range [][]string{nil, {"fr"}, {"nl", "fr"}, nil} {
		if got := v.otherTongues(&d.Distributions[i]); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", d.Distributions[i].DownloadURL, got, want)
		}
		if got := v.tonguesAt(d.Distributions[i].DownloadURL); !slices.Equal(got, want) {
			t.Errorf("the button of %s: %q, want %q", d.Distributions[i].DownloadURL, got, want)
		}
	}
}

// TestBrokenDocumentation: what did not answer when it was last asked is not offered as documentation.
func TestBrokenDocumentation(t *testing.T) {
	for name, c := range map[string]struct {
		probed   string
		failures int
		offered  bool
	}{
		"it failed": {"https://a.example/docs/", 2, false}, "it answered": {"https://a.example/docs", 0, true}, "another failed": {"https://a.example/data", 2, true},
	} {
		e := catalog.Entry{Type: catalog.TypeDataset, DocsURL: "https://a.example/docs#top", HomepageURL: "https://a.example/", Dataset: &catalog.DatasetDetails{}}
		v := &view{Scored: &snapshot.Scored{Row: &catalog.Row{Entry: e, State: &catalog.CheckState{ProbeURL: c.probed, ConsecutiveFailures: c.failures}}}, e: &e}
		offered := slices.ContainsFunc(v.actions(), func(a entry.Action) bool { return a.Key == "use.read_docs" })
		if offered != c.offered {
			t.Errorf("%s: offered %v", name, offered)
		}
	}
}

// TestSamplesGetWhatTheFirstButtonGets: code reads the file that the page offers first, not the service beside it.
func TestSamplesGetWhatTheFirstButtonGets(t *testing.T) {
	const file, part = "https://a.example/roads.gpkg", "https://a.example/wfs?service=WFS&request=GetFeature&typeNames=roads&count=1"
	service := catalog.Distribution{DownloadURL: part, Format: "WFS_SRVC"}
	for name, c := range map[string]struct {
		files []catalog.Distribution
		want  string
	}{
		"a file beside a service": {[]catalog.Distribution{service, {DownloadURL: file, Format: "GPKG"}}, "'" + file + "'"},
		"a service alone":         {[]catalog.Distribution{service}, "https://a.example/wfs?"},
		"all features of a service": {[]catalog.Distribution{{DownloadURL: "https://a.example/wfs?service=WFS&request=GetFeature&typeNames=roads&outputFormat=csv", Format: "WFS_SRVC"}},
			"'https://a.example/wfs?service=WFS&request=GetFeature&typeNames=roads&outputFormat=csv'"},
	} {
		e := catalog.Entry{Type: catalog.TypeDataset, Dataset: &catalog.DatasetDetails{Distributions: c.files}}
		v := &view{Scored: &snapshot.Scored{Row: &catalog.Row{Entry: e}}, e: &e, lang: "en"}
		list := v.samples(v.actions())
		if len(list) == 0 || !strings.Contains(list[0].Code, c.want) {
			t.Errorf("%s: %+v", name, list)
		}
	}
}
