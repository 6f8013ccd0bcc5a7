package okf

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// place is a country or an institution with its entries.
type place struct {
	key, name, dir string
	items          []item
	institution    *catalog.Institution
}

func countryPath(code string) string { return "countries/" + strings.ToLower(code) + "/index.md" }

// countryNames are those that were asked for before, a few hundred at most.
var countryNames sync.Map

// countryName is the English name of a country code (CLDR), the code itself
// when it has none.
func countryName(code string) string {
	if name, ok := countryNames.Load(code); ok {
		return name.(string)
	}
	name := code
	if r, err := language.ParseRegion(code); err == nil {
		name = cmp.Or(display.English.Regions().Name(r), code)
	}
	countryNames.Store(code, name)
	return name
}

// institutionKey is the handle of an institution where it can be a file name,
// else its id.
func institutionKey(i *catalog.Institution) string {
	if catalog.CheckSlug(i.Key) == nil {
		return i.Key
	}
	return i.ID
}

func institutionPath(i *catalog.Institution) string {
	return "institutions/" + institutionKey(i) + "/index.md"
}

// places adds the indexes of countries and institutions.
func (t *tree) places() {
	countries, institutions := map[string]*place{}, map[string]*place{}
	for _, i := range t.concepts {
		l := &t.c.Lines[i]
		if catalog.CountryShape(l.Country) {
			add(countries, l.Country, item{l.Slug, i})
		}
		if t.c.Institutions[l.InstitutionID] != nil {
			add(institutions, l.InstitutionID, item{l.Slug, i})
		}
	}
	for code, p := range countries {
		p.key, p.name, p.dir = strings.ToLower(code), countryName(code), strings.TrimSuffix(countryPath(code), "/index.md")
		t.countries = append(t.countries, p)
	}
	for id, p := range institutions {
		i := t.c.Institutions[id]
		p.institution, p.name = i, oneLine(cmp.Or(i.NameEn, i.Name, i.Key))
		p.key, p.dir = institutionKey(i), strings.TrimSuffix(institutionPath(i), "/index.md")
		t.institutions = append(t.institutions, p)
	}
	t.gather("countries", "Countries", t.countries)
	t.gather("institutions", "Institutions", t.institutions)
}

func add(m map[string]*place, key string, it item) {
	if m[key] == nil {
		m[key] = &place{}
	}
	m[key].items = append(m[key].items, it)
}

// gather adds the index of all places of a kind and one for each.
func (t *tree) gather(dir, title string, places []*place) {
	slices.SortFunc(places, func(a, b *place) int { return strings.Compare(a.dir, b.dir) })
	items := make([]item, len(places))
	for n, p := range places {
		items[n] = item{p.key, int32(n)}
		t.index(p.dir, p.items, func(m *markdown, from string, list []item) error {
			p.about(m)
			return t.entries(m, from, list)
		})
	}
	t.index(dir, items, func(m *markdown, from string, list []item) error {
		m.section(title)
		for _, it := range list {
			p := places[it.ordinal]
			m.open(p.name).relative(from, p.dir+"/index.md").close(tally(t.c, p.items))
		}
		if len(list) == 0 {
			m.open("Back to the root").relative(from, "index.md").close("There is none yet.")
		}
		return nil
	})
}

// about leads to the institution's own page, in the form of an index.
func (p *place) about(m *markdown) {
	i := p.institution
	if i == nil || !isWeb(i.HomepageURL) {
		return
	}
	text := oneLine(i.Name) + "."
	if i.CountryCode != "" {
		text += " " + countryName(i.CountryCode) + "."
	}
	m.section("Institution")
	m.open("Home page").target(i.HomepageURL).close(text)
}

// tally counts entries by type in words.
func tally(c *snapshot.Catalog, items []item) string {
	counts := map[catalog.EntryType]int{}
	for _, it := range items {
		counts[c.Lines[it.ordinal].Type]++
	}
	return tallied(counts)
}

func tallied(counts map[catalog.EntryType]int) string {
	var parts []string
	for _, s := range sections {
		switch n := counts[s.kind]; {
		case n == 1:
			parts = append(parts, "1 "+strings.TrimSuffix(s.title, "s"))
		case n > 1:
			parts = append(parts, strconv.Itoa(n)+" "+s.title)
		}
	}
	return strings.Join(parts, ", ")
}
