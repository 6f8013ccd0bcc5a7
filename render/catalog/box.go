package catalog

import (
	"math"
	"strconv"
	"strings"
)

// Box is an area on the globe in degrees. One that crosses the antimeridian has a West
// greater than its East (RFC 7946, section 5.2).
type Box struct {
	West  float64 `json:"w"`
	South float64 `json:"s"`
	East  float64 `json:"e"`
	North float64 `json:"n"`
}

// ParseBox reads "west,south,east,north", the form in which an entry has a box among the
// places that it covers.
func ParseBox(s string) (b Box, ok bool) {
	parts := strings.Split(s, ",")
	if len(parts) != 4 {
		return b, false
	}
	var n [4]float64
	for i, p := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return b, false
		}
		n[i] = v
	}
	b = Box{n[0], n[1], n[2], n[3]}
	return b, b.onGlobe()
}

func (b Box) onGlobe() bool {
	return b.South <= b.North && b.South >= -90 && b.North <= 90 && min(b.West, b.East) >= -180 && max(b.West, b.East) <= 180
}

// halves are the parts of a box on either side of the antimeridian.
func (b Box) halves() []Box {
	if b.West <= b.East {
		return []Box{b}
	}
	return []Box{{b.West, b.South, 180, b.North}, {-180, b.South, b.East, b.North}}
}

// Intersects tells whether two boxes have a point in common.
func (b Box) Intersects(o Box) bool {
	for _, x := range b.halves() {
		for _, y := range o.halves() {
			if x.West <= y.East && y.West <= x.East && x.South <= y.North && y.South <= x.North {
				return true
			}
		}
	}
	return false
}

// Spatial are the places that an entry states to cover: names, IRIs and boxes.
func (e *Entry) Spatial() []string {
	switch {
	case e.Dataset != nil:
		return e.Dataset.Spatial
	case e.API != nil:
		return e.API.Spatial
	}
	return nil
}

// Extent is the first box among the places of an entry.
func (e *Entry) Extent() (b Box, ok bool) {
	for _, place := range e.Spatial() {
		if b, ok = ParseBox(place); ok {
			return b, true
		}
	}
	return b, false
}
