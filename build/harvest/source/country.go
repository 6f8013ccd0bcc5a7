package source

import (
	"strings"
	"sync"

	"github.com/assay-register/assay/build/reference"
)

// countries goes from alpha-2, alpha-3 and folded English name to alpha-2.
var countries = sync.OnceValue(func() map[string]string {
	rows, err := reference.Countries()
	if err != nil {
		panic(err)
	}
	// The EU country authority table has codes of its own for two.
	m := map[string]string{"1A0": "XK", "EUR": "EU"}
	for _, c := range rows {
		m[c.Alpha2], m[c.Alpha3], m[foldName(c.NameEn)] = c.Alpha2, c.Alpha2, c.Alpha2
	}
	return m
})

// Country is the ISO 3166-1 alpha-2 code of a country given by its alpha-2 or
// alpha-3 code, its IRI in the EU country authority table or its English name;
// also EU, UN and XK. A region is none.
func Country(raw string) (alpha2 string, ok bool) {
	s := LastSegment(strings.TrimSpace(raw))
	if code, ok := countries()[strings.ToUpper(s)]; ok {
		return code, true
	}
	code, ok := countries()[foldName(s)]
	return code, ok
}
