package pages

import (
	"strings"
	"sync"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/codelist"
	"github.com/assay-register/assay/render/search/thesaurus"
	"github.com/assay-register/assay/render/translit"
)

// countries begins the addresses of countries.
const countries = codelist.Authority + "country/"

// place is the name of a place for readers: of a country or of a region that the register
// knows in the language, else the name or the address by which the source calls it.
func (t *locale) place(value string) string {
	name, _ := t.placeNamed(value)
	return name
}

// Place is place, for components.
func (t *locale) Place(stated string) string { return t.place(stated) }

// placeNamed is place; known tells that people call it so, and not that it is an address.
func (t *locale) placeNamed(value string) (name string, known bool) {
	if code := countryOf(value); code != "" {
		return t.country(code), true
	}
	if name := thesaurus.NameOf(value, t.code); name != "" {
		return name, true
	}
	if p := codelist.PlaceOf(value); p != nil {
		return p.Name(t.code), true
	}
	if _, address, is := strings.Cut(value, "://"); is {
		return strings.TrimRight(address, "/"), false
	}
	return value, true
}

// knows tells that a place has a name for readers; the address of another one helps nobody to choose.
func (t *locale) knows(place string) bool {
	_, known := t.placeNamed(place)
	return known
}

// alpha2 are the codes of countries by those of the EU authority table, which have three letters.
var alpha2 = sync.OnceValue(func() map[string]string {
	out := map[string]string{"EUR": "EU"}
	for c := range codelist.Codes() {
		if c.List == "country" && len(c.Extra) == 2 {
			out[c.Code] = c.Extra
		}
	}
	return out
})

// countryOf is the code of the country that a value of a place means, "" where it means none.
func countryOf(value string) string {
	switch {
	case catalog.CountryShape(value):
		return value
	case strings.HasPrefix(value, countries):
		return alpha2()[strings.TrimPrefix(value, countries)]
	}
	if p := codelist.PlaceOf(value); p != nil && p.Name("en") == "" {
		return p.Code
	}
	return ""
}

// fold writes text as it is compared: without accents and case, in Latin letters.
func fold(text string) string { return translit.Slug(text, "", 200) }

// bodyNamed tells whether an institution has a name with a folded text in it.
func bodyNamed(i *catalog.Institution, wanted string) bool {
	if i == nil {
		return false
	}
	for _, name := range append([]string{i.Name, i.NameEn}, i.Aliases...) {
		if strings.Contains(fold(name), wanted) {
			return true
		}
	}
	for _, name := range i.Names {
		if strings.Contains(fold(name), wanted) {
			return true
		}
	}
	return false
}

// Named are the institutions with a listed entry whose name has a text in it, in the order of their ids.
func (b *snapshotView) bodiesNamed(text string) (ids []string) {
	wanted := fold(text)
	if wanted == "" {
		return nil
	}
	for _, id := range sorted(b.holdings) {
		if len(b.holdings[id]) > 0 && bodyNamed(b.c.Institutions[id], wanted) {
			ids = append(ids, id)
		}
	}
	return ids
}
