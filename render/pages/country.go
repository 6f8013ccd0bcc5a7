package pages

import (
	"cmp"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

var (
	regionNames   sync.Map
	languageNames sync.Map
)

// countryName is the English name of a country code (CLDR), the code itself
// when it has none.
func countryName(code string) string {
	if name, ok := regionNames.Load(code); ok {
		return name.(string)
	}
	name := code
	if r, err := language.ParseRegion(code); err == nil {
		name = cmp.Or(display.English.Regions().Name(r), code)
	}
	regionNames.Store(code, name)
	return name
}

// languageName is the English name of a language tag, the tag itself when it
// has none.
func languageName(tag string) string {
	if name, ok := languageNames.Load(tag); ok {
		return name.(string)
	}
	name := tag
	if t, err := language.Parse(tag); err == nil {
		name = cmp.Or(display.English.Tags().Name(t), tag)
	}
	languageNames.Store(tag, name)
	return name
}
