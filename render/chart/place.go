package chart

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/chart/worldmap"
)

// Extent is the box in which data lie, as the sample or the source says; false
// where neither does, or none that can be drawn.
func Extent(e *catalog.Entry, p *catalog.Profile) (worldmap.Box, bool) {
	if p != nil && p.PersonalData.Allowed && len(p.BBox) == 4 {
		return drawable(worldmap.Box{West: p.BBox[0], South: p.BBox[1], East: p.BBox[2], North: p.BBox[3]})
	}
	for _, place := range e.Spatial() {
		if b, ok := catalog.ParseBox(place); ok {
			if box, ok := drawable(worldmap.Box(b)); ok {
				return box, true
			}
		}
	}
	return worldmap.Box{}, false
}

func drawable(b worldmap.Box) (worldmap.Box, bool) { return b, b.Valid() }

// Places are points in degrees, longitude first.
type Places [][2]float64

// Map draws an extent and points of data on the land around them.
func Map(b worldmap.Box, points Places, title string) string {
	w := worldmap.Around(b)
	p := begin("c-map", title, w.Width, w.Height)
	p.add(`<path class="c-land" d="`, w.Land, `"/>`)
	x, y := w.Place(b.West, b.North)
	to, down := w.Place(b.East, b.South)
	if to-x >= 3 || down-y >= 3 {
		p.add(`<path class="c-box" d="M`).whole(x).add(" ").whole(y).add("H").whole(max(to, x+1)).add("V").whole(max(down, y+1)).add("H").whole(x).add(`z"/>`)
	} else if len(points) == 0 {
		points = Places{{(b.West + b.East) / 2, (b.South + b.North) / 2}}
	}
	if len(points) > 0 {
		// A line of no length with round ends is a dot.
		p.add(`<path class="c-mark" d="`)
		for _, at := range points {
			if x, y := w.Place(at[0], at[1]); x >= 0 && x <= w.Width && y >= 0 && y <= w.Height {
				p.add("M").whole(x).add(" ").whole(y).add("h0")
			}
		}
		p.add(`"/>`)
	}
	return p.end()
}
