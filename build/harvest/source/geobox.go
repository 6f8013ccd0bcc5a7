package source

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// nowhere is the box that any position widens.
var nowhere = [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

// geoBox is the bounding box of a GeoJSON geometry (RFC 7946) as
// "west,south,east,north" in degrees. Coordinates outside the globe, as
// projected ones have them, give none.
func geoBox(raw string) (string, bool) {
	var g any
	if json.Unmarshal([]byte(raw), &g) != nil {
		return "", false
	}
	box := nowhere
	object, isObject := g.(map[string]any)
	if isObject {
		if coordinates, ok := object["coordinates"]; ok {
			g = coordinates
		} else if geometry, ok := object["geometry"].(map[string]any); ok {
			g = geometry["coordinates"]
		} else {
			g = object["bbox"]
		}
	}
	span(g, &box, 0)
	return written(box)
}

// written is a box in degrees as an entry has it.
func written(box [4]float64) (string, bool) {
	if box[0] > box[2] || box[1] > box[3] || box[0] < -180 || box[2] > 180 || box[1] < -90 || box[3] > 90 {
		return "", false
	}
	parts := make([]string, 4)
	for i, v := range box {
		parts[i] = strconv.FormatFloat(math.Round(v*1e5)/1e5, 'f', -1, 64)
	}
	return strings.Join(parts, ","), true
}

// span widens the box to all positions in nested lists.
func span(v any, box *[4]float64, depth int) {
	list, ok := v.([]any)
	if !ok || depth > 6 {
		return
	}
	if len(list) == 4 && depth == 0 {
		if add(list[:2], box) && add(list[2:], box) {
			return
		}
	}
	if len(list) >= 2 && add(list, box) {
		return
	}
	for _, item := range list {
		span(item, box, depth+1)
	}
}

// add widens the box to one position.
func add(position []any, box *[4]float64) bool {
	x, okX := position[0].(float64)
	y, okY := position[1].(float64)
	if !okX || !okY {
		return false
	}
	box[0], box[1] = min(box[0], x), min(box[1], y)
	box[2], box[3] = max(box[2], x), max(box[3], y)
	return true
}
