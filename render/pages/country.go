package pages

import (
	"cmp"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// names are the English names of codes, found once each.
type names struct {
	mu   sync.RWMutex
	list map[string]string
	find func(code string) string
}

func (n *names) of(code string) string {
	n.mu.RLock()
	name, ok := n.list[code]
	n.mu.RUnlock()
	if ok {
		return name
	}
	name = cmp.Or(n.find(code), code)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list[code] = name
	return name
}

var (
	regionNames = names{list: map[string]string{}, find: func(code string) string {
		r, err := language.ParseRegion(code)
		if err != nil {
			return ""
		}
		return display.English.Regions().Name(r)
	}}
	languageNames = names{list: map[string]string{}, find: func(tag string) string {
		t, err := language.Parse(tag)
		if err != nil {
			return ""
		}
		return display.English.Tags().Name(t)
	}}
)

// countryName is the English name of a country code (CLDR), the code itself
// when it has none.
func countryName(code string) string { return regionNames.of(code) }

// languageName is the English name of a language tag, the tag itself when it
// has none.
func languageName(tag string) string { return languageNames.of(tag) }
