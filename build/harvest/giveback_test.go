package harvest

import (
	"reflect"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Each field that a listing can fill goes back to it, and no other.
func TestFilledFieldsGoBack(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	full := catalog.Entry{Type: catalog.TypeAPI, SourceID: "theirs", NameEn: "a", Description: "b", DescriptionEn: "c", NativeLang: "cy", HomepageURL: "d", DocsURL: "e",
		RepoURL: "f", LogoURL: "g", CountryCode: "GB", PublisherName: "h", InstitutionID: "i", LicenseID: "j", LicenseRaw: "k", Tags: []string{"l"}, Formats: []string{"m"},
		Themes: []string{"n"}, HVDCategories: []string{"o"}, Contact: &catalog.Contact{}, MCP: &catalog.MCPDetails{}, Dataset: &catalog.DatasetDetails{},
		FreeAccessClass: catalog.AccessFreeKey, AuthType: catalog.AuthAPIKey, SourceIssuedAt: at, SourceModifiedAt: at,
		API: &catalog.APIDetails{BaseURL: "p", OpenAPIURL: "q", SpecFormat: "r", TermsURL: "s"}}
	for field := range fillers {
		var bare catalog.Entry
		bare.Type, bare.SourceID, bare.FreeAccessClass, bare.AuthType = full.Type, "ours", catalog.AccessUnknown, catalog.AuthUnknown
		if len(field) > 4 && field[:4] == "api." {
			bare.API = &catalog.APIDetails{}
		}
		got := own(&bare)
		if taken := fill(&got, &full, map[string]bool{field: true}); !taken[field] {
			t.Errorf("%s was not filled", field)
		}
		filled := own(&got)
		rows := func(source, note string) []catalog.FieldRow {
			return []catalog.FieldRow{{Field: field, SourceID: source, Note: note}}
		}
		got.GiveBack(&full, rows("theirs", ""))
		got.GiveBack(&full, rows("another", catalog.NoteFilled))
		if !reflect.DeepEqual(got, filled) {
			t.Errorf("%s went though it was not theirs", field)
		}
		if got.GiveBack(&full, rows("theirs", catalog.NoteFilled)); !reflect.DeepEqual(got, bare) {
			t.Errorf("%s did not go back: %+v", field, got)
		}
	}
}
