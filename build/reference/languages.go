package reference

import (
	"io/fs"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

var loadOfficialLanguages = sync.OnceValues(func() (map[string][]string, error) { return parseOfficialLanguages(tables) })

// OfficialLanguages are the official languages of a country as BCP 47 tags, the
// one of most people first (Unicode CLDR, territoryInfo); of a country that has
// one the table is silent, and its likely language (CLDR, likelySubtags) stands
// in for it. country is ISO 3166-1 alpha-2, or EU.
func OfficialLanguages(country string) []string {
	table, err := loadOfficialLanguages()
	if err != nil {
		// The tables ship with the product, and a test reads them all.
		panic(err)
	}
	if list, ok := table[country]; ok {
		return list
	}
	region, err := language.ParseRegion(country)
	if err != nil || !region.IsCountry() {
		return nil
	}
	tag, err := language.Compose(region)
	if err != nil {
		return nil
	}
	base, confidence := tag.Base()
	if confidence == language.No {
		return nil
	}
	return []string{base.String()}
}

func parseOfficialLanguages(fsys fs.FS) (map[string][]string, error) {
	rows, err := readTable(fsys, "official_languages.tsv", "country_code", "languages")
	if err != nil {
		return nil, err
	}
	table := make(map[string][]string, len(rows))
	seen := unique{}
	for _, r := range rows {
		code := r.get("country_code")
		if err := seen.claim(r, "country_code", code, "keep one of the two rows"); err != nil {
			return nil, err
		}
		if err := r.need("languages"); err != nil {
			return nil, err
		}
		table[code] = strings.Split(r.get("languages"), "|")
	}
	return table, nil
}
