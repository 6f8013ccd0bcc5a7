package feed

import (
	"cmp"
	"maps"
	"slices"

	xlanguage "golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Whole renders the feeds of the register, of each country and of each
// institution that has a listed entry.
func Whole(c *snapshot.Catalog, emit func(artifact.File) error) error {
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
		list.channel.about = "/api/v1/entries"
		if err := write(c, list.channel, list.ordinals, list.forms, emit); err != nil {
			return err
		}
	}
	return groups(c, emit)
}

// write emits a list in its forms. A route that ends in a slash gets the name
// of the form.
func write(c *snapshot.Catalog, ch channel, ordinals []int32, forms []form, emit func(artifact.File) error) error {
	var err error
	if ch.items, err = latest(c, ordinals); err != nil {
		return err
	}
	ch.site, ch.asOf = c.Site, c.AsOf.UTC()
	for _, f := range forms {
		route := ch.route
		if route[len(route)-1] == '/' {
			route += f.name
		}
		made, err := f.file(ch.at(route))
		if err == nil {
			err = emit(made)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// groups emits the feeds of countries and institutions in the order of their
// codes and ids.
func groups(c *snapshot.Catalog, emit func(artifact.File) error) error {
	countries, institutions := grouped(c)
	forms := []form{atomForm, jsonForm}
	for _, code := range slices.Sorted(maps.Keys(countries)) {
		ch := channel{route: countryRoute(code), title: "New in " + clean(c.Site.Name) + ": " + countryName(code),
			text: "The latest official sources of " + countryName(code) + ".", about: "/api/v1/entries?country_code=" + code}
		if err := write(c, ch, countries[code], forms, emit); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(institutions)) {
		i := c.Institutions[id]
		name := oneLine(cmp.Or(i.NameEn, i.Name, i.Key))
		ch := channel{route: institutionRoute(id), title: "New in " + clean(c.Site.Name) + ": " + name,
			text: "The latest sources of " + name + ".", about: "/api/v1/entries?institution_id=" + id}
		if err := write(c, ch, institutions[id], forms, emit); err != nil {
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

// countryName is the English name of a country code (CLDR), else the code.
func countryName(code string) string {
	r, err := xlanguage.ParseRegion(code)
	if err != nil {
		return code
	}
	return cmp.Or(display.English.Regions().Name(r), code)
}
