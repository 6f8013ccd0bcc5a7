package codelist

import "testing"

// Addresses of GeoNames are named as readers of a language name the place.
func TestPlaces(t *testing.T) {
	for address, want := range map[string][5]string{
		"https://sws.geonames.org/3337388/": {"BE-VLG", "Flanders", "Région flamande", "Flandern", "Vlaanderen"},
		"http://sws.geonames.org/3337387":   {"BE-WAL", "Wallonia", "Région wallonne", "Wallonien", "Wallonië"},
		"https://sws.geonames.org/2951839/": {"DE-BY", "Bavaria", "Bavière", "Bayern", "Bavaria"},
		"https://sws.geonames.org/2803139/": {"BE_11002", "Antwerp", "Anvers", "Antwerpen", "Antwerpen"},
		"https://sws.geonames.org/2802361/": {"BE", "", "", "", ""},
	} {
		p := PlaceOf(address)
		if p == nil {
			t.Errorf("%s is no place", address)
			continue
		}
		if got := [5]string{p.Code, p.Name("en"), p.Name("fr"), p.Name("de"), p.Name("nl")}; got != want {
			t.Errorf("%s is %q, want %q", address, got, want)
		}
	}
	for _, address := range []string{"", "https://sws.geonames.org/", "https://sws.geonames.org/999999999999/", "https://a.example/3337388"} {
		if p := PlaceOf(address); p != nil {
			t.Errorf("%q is %v", address, p)
		}
	}
	for id, p := range places() {
		if p.Code == "" || len(p.Code) != 2 && p.Name("en") == "" || len(p.names) > len(placeLanguages) {
			t.Errorf("place %s: %+v", id, p)
		}
	}
}
