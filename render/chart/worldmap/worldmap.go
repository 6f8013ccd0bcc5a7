// Package worldmap holds the outlines of countries: coarse ones of the whole
// world as path data, to be coloured and linked by country, and finer ones of
// which a window is cut for the place of one entry.
//
// The shapes are those of Natural Earth 1:50m (public domain). Overseas
// regions with a code of their own that Natural Earth draws as part of their
// state, such as Réunion, have no shape; Northern Cyprus, Somaliland and the
// Siachen glacier are drawn with the state of which the United Nations hold
// them a part, and Crimea with Ukraine (resolution 68/262). .ci/worldmap makes
// both tables.
package worldmap

import (
	_ "embed" // the tables
	"math"
	"strconv"
	"strings"
	"sync"
)

// Width and Height are the sides of the plane in which paths of World are
// drawn, which is also the viewBox; Antarctica is left out.
const (
	Width  = 1000
	Height = 452
)

// Country is the outline of one country on the map of the world.
type Country struct {
	// Code is ISO 3166-1 alpha-2, or XK.
	Code string
	// X and Y are the middle of its largest part: a mark for countries that are
	// too small to be seen, and for labels.
	X, Y int
	// Path is SVG path data in whole units of the plane.
	Path string
	// Small tells that the shape is hardly to be seen or hit at 1000 pixels.
	Small bool
}

//go:embed world.tsv
var worldTable string

// World lists all countries by code. The list is shared: do not change it.
var World = sync.OnceValue(func() []Country {
	var list []Country
	for line := range strings.Lines(worldTable) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		x, _ := strconv.Atoi(f[1])
		y, _ := strconv.Atoi(f[2])
		list = append(list, Country{Code: f[0], X: x, Y: y, Path: f[3], Small: len(f[3]) < 24})
	}
	return list
})

// Lookup finds the outline of a country by its code.
var Lookup = func() func(code string) (Country, bool) {
	index := sync.OnceValue(func() map[string]Country {
		m := map[string]Country{}
		for _, c := range World() {
			m[c.Code] = c
		}
		return m
	})
	return func(code string) (Country, bool) {
		c, ok := index()[code]
		return c, ok
	}
}()

// Project gives the place of a point, in degrees, on the map of the world, in
// the Equal Earth projection (Šavrič, Patterson, Jenny 2018).
func Project(lon, lat float64) (x, y float64) {
	const a1, a2, a3, a4 = 1.340264, -0.081106, 0.000893, 0.003796
	const scale = 500 / 2.706629683
	t := math.Asin(math.Sqrt(3) / 2 * math.Sin(lat*math.Pi/180))
	t2 := t * t
	t6 := t2 * t2 * t2
	x = 2 * math.Sqrt(3) * lon * math.Pi / 180 * math.Cos(t) / (3 * (9*a4*t2*t6 + 7*a3*t6 + 3*a2*t2 + a1))
	y = t * (a4*t2*t6 + a3*t6 + a2*t2 + a1)
	return 500 + x*scale, (1.317362759 - y) * scale
}
