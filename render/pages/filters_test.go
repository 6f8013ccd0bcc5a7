package pages

import (
	"net/url"
	"slices"
	"testing"

	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
)

// Places are named in the language of a page.
func TestPlacesAreNamed(t *testing.T) {
	for stated, want := range map[string][2]string{
		"https://sws.geonames.org/2803139/": {"Anvers", "Antwerpen"}, "http://sws.geonames.org/3337389": {"Ville de Bruxelles", "Stad Brussel"}, "https://sws.geonames.org/2795012/": {"Ixelles", "Elsene"},
		"http://publications.europa.eu/resource/authority/country/AUT": {"Autriche", "Oostenrijk"}, "http://publications.europa.eu/resource/authority/country/EST": {"Estonie", "Estland"},
		"http://publications.europa.eu/resource/authority/country/EUR": {"Union européenne", "Europese Unie"}, "BE": {"Belgique", "België"}, "Waasland": {"Waasland", "Waasland"},
	} {
		if got := [2]string{locales()["fr"].Place(stated), locales()["nl"].Place(stated)}; got != want {
			t.Errorf("%s is %q, want %q", stated, got, want)
		}
	}
	stated := []string{"https://sws.geonames.org/2803139/", "2.5,49.5,6.4,51.5", "https://sws.geonames.org/123456789/", "https://a.example/place/Waasland", " Ghent ", "Ghent"}
	if got := areas(stated); !slices.Equal(got, []string{"https://sws.geonames.org/2803139/", "Waasland", "Ghent"}) {
		t.Errorf("areas that can be named: %q", got)
	}
}

// A place that nobody named is no choice in a list, but stays one that was made or is looked for.
func TestPlacesWithoutNames(t *testing.T) {
	const nameless, flanders = "https://sws.geonames.org/123456789/", "https://sws.geonames.org/3337388/"
	b := New().bookOf(rendertest.Catalog(t))
	counts := &snapshot.Facets{Place: []snapshot.Count{{Value: nameless, Count: 9}, {Value: flanders, Count: 5}, {Value: "Ghent", Count: 2}, {Value: "http://places.example/51_84-3_37", Count: 1}}}
	for question, want := range map[string][]string{
		"": {"Vlaanderen", "Ghent"}, "place=" + url.QueryEscape(nameless): {"sws.geonames.org/123456789", "Vlaanderen", "Ghent"},
		"find_place=geonames": {"sws.geonames.org/123456789"}, "find_place=places.example": {"places.example/51_84-3_37"},
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
