package okf

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

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

// countryName is the English name of a country code (CLDR), the code itself
// when it has none.
func countryName(code string) string {
	r, err := language.ParseRegion(code)
	if err != nil {
		return code
	}
	return cmp.Or(display.English.Regions().Name(r), code)
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
		t.index(p.dir, p.items, func(from string, list []item) ([]byte, error) {
			body, err := t.entries(from, list)
			return append(p.about(), body...), err
		})
	}
	t.index(dir, items, func(from string, list []item) ([]byte, error) {
		var b strings.Builder
		section(&b, title)
		for _, it := range list {
			p := places[it.ordinal]
			b.WriteString(entryLine(p.name, relative(from, p.dir+"/index.md"), tally(t.c, p.items)))
		}
		if len(list) == 0 {
			b.WriteString(entryLine("Back to the root", relative(from, "index.md"), "There is none yet."))
		}
		return []byte(b.String()), nil
	})
}

// about leads to the institution's own page, in the form of an index.
func (p *place) about() []byte {
	i := p.institution
	if i == nil || !isWeb(i.HomepageURL) {
		return nil
	}
	text := oneLine(i.Name) + "."
	if i.CountryCode != "" {
		text += " " + countryName(i.CountryCode) + "."
	}
	return []byte("# Institution\n\n" + entryLine("Home page", target(i.HomepageURL), text) + "\n")
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
