package mcp

import (
	"regexp"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// places are the folded names of countries in the languages of the interface and their own.
var places = sync.OnceValue(func() map[string]string {
	out := map[string]string{"britain": "GB", "great britain": "GB", "england": "GB", "scotland": "GB", "wales": "GB", "america": "US", "holland": "NL", "czech republic": "CZ", "korea": "KR",
		"european union": "EU", "europe": "EU"}
	for code, names := range demonyms {
		for name := range strings.FieldsSeq(names) {
			out[name] = code
		}
	}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			region, err := language.ParseRegion(string([]rune{a, b}))
			if err != nil || !region.IsCountry() || region.Canonicalize() != region {
				continue
			}
			own, _ := language.Compose(language.Und, region)
			base, _ := own.Base()
			for _, tag := range []language.Tag{language.English, language.French, language.German, language.Dutch, language.Make(base.String())} {
				namer := display.Regions(tag)
				if namer == nil {
					continue
				}
				if name := strings.Join(wordsOf(spoken(namer.Name(region))), " "); len(name) > 3 && out[name] == "" {
					out[name] = region.String()
				}
			}
		}
	}
	return out
})

// demonyms are the adjectives of countries in English.
var demonyms = map[string]string{"AT": "austrian", "AU": "australian", "BE": "belgian flemish walloon", "BG": "bulgarian", "BR": "brazilian", "CA": "canadian", "CH": "swiss", "CL": "chilean",
	"CY": "cypriot", "CZ": "czech", "DE": "german", "DK": "danish", "EE": "estonian", "ES": "spanish catalan", "EU": "european", "FI": "finnish", "FR": "french", "GB": "british english scottish welsh",
	"GR": "greek hellenic", "HR": "croatian", "HU": "hungarian", "IE": "irish", "IN": "indian", "IS": "icelandic", "IT": "italian", "JP": "japanese", "KR": "korean", "LT": "lithuanian", "LU": "luxembourgish",
	"LV": "latvian", "MT": "maltese", "MX": "mexican", "NL": "dutch", "NO": "norwegian", "NZ": "zealand", "PL": "polish", "PT": "portuguese", "RO": "romanian", "RS": "serbian", "SE": "swedish",
	"SI": "slovenian", "SK": "slovak", "TR": "turkish", "UA": "ukrainian", "US": "american"}

// shortNames are written in capitals.
var shortNames = regexp.MustCompile(`\b(UK|USA|US|U\.S\.|EU)\b`)

// links are the words between what an institution is and the place that it is of, folded.
var links = words("of the de d du des la le les van het von der den di del della do da")

// nameMax is how many words of the name of an institution are looked at.
const nameMax = 5

// place finds the longest name of a country: the words from and to are it, from is -1 for none. A part of a word
// with a hyphen is none: Dutch-speaking.
func place(words []token) (code string, from, to int) {
	for n := min(5, len(words)); n > 0; n-- {
		for i := 0; i+n <= len(words); i++ {
			if words[i].joined || i+n < len(words) && words[i+n].joined {
				continue
			}
			if code = places()[strings.Join(wordsOf(words[i:i+n]), " ")]; code != "" {
				return code, i, i + n
			}
		}
	}
	return "", -1, -1
}

// named finds the name of an institution that a place belongs to, which is written with capitals where the
// sentence goes on: the Royal Observatory of Belgium, l'Institut royal de Belgique, the Belgian Cancer Registry.
// It is the place itself where there is none.
func named(words []token, from, to int, passed func(string) bool) (first, last int) {
	says := func(i int) bool { return i > 0 && i < len(words) && words[i].capital && !passed(words[i].word) }
	first, last = from, to
	for says(first - 1) {
		first--
	}
	for says(last) {
		last++
	}
	if words[from].capital && last > to && last-first > to-from+1 {
		return first, last
	}
	end := from
	for end > 0 && links[words[end-1].word] {
		end--
	}
	begin := end
	for begin > max(0, end-nameMax) && !passed(words[begin-1].word) {
		begin--
	}
	for ; end < from && begin < end-1; begin++ {
		if says(begin) {
			return begin, to
		}
	}
	return from, to
}
