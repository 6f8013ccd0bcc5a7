package pages

import (
	"net/url"
	"testing"

	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
)

// A place that nobody named is no choice in a list, but stays one that was made or is looked for.
func TestPlacesWithoutNames(t *testing.T) {
	const antwerp, flanders = "https://sws.geonames.org/2803139/", "https://sws.geonames.org/3337388/"
	b := New().bookOf(rendertest.Catalog(t))
	counts := &snapshot.Facets{Place: []snapshot.Count{{Value: antwerp, Count: 9}, {Value: flanders, Count: 5}, {Value: "Ghent", Count: 2}, {Value: "http://places.example/51_84-3_37", Count: 1}}}
	for question, want := range map[string][]string{
		"": {"Vlaanderen", "Ghent"}, "place=" + url.QueryEscape(antwerp): {"sws.geonames.org/2803139", "Vlaanderen", "Ghent"},
		"find_place=geonames": {"sws.geonames.org/2803139"}, "find_place=places.example": {"places.example/51_84-3_37"},
	} {
		asked, err := url.ParseQuery(question)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range b.searchFacets(locales()["nl"], counts, asked) {
			if f.Param != "place" {
				continue
			}
			for _, v := range append(f.Values, f.More...) {
				got = append(got, v.Name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%q offers %q, want %q", question, got, want)
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%q offers %q, want %q", question, got, want)
			}
		}
	}
	counts.Place = counts.Place[:1]
	for _, f := range b.searchFacets(locales()["nl"], counts, nil) {
		if f.Param == "place" {
			t.Errorf("a filter without a choice: %+v", f)
		}
	}
}

// Categories of high-value datasets have their names in each language, also those below the six.
func TestCategoriesSpeakTheReadersLanguage(t *testing.T) {
	for lang, want := range map[string]string{"en": "Buildings", "fr": "Bâtiments", "de": "Gebäude", "nl": "Gebouwen"} {
		if got := locales()[lang].label("hvd_category", "c_60182062"); got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
	}
}
