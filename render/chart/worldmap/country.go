package worldmap

import (
	"math"
	"slices"
)

// Land is a country alone, in the window of its mainland.
type Land struct {
	Window
	// Own is path data of what of the country lies in the window.
	Own string
	// Box is the part of the Earth that the window shows.
	Box Box
}

// Bounds of the window of a country, as shares of its extent and in degrees.
const (
	landMargin = 0.08
	// landReach is how far from the mainland an island may lie to be shown.
	landReach = 4.0
)

// Of is the window of a country by its code; false where it has no outline.
func Of(code string) (Land, bool) {
	var own []int
	t := table()
	for i, c := range t.codes {
		if c == code {
			own = append(own, i)
		}
	}
	fine := rings(0)
	own = slices.DeleteFunc(own, func(i int) bool { return !fine[i].bounds.Valid() }) // islets of one point
	if len(own) == 0 {
		return Land{}, false
	}
	extent := mainland(fine, own)
	high, wide := extent.North-extent.South, extent.East-extent.West
	frame := Box{extent.West - landMargin*wide, math.Max(-90, extent.South-landMargin*high), extent.East + landMargin*wide, math.Min(90, extent.North+landMargin*high)}
	l := Land{Window: draw(frame), Box: frame}
	unit := (frame.East - frame.West) / windowWidth
	coarse := rings(levelOf(unit))
	var path []byte
	for _, i := range own {
		path = l.ring(path, clip(coarse[i].points, frame))
	}
	l.Own = string(path)
	return l, true
}

// mainland is the extent of the largest ring of a country and of those that lie near it.
func mainland(all []ring, own []int) Box {
	largest, most := all[own[0]].bounds, 0.0
	for _, i := range own {
		b := all[i].bounds
		if size := (b.East - b.West) * (b.North - b.South); size > most {
			largest, most = b, size
		}
	}
	out := largest
	for _, i := range own {
		b := all[i].bounds
		if b.West < largest.East+landReach && b.East > largest.West-landReach && b.South < largest.North+landReach && b.North > largest.South-landReach {
			out = Box{math.Min(out.West, b.West), math.Min(out.South, b.South), math.Max(out.East, b.East), math.Max(out.North, b.North)}
		}
	}
	return out
}
