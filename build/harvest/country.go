package harvest

import (
	"cmp"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/codelist"
	"github.com/assay-register/assay/render/search"
)

// resolveCountry gives a record without a country that of its publisher, of the
// one country that its data covers, of the catalogue, or of the government
// suffix of its host, in this order (decisions-2 §B).
func (r *resolver) resolveCountry(c *candidate) {
	e := &c.entry
	if e.CountryCode != "" {
		return
	}
	for _, from := range []struct{ code, how string }{
		{countryOf(c.institution), "the institution's country"},
		{r.spatialCountry(e), "the one country that the data covers"},
		{r.opts.Country, "the default of this harvest"},
		{r.in.Source.CountryCode, "the country of the source"},
		{countryOf(c.stated), "the country of the publisher"},
		{r.suffixCountry(e), "the government suffix of the host"},
	} {
		if from.code != "" {
			e.CountryCode = from.code
			r.compute(c, "country_code", from.how, "")
			return
		}
	}
}

func countryOf(inst *catalog.Institution) string {
	if inst == nil {
		return ""
	}
	return inst.CountryCode
}

// suffixCountry is the country of the government suffix under which the source
// is served.
func (r *resolver) suffixCountry(e *catalog.Entry) string {
	for _, u := range served(e) {
		if _, country, ok := r.domains.Suffix(catalog.Host(u)); ok && !catalog.Skolem(u) {
			return country
		}
	}
	return ""
}

// spatialCountry is the country that the data covers, "" where that is none or
// several. What is no country and no part of one that a table knows says
// nothing.
func (r *resolver) spatialCountry(e *catalog.Entry) string {
	if e.Dataset == nil {
		return ""
	}
	home := cmp.Or(r.opts.Country, r.in.Source.CountryCode)
	found := ""
	for _, place := range e.Dataset.Spatial {
		code := countryOfPlace(place)
		if len(place) == 2 && home != "" && code != home {
			code = "" // a state, province or canton of that country
		}
		switch {
		case code == "" || code == found:
		case found == "":
			found = code
		default:
			return ""
		}
	}
	return found
}

// euPlace is a country or a part of one in the EU authority tables, nutsPlace a
// statistical region.
var (
	euPlace   = regexp.MustCompile(`/authority/(?:country|atu)/([A-Z]{3})(?:$|[_/#])`)
	nutsPlace = regexp.MustCompile(`/nuts/(?:code/)?([A-Z]{2})[A-Z0-9]{0,3}$`)
)

// countryOfPlace reads a country out of a place: an IRI of the EU tables, of
// GeoNames or of NUTS, a code of ISO 3166-1, or its name in English or a language of its own.
func countryOfPlace(place string) string {
	t := places()
	if p := codelist.PlaceOf(place); p != nil {
		return p.Code[:2]
	}
	if m := euPlace.FindStringSubmatch(place); m != nil {
		return t[strings.ToLower(m[1])]
	}
	if m := nutsPlace.FindStringSubmatch(place); m != nil {
		switch m[1] { // Eurostat writes two countries in its own way
		case "EL":
			return "GR"
		case "UK":
			return "GB"
		}
		return t[strings.ToLower(m[1])]
	}
	if len(place) <= 3 && place != strings.ToUpper(place) {
		return ""
	}
	return t[search.Fold(strings.TrimSpace(place))]
}

// partsToo are names of countries that parts of others have, too: a state of the United States, a province of Belgium.
var partsToo = []string{"georgia", "luxembourg", "luxemburg"}

// places are the countries by the codes of ISO 3166-1 and their names in English and in their own languages (CLDR),
// folded.
var places = sync.OnceValue(func() map[string]string {
	t := map[string]string{}
	list, err := reference.Countries()
	if err != nil {
		return t // the table's own test says what is wrong
	}
	for _, c := range list {
		t[strings.ToLower(c.Alpha2)], t[strings.ToLower(c.Alpha3)], t[search.Fold(c.NameEn)] = c.Alpha2, c.Alpha2, c.Alpha2
	}
	for _, c := range list {
		for _, name := range ownNames(c.Alpha2) {
			if key := search.Fold(name); t[key] == "" {
				t[key] = c.Alpha2
			}
		}
	}
	for _, name := range partsToo {
		delete(t, name)
	}
	return t
})

// ownNames are the names of a country in its official languages, else in the one that most speak there.
func ownNames(code string) (names []string) {
	region, err := language.ParseRegion(code)
	if err != nil {
		return nil
	}
	langs := reference.OfficialLanguages(code)
	if len(langs) == 0 {
		base, _ := language.Make("und-" + code).Base()
		langs = []string{base.String()}
	}
	for _, lang := range langs {
		if namer := display.Regions(language.Make(lang)); namer != nil {
			names = append(names, namer.Name(region))
		}
	}
	return names
}
