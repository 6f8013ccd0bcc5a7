package codelist

import (
	"strings"
	"sync"
)

// GeoNames begins the addresses of places of GeoNames, of which an id follows.
const GeoNames = "https://sws.geonames.org/"

// Place is a country, one of its regions or, of Belgium, a municipality.
type Place struct {
	// Code is that of ISO 3166, of a country the two letters, of a region those with its own; of a
	// municipality that of Eurostat's local administrative units, such as BE_11002.
	Code string
	// names are those of a region in the columns of the table, English first.
	names []string
}

// placeLanguages are the columns of names of places.tsv.
var placeLanguages = []string{"en", "fr", "de", "nl"}

// Name is what a language calls a region or a municipality, the English name where the table has no other; ""
// for a country, whose names are those of the CLDR.
func (p *Place) Name(lang string) string {
	for i, code := range placeLanguages {
		if code == lang && i < len(p.names) && p.names[i] != "" {
			return p.names[i]
		}
	}
	if len(p.names) == 0 {
		return ""
	}
	return p.names[0]
}

var places = sync.OnceValue(func() map[string]*Place {
	out := map[string]*Place{}
	for row := range rows("places.tsv") {
		out[row[0]] = &Place{row[1], row[2:]}
	}
	return out
})

// PlaceOf finds the place of an address of GeoNames, nil for one that the table lacks.
func PlaceOf(address string) *Place {
	_, id, ok := strings.Cut(strings.Replace(address, "http://", "https://", 1), GeoNames)
	if !ok {
		return nil
	}
	return places()[strings.Trim(id, "/")]
}
