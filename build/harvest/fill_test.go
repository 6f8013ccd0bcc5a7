package harvest

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// What belongs together comes from one listing, in whichever order fields are
// filled.
func TestGroupsAreNotMixed(t *testing.T) {
	t.Parallel()
	src := catalog.Entry{Type: catalog.TypeAPI, PublisherName: "Tide Office", InstitutionID: "tides", LicenseID: "OGL-UK-3.0", LicenseRaw: "OGL",
		API: &catalog.APIDetails{TermsURL: "https://tides.example.uk/ogl"}}
	for name, c := range map[string]struct {
		dst, want catalog.Entry
	}{
		"nothing stated": {catalog.Entry{}, catalog.Entry{PublisherName: "Tide Office", InstitutionID: "tides", LicenseID: "OGL-UK-3.0", LicenseRaw: "OGL",
			API: &catalog.APIDetails{TermsURL: "https://tides.example.uk/ogl"}}},
		"the same institution": {catalog.Entry{InstitutionID: "tides", LicenseID: "OGL-UK-3.0", LicenseRaw: "OGL"},
			catalog.Entry{PublisherName: "Tide Office", InstitutionID: "tides", LicenseID: "OGL-UK-3.0", LicenseRaw: "OGL",
				API: &catalog.APIDetails{TermsURL: "https://tides.example.uk/ogl"}}},
		"another institution and licence": {catalog.Entry{InstitutionID: "meteo", LicenseRaw: "ours"}, catalog.Entry{InstitutionID: "meteo", LicenseRaw: "ours", API: &catalog.APIDetails{}}},
		"another name":                    {catalog.Entry{PublisherName: "Météo", LicenseID: "CC0-1.0"}, catalog.Entry{PublisherName: "Météo", LicenseID: "CC0-1.0", API: &catalog.APIDetails{}}},
	} {
		for range 20 { // the order differs
			dst := c.dst
			dst.Type, dst.API = catalog.TypeAPI, &catalog.APIDetails{}
			fill(&dst, &src, nil)
			if dst.PublisherName != c.want.PublisherName || dst.InstitutionID != c.want.InstitutionID || dst.LicenseID != c.want.LicenseID ||
				dst.LicenseRaw != c.want.LicenseRaw || dst.API.TermsURL != c.want.API.TermsURL {
				t.Fatalf("%s: %+v, terms %q", name, dst, dst.API.TermsURL)
			}
		}
	}
}

// Formats are those of the files: an entry that has files takes none of others.
func TestFormatsGoWithFiles(t *testing.T) {
	t.Parallel()
	file := func(url string) *catalog.DatasetDetails {
		return &catalog.DatasetDetails{Distributions: []catalog.Distribution{{DownloadURL: url}}}
	}
	src := catalog.Entry{Type: catalog.TypeDataset, Formats: []string{"CSV"}, Dataset: file("https://a.example/1.csv")}
	for url, want := range map[string]int{"": 1, "https://a.example/1.csv": 1, "https://a.example/2": 0} {
		dst := catalog.Entry{Type: catalog.TypeDataset}
		if url != "" {
			dst.Dataset = file(url)
		}
		if fill(&dst, &src, nil); len(dst.Formats) != want {
			t.Errorf("beside %q: formats %q", url, dst.Formats)
		}
	}
}
