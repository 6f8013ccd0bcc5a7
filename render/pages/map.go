package pages

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/render/chart/worldmap"
	"github.com/assay-register/assay/templates"
)

// Bounds of the map of the first page.
const (
	// mapPlaces is how many places stand beside the map.
	mapPlaces = 10
	// mapCountries is how many countries make it a map of the world.
	mapCountries = 2
	// dotRadius is that of the dot of a small country, in units of the plane.
	dotRadius = 5
)

// levels are how many entries of a thousand a country has at least to be shown darker.
var levels = []int{1, 10, 50}

// level is how much a part of the whole is, from 1 to 4.
func level(part, whole int) int {
	n := 1
	for _, least := range levels {
		if part*1000 >= least*whole {
			n++
		}
	}
	return n
}

// coverage is the map of the countries that entries are of, of a register with one country the map of
// that; nil where there is none to draw.
func (b *snapshotView) coverage(t *locale) *templates.Map {
	if code := b.home(); code != "" {
		return b.ownLand(t, code)
	}
	m := &templates.Map{Heading: t.T("home.places"), Lead: t.T("home.places.lead"), Width: worldmap.Width, Height: worldmap.Height}
	var rest strings.Builder
	total := len(b.c.Order)
	for _, c := range worldmap.World() {
		n := len(b.lands[c.Code])
		if n == 0 {
			rest.WriteString(c.Path)
			continue
		}
		title, route := t.country(c.Code)+": "+t.number(n), localRoute(t.code, "/country/"+c.Code)
		m.Shapes = append(m.Shapes, templates.Shape{Title: title, Route: route, Path: c.Path, Level: level(n, total)})
		if c.Small {
			m.Dots = append(m.Dots, templates.Dot{Title: title, Route: route, X: c.X, Y: c.Y, Radius: dotRadius, Level: level(n, total)})
		}
	}
	if len(m.Shapes) < mapCountries {
		return nil
	}
	m.Rest = rest.String()
	lands := b.lists["country"]
	for _, f := range b.facets {
		if f.id != "country" {
			continue
		}
		for _, l := range f.list[:min(mapPlaces, len(f.list))] {
			m.Places = append(m.Places, templates.Tile{Name: t.country(l.value), Route: localRoute(t.code, l.base), Count: t.number(l.total)})
		}
	}
	if len(lands) > mapPlaces {
		m.All, m.AllLabel = "/browse/country", t.T("browse.all.country")
	}
	return m
}

// home is the country that nearly all entries are of, "" where there is none.
func (b *snapshotView) home() string {
	for _, code := range sorted(b.lands) {
		if len(b.lands[code])*100 >= homeShare*len(b.c.Order) && len(b.c.Order) > 0 {
			return code
		}
	}
	return ""
}

// homeShare is how many entries of a hundred are of the one country of a register.
const homeShare = 90

// inOrder are the lists of a facet, the largest first.
func (b *snapshotView) inOrder(id string) []*list {
	at := slices.IndexFunc(b.facets, func(f *facet) bool { return f.id == id })
	return b.facets[at].list
}
