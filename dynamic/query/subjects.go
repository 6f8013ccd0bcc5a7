package query

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/thesaurus"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// subjectsMost is how many themes and how many places are suggested.
const subjectsMost = 2

// subject is a theme or place that entries of the snapshot have.
type subject struct {
	kind, filter, country string
	names                 []thesaurus.Name
	// keys are those of the names.
	keys  []string
	count int
}

// Beginnings of the codes of places in the thesaurus.
const (
	countryCode  = "country:"
	nutsCode     = "nuts:"
	geonamesCode = "geonames:"
)

// newSubjects are the themes and places of the listed entries, the most frequent first.
func newSubjects(c *snapshot.Catalog) (out []subject) {
	themes, countries, places := map[string]int{}, map[string]int{}, map[string]int{}
	for _, i := range c.Order {
		l := &c.Lines[i]
		countries[l.Country]++
		for _, t := range l.Themes {
			themes[t]++
		}
		for _, p := range l.Places {
			places[p]++
		}
	}
	add := func(kind, filter, country string, names []thesaurus.Name, count int) {
		if count == 0 {
			return
		}
		x := subject{kind: kind, filter: filter, country: country, names: names, count: count}
		for _, n := range names {
			x.keys = append(x.keys, search.Key(n.Text, n.Lang))
		}
		out = append(out, x)
	}
	for _, t := range thesaurus.Themes() {
		add("theme", "theme="+t.ID, "", t.Names, themes[t.ID])
	}
	own := map[string]string{} // places as entries state them, by their code in the register's own tables
	for value := range places {
		if code := thesaurus.CodeOf(value); code != "" {
			own[code] = value
		}
	}
	for _, p := range thesaurus.Places() {
		for _, code := range p.Codes {
			if land, ok := strings.CutPrefix(code, countryCode); ok {
				add("place", "country_code="+land, land, p.Names, countries[land])
			} else if value := cmp.Or(own[code], placeValue(code)); places[value] > 0 {
				add("place", "place="+value, "", p.Names, places[value])
				break
			}
		}
	}
	slices.SortStableFunc(out, func(a, b subject) int { return cmp.Compare(b.count, a.count) })
	return out
}

// placeValue is the place of a code of the thesaurus as entries have it, "" for none.
func placeValue(code string) string {
	if nuts, ok := strings.CutPrefix(code, nutsCode); ok {
		return nuts
	}
	if id, ok := strings.CutPrefix(code, geonamesCode); ok {
		return "https://sws.geonames.org/" + id + "/"
	}
	return ""
}

// begun are the suggestions of themes and places a word of whose name begins as typed.
func begun(list []subject, typed, lang string) (out []wire.Suggestion) {
	n := map[string]int{}
	for i := range list {
		x := &list[i]
		at := slices.IndexFunc(x.keys, func(key string) bool { return strings.HasPrefix(key, typed) || strings.Contains(key, " "+typed) })
		if at < 0 || n[x.kind] == subjectsMost {
			continue
		}
		n[x.kind]++
		out = append(out, wire.Suggestion{Text: x.name(lang, at), Kind: x.kind, Filter: x.filter, Entries: x.count})
	}
	return out
}

// name is what a theme or country is called in a language, English without one. A place
// within a country is called as it was found.
func (x *subject) name(lang string, found int) string {
	if x.country != "" {
		if region, err := language.ParseRegion(x.country); err == nil {
			for _, tag := range []string{lang, "en"} {
				if namer := display.Regions(language.Make(tag)); tag != "" && namer != nil && namer.Name(region) != "" {
					return namer.Name(region)
				}
			}
		}
	}
	if x.kind == "theme" {
		for _, n := range x.names {
			if n.Lang == lang {
				return n.Text
			}
		}
		return x.names[0].Text
	}
	return x.names[found].Text
}
