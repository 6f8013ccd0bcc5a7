package source

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func TestKeywords(t *testing.T) {
	b := builder()
	b.Draft.Entry.NativeLang = "nl"
	b.Keywords("keyword", Text{"Wegen, paden", "nl"}, Text{"Bruggen", "nl"}, Text{"Roads", "en"}, Text{"routes", "fr"}, Text{"Ponts", "fr-t-nl"},
		Text{"Bruggen", "nl"}, Text{" ", "nl"}, Text{"GIS", ""})
	e := b.Draft.Entry
	want := catalog.Terms{"nl": {"Bruggen", "Wegen, paden"}, "en": {"Roads"}, "fr": {"routes"}, "fr-t-nl": {"Ponts"}, "und": {"GIS"}}
	if !maps.EqualFunc(e.Keywords, want, slices.Equal) {
		t.Errorf("keywords %q, want %q", e.Keywords, want)
	}
	if want := Tags("Bruggen", "Wegen, paden", "Roads", "GIS"); !slices.Equal(e.Tags, want) {
		t.Errorf("tags %q, want %q", e.Tags, want)
	}

	// Where none is in the language of the record, those of humans stand in.
	b = builder()
	b.Draft.Entry.NativeLang = "nl"
	b.Keywords("keyword", Text{"routes", "fr"}, Text{"Straßen", "de-t-fr"})
	if want := Tags("routes"); !slices.Equal(b.Draft.Entry.Tags, want) {
		t.Errorf("tags %q, want %q", b.Draft.Entry.Tags, want)
	}
}

// TestManyKeywords: a record that lists its species keeps them; one without end does
// not keep the harvest busy, and says that it was cut.
func TestManyKeywords(t *testing.T) {
	for n, kept := range map[int]int{6_104: 6_104, termsMax + 5: termsMax} {
		b := builder()
		words := make([]string, 0, 2*n)
		for i := range n {
			words = append(words, fmt.Sprint("species ", i), fmt.Sprint("species ", i))
		}
		b.Terms("tags", "en", words...)
		if got := len(b.Draft.Entry.Keywords["en"]); got != kept {
			t.Errorf("%d of %d are kept, want %d", got, n, kept)
		}
		noted := slices.ContainsFunc(b.Draft.Rows, func(r catalog.FieldRow) bool { return r.Field == "keywords" && r.Note != "" })
		if noted != (kept < n) {
			t.Errorf("%d keywords, noted that they were cut: %t", n, noted)
		}
	}
}

func TestTerms(t *testing.T) {
	b := builder()
	b.Terms("tags", "fr", "routes", "ponts")
	if e := b.Draft.Entry; !slices.Equal(e.Keywords["fr"], []string{"ponts", "routes"}) || len(e.Tags) != 0 {
		t.Errorf("keywords %q, tags %q", e.Keywords, e.Tags)
	}
	b = builder()
	b.Terms("tags", "", "", "  ")
	if e := b.Draft.Entry; e.Keywords != nil || basis(b, "keywords") != "" {
		t.Errorf("of nothing: %q", e.Keywords)
	}
}

func TestAccessRights(t *testing.T) {
	const eu = "http://publications.europa.eu/resource/authority/access-right/"
	for raw, want := range map[string]catalog.AccessRights{
		eu + "PUBLIC": catalog.RightsPublic, eu + "RESTRICTED": catalog.RightsRestricted, eu + "NON_PUBLIC": catalog.RightsNonPublic,
		"public": catalog.RightsPublic, " Open Access ": catalog.RightsPublic, "restricted public": catalog.RightsRestricted, "non-public": catalog.RightsNonPublic,
		"http://purl.org/coar/access_right/c_abf2": catalog.RightsPublic, "http://purl.org/coar/access_right/c_16ec": catalog.RightsRestricted,
		"http://inspire.ec.europa.eu/metadata-codelist/LimitationsOnPublicAccess/noLimitations": catalog.RightsPublic,
		"publicly discussed": "", "": "", eu: "",
	} {
		if got, ok := AccessRights(raw); got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", raw, got, ok, want)
		}
	}
	b := builder()
	b.AccessRights("accessRights", "ask us", "closed", "public")
	if b.Draft.Entry.AccessRights != catalog.RightsNonPublic || basis(b, "access_rights") == "" {
		t.Errorf("the first that can be read: %q", b.Draft.Entry.AccessRights)
	}
}

