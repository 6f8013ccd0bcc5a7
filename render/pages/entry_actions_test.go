package pages

import (
	"slices"
	"testing"

	"github.com/assay-register/assay/render/catalog"
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
