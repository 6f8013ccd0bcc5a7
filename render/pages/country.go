package pages

import (
	"cmp"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// names are what a language calls codes, found once each.
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

// regionNames and languageNames are those of a language of the interface (CLDR).
func regionNames(of language.Tag) *names {
	regions := display.Regions(of)
	return &names{list: map[string]string{}, find: func(code string) string {
		r, err := language.ParseRegion(code)
		if err != nil {
			return ""
		}
		return regions.Name(r)
	}}
}

func languageNames(of language.Tag) *names {
	tags := display.Tags(of)
	return &names{list: map[string]string{}, find: func(tag string) string {
		t, err := language.Parse(tag)
		if err != nil {
			return ""
		}
		return tags.Name(t)
	}}
}

// country is the name of a country code, the code itself when it has none.
func (t *locale) country(code string) string { return t.regions.of(code) }

// languageOf is the name of a language tag, the tag itself when it has none.
func (t *locale) languageOf(tag string) string { return t.languages.of(tag) }
