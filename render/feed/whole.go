package feed

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	xlanguage "golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Aggregates renders the feeds of the register, of each country and of each
// institution that has a listed entry.
func Aggregates(c *snapshot.Catalog, emit func(artifact.File) error) error {
	w := writer{itemMaker{c: c}, emit}
	verified := slices.DeleteFunc(slices.Clone(c.Order), func(i int32) bool { return c.Lines[i].State != catalog.StateVerified })
	for _, list := range []struct {
		channel  channel
		ordinals []int32
		forms    []form
	}{
		{channel{route: Root, title: "New in " + clean(c.Site.Name), text: "The latest official APIs, datasets and MCP servers in the register."},
			slices.Clone(c.Order), []form{rssForm, atomForm, jsonForm}},
		{channel{route: Root + "rss/verified", title: "Verified in " + clean(c.Site.Name), text: "The latest entries whose source answers the checks of the register."},
			verified, []form{rssForm}},
	} {
		list.channel.about = "/browse"
		if err := w.write(list.channel, list.ordinals, list.forms); err != nil {
			return err
		}
	}
	if err := outages(c, emit); err != nil {
		return err
	}
	return w.groups()
}

// writer emits the feeds of new entries.
type writer struct {
	itemMaker
	emit func(artifact.File) error
}

// write emits a list in its forms. A route that ends in a slash gets the name
// of the form.
func (w *writer) write(ch channel, ordinals []int32, forms []form) error {
	ordinals = w.latest(ordinals)
	ch.site, ch.asOf = w.c.Site, w.c.AsOf.UTC()
	basis, filled := w.basis(&ch, ordinals), false
	for _, f := range forms {
		route := ch.route
		if route[len(route)-1] == '/' {
			route += f.name
		}
		err := w.emit(artifact.File{Route: route, Type: f.media, Class: Class, Pooled: true, Basis: basis, Make: func() (_ []byte, err error) {
			if !filled {
				ch.items, err = w.itemsOf(ordinals)
				filled = true
			}
			if err != nil {
				return nil, err
			}
			made, err := f.file(ch.at(route))
			return made.Body, err
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// basis sums up what a feed shows in any form.
func (w *writer) basis(ch *channel, ordinals []int32) uint64 {
	var b snapshot.Basis
	b.Text(ch.route, ch.title, ch.text, ch.about)
	if len(ordinals) == 0 {
		b.Number(int(ch.asOf.Unix()))
	}
	for _, i := range ordinals {
		b.Add(w.c.Lines[i].Sums.All)
	}
	return b.Sum()
}

// groups emits the feeds of countries and institutions in the order of their
// codes and ids.
func (w *writer) groups() error {
	countries, institutions := grouped(w.c)
	forms, register := []form{atomForm, jsonForm}, clean(w.c.Site.Name)
	for _, code := range slices.Sorted(maps.Keys(countries)) {
		ch := channel{route: countryRoute(code), title: "New in " + register + ": " + countryName(code),
			text: "The latest official sources of " + countryName(code) + ".", about: "/country/" + code}
		if err := w.write(ch, countries[code], forms); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(institutions)) {
		i := w.c.Institutions[id]
		name := oneLine(cmp.Or(i.NameEn, i.Name, i.Key))
		ch := channel{route: institutionRoute(id), title: "New in " + register + ": " + name,
			text: "The latest sources of " + name + ".", about: "/institution/" + id}
		if err := w.write(ch, institutions[id], forms); err != nil {
			return err
		}
	}
	return nil
}

func countryRoute(code string) string   { return Root + "country/" + code + "/" }
func institutionRoute(id string) string { return Root + "institution/" + id + "/" }

// grouped are the listed entries by country code and by institution.
func grouped(c *snapshot.Catalog) (countries, institutions map[string][]int32) {
	countries, institutions = map[string][]int32{}, map[string][]int32{}
	for _, i := range c.Order {
		l := &c.Lines[i]
		if catalog.CountryShape(l.Country) {
			countries[l.Country] = append(countries[l.Country], i)
		}
		if c.Institutions[l.InstitutionID] != nil && catalog.IsID(l.InstitutionID) {
			institutions[l.InstitutionID] = append(institutions[l.InstitutionID], i)
		}
	}
	return countries, institutions
}

// countryNames are those that were asked for before, a few hundred at most.
var countryNames sync.Map

// countryName is the English name of a country code (CLDR), else the code.
func countryName(code string) string {
	if name, ok := countryNames.Load(code); ok {
		return name.(string)
	}
	name := code
	if r, err := xlanguage.ParseRegion(code); err == nil {
		name = cmp.Or(display.English.Regions().Name(r), code)
	}
	countryNames.Store(code, name)
	return name
}
