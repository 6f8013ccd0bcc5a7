package codelist

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// regions are the listed NUTS regions, of levels 0 and 1.
var regions = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for row := range rows("nuts.tsv") {
		out[row[0]] = true
	}
	return out
})

// regionForm is a NUTS code: the country and a letter or digit for each level
// (Regulation (EC) No 1059/2003, Annex I).
var regionForm = regexp.MustCompile(`^[A-Z]{2}[0-9A-Z]{0,3}$`)

// nutsCountry is the country of NUTS: ISO but for Greece and the United
// Kingdom.
func nutsCountry(alpha2 string) string {
	switch alpha2 {
	case "GR":
		return "EL"
	case "GB":
		return "UK"
	}
	return alpha2
}

func isoCountry(region string) string {
	switch region[:2] {
	case "EL":
		return "GR"
	case "UK":
		return "GB"
	}
	return region[:2]
}

// region reads a NUTS code. Levels 0 and 1 are checked by the list, deeper ones
// by their form below a listed region of level 1.
func region(identifier string) (c *Concept, listed, ok bool) {
	code := strings.ToUpper(identifier)
	if !regionForm.MatchString(code) || !regions()[code[:min(len(code), 3)]] {
		return nil, false, false
	}
	level := len(code) - 2
	c = newConcept(KindRegion, "NUTS region "+code)
	c.set(NUTSLevel, strconv.Itoa(level))
	c.set(Alpha2, isoCountry(code))
	for l := range level + 1 {
		c.set(nutsPrefix+strconv.Itoa(l), code[:2+l])
	}
	if level == 0 {
		c.set("nuts-1", within(code)...)
	}
	return c, level < 2, true
}

// within are the listed regions of level 1 of a country.
func within(country string) []string {
	var out []string
	for code := range regions() {
		if len(code) == 3 && strings.HasPrefix(code, country) {
			out = append(out, code)
		}
	}
	slices.Sort(out)
	return out
}
