package pages

import (
	"cmp"
	"net/url"
	"slices"

	"github.com/assay-register/assay/render/chart/worldmap"
	"github.com/assay-register/assay/templates"
)

// Bounds of the map of one country.
const (
	// cell is the side of a square of the map whose extents share a dot, in units.
	cell = 12
	// wholeLand is how much of its sides an extent takes to count as the whole country, in percent.
	wholeLand = 60
)

// ownLand is the map of the one country of a register: the middles of what its entries cover, and
// the places that they name.
func (b *snapshotView) ownLand(t *locale, code string) *templates.Map {
	land, ok := worldmap.Of(code)
	if !ok {
		return nil
	}
	m := &templates.Map{Heading: t.T("home.land"), Width: land.Width, Height: land.Height, Rest: land.Land,
		Shapes: []templates.Shape{{Title: t.country(code), Route: localRoute(t.code, "/country/"+code), Path: land.Own, Level: 1}}}
	within, whole := b.extents(&land, code)
	m.Dots = dots(t, within)
	shown := 0
	for _, n := range within {
		shown += n
	}
	if shown+whole > 0 {
		m.Lead = t.str("home.land.lead", "whole", t.number(whole), "all", t.number(len(b.c.Order)))
	}
	if shown > 0 {
		m.Lead += " " + t.counted("home.land.dots", shown)
	}
	for _, v := range b.counts.Place {
		name, known := t.placeNamed(v.Value)
		if len(m.Places) < mapPlaces && known && name != t.country(code) {
			m.Places = append(m.Places, templates.Tile{Name: name, Route: searchRoute(t, url.Values{"place": {v.Value}}), Count: t.number(v.Count)})
		}
	}
	if len(m.Places) == 0 && len(m.Dots) == 0 {
		return nil
	}
	return m
}

// square is a part of the map of a country.
type square struct{ x, y int }

// extents count the entries by the square in which the middle of their extent lies; whole
// are those that cover the country, by their extent or by its name.
func (b *snapshotView) extents(land *worldmap.Land, code string) (within map[square]int, whole int) {
	within = map[square]int{}
	wide, high := (land.Box.East-land.Box.West)*wholeLand/100, (land.Box.North-land.Box.South)*wholeLand/100
	for _, o := range b.c.Order {
		box := b.c.Lines[o].Box
		if box == nil || box.West > box.East {
			if slices.ContainsFunc(b.c.Lines[o].Places, func(p string) bool { return countryOf(p) == code }) {
				whole++
			}
			continue
		}
		if box.East-box.West >= wide && box.North-box.South >= high {
			whole++
			continue
		}
		x, y := land.Place((box.West+box.East)/2, (box.South+box.North)/2)
		if x >= 0 && x <= land.Width && y >= 0 && y <= land.Height {
			within[square{x / cell, y / cell}]++
		}
	}
	return within, whole
}

// dots are the squares as circles, the larger the more entries, the fullest last.
func dots(t *locale, within map[square]int) []templates.Dot {
	most := 0
	for _, n := range within {
		most = max(most, n)
	}
	var list []templates.Dot
	for s, n := range within {
		l := level(n, max(1, most))
		list = append(list, templates.Dot{Title: t.counted("search.found", n), X: s.x*cell + cell/2, Y: s.y*cell + cell/2, Radius: 2 + l, Level: max(2, l)})
	}
	slices.SortFunc(list, func(x, y templates.Dot) int {
		return cmp.Or(cmp.Compare(x.Radius, y.Radius), cmp.Compare(x.Y, y.Y), cmp.Compare(x.X, y.X))
	})
	return list
}
