package pages

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates/entry"
)

// TestTermsOfFiles holds that a page never says that nothing is allowed while its files state what is.
func TestTermsOfFiles(t *testing.T) {
	files := func(list ...catalog.Distribution) *view {
		return &view{Scored: &snapshot.Scored{}, e: &catalog.Entry{LicenseID: "CC0-1.0", Dataset: &catalog.DatasetDetails{Distributions: list}}}
	}
	v := files(catalog.Distribution{LicenseID: "CC-BY-4.0"}, catalog.Distribution{LicenseID: "CC0-1.0"}, catalog.Distribution{},
		catalog.Distribution{LicenseID: "CC-BY-4.0"}, catalog.Distribution{LicenseRaw: "ask us"})
	got := v.fileTerms()
	want := []entry.FileTerms{{Name: "CC BY 4.0", Files: 2}, {Name: "ask us", Link: "ask us", Files: 1}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v, want %+v", got, want)
	}
	v.e.LicenseID = ""
	if terms := v.terms(); terms.Key != "terms.files" {
		t.Errorf("the head says %q", terms.Key)
	}
	v.e.Dataset.Distributions = nil
	if terms := v.terms(); terms.Key != "terms.none" {
		t.Errorf("the head says %q of none", terms.Key)
	}
}
