package harvest

import (
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// TestSpatialCountry reads the country that data covers off its places: two letters that are no country of the
// catalogue are a part of it.
func TestSpatialCountry(t *testing.T) {
	for _, c := range []struct{ home, place, want string }{
		{"", "Polska", "PL"}, {"", "Schweiz", "CH"}, {"", "Suisse", "CH"}, {"", "日本", "JP"}, {"", "Denmark", "DK"}, {"", "DNK", "DK"},
		{"US", "Georgia", ""}, {"BE", "Luxembourg", ""}, {"US", "CA", ""}, {"CH", "BE", ""}, {"DE", "DE", "DE"}, {"", "CA", "CA"}, {"", "Wales", ""}, {"", "https://sws.geonames.org/2803139/", "BE"}, {"", "https://sws.geonames.org/2951839/", "DE"}, {"", "https://sws.geonames.org/2802361/", "BE"}, {"", "https://sws.geonames.org/123456789/", ""},
	} {
		r := &resolver{in: &source.Input{Source: catalog.Source{CountryCode: c.home}}, opts: &Options{}}
		if got := r.spatialCountry(&catalog.Entry{Dataset: &catalog.DatasetDetails{Spatial: []string{c.place}}}); got != c.want {
			t.Errorf("%s in a catalogue of %q: got %q, want %q", c.place, c.home, got, c.want)
		}
	}
}