func TestRecordIdentifier(t *testing.T) {
	for raw, want := range map[string]string{
		"doi:10.5281/ZENODO.1": "https://doi.org/10.5281/zenodo.1", "http://dx.doi.org/10.1/A": "https://doi.org/10.1/a", "10.1/a": "https://doi.org/10.1/a",
		"https://doi.org/10.1/a": "https://doi.org/10.1/a", "urn:uuid:A": "urn:uuid:A", "10.1 and/or": "10.1 and/or", " 42 ": "42",
		"https://a.example/.well-known/genid/1": "", "": "",
	} {
		if got := RecordIdentifier(raw); got != want {
			t.Errorf("%q: got %q, want %q", raw, got, want)
		}
	}
	b := builder()
	b.Identifiers("identifier", "42", "doi:10.1/A", "10.1/a", "urn:x:1", "_:b0")
	if got := b.Draft.Entry.Identifiers; !slices.Equal(got, []string{"https://doi.org/10.1/a", "urn:x:1"}) {
		t.Errorf("identifiers %q", got)
	}
}

func TestAlternativeTitles(t *testing.T) {
	b := builder()
	b.Draft.Entry.Name = "Roads"
	b.AlternativeTitles("alternative", "Roads", " Road  network ", "", "Road network", "Streets")
	if got := b.Draft.Entry.AlternativeTitles; !slices.Equal(got, []string{"Road network", "Streets"}) {
		t.Errorf("titles %q", got)
	}
	for i := range 2 * alternativesMax {
		b.AlternativeTitles("alternative", fmt.Sprint("title ", i))
	}
	if got := len(b.Draft.Entry.AlternativeTitles); got != alternativesMax {
		t.Errorf("%d titles", got)
	}
}

func TestLanguages(t *testing.T) {
	b := builder()
	b.Languages("language", "http://publications.europa.eu/resource/authority/language/NLD", "fre", "nl", "no such language", "")
	if got := b.Draft.Entry.Languages; !slices.Equal(got, []string{"nl", "fr"}) {
		t.Errorf("languages %q", got)
	}
}

func TestAgents(t *testing.T) {
	b := builder()
	b.Draft.Entry.NativeLang = "nl"
	b.PublisherAgent("publisher", []Text{{"Ville de Gand", "fr"}, {"Stad Gent", "nl"}, {"Gent", "nl"}},
		catalog.Agent{IRI: "https://a.example/.well-known/genid/1", HomepageURL: "stad.gent.example", Type: "LocalAuthority"})
	p := b.Draft.Entry.Publisher
	if p == nil || b.Draft.Entry.PublisherName != "Stad Gent" || p.IRI != "" || p.Type != "LocalAuthority" ||
		!maps.Equal(p.Names, catalog.Texts{"fr": "Ville de Gand", "nl": "Stad Gent"}) || !slices.Equal(p.Aliases, []string{"Gent"}) {
		t.Errorf("publisher %q %+v", b.Draft.Entry.PublisherName, p)
	}
	b.RightsHolder("holder", []Text{{"", "nl"}}, catalog.Agent{IRI: "https://a.example/id/1"})
	if b.Draft.Entry.RightsHolder != nil {
		t.Error("a holder without a name")
	}
	b.RightsHolder("holder", []Text{{"Digitaal", ""}}, catalog.Agent{IRI: "https://a.example/id/1"})
	if h := b.Draft.Entry.RightsHolder; h == nil || h.IRI != "https://a.example/id/1" || h.Names["und"] != "Digitaal" {
		t.Errorf("holder %+v", h)
	}
	for i := range 2 * agentsMax {
		b.Creator("creator", []Text{{fmt.Sprint("Office ", i), "en"}}, catalog.Agent{})
	}
	if got := b.Draft.Entry.Creators; len(got) != agentsMax || got[1].Names["en"] != "Office 1" {
		t.Errorf("%d creators", len(got))
	}
}
