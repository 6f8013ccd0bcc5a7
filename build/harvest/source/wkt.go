package source

import (
	"regexp"
	"strconv"
	"strings"
)

// wktForm is well-known text of two dimensions with the reference system that GeoSPARQL 1.1 (8.5.1) allows before
// it. Without one, and with CRS84, longitude is first; of other systems the order of the axes, or the unit, is another.
var wktForm = regexp.MustCompile(`(?is)^(?:<http://www\.opengis\.net/def/crs/OGC/1\.3/CRS84>\s*)?(?:MULTI)?(?:POLYGON|POINT|LINESTRING)\s*\(([-+0-9.eE,()\s]+)\)$`)

var wktBegins = regexp.MustCompile(`(?i)^(?:<[^>]*>\s*)?(?:MULTI)?(?:POLYGON|POINT|LINESTRING|ENVELOPE)(?:\s+ZM?|\s+M)?\s*\(\s*[-+.(\d]`)

// isWKT tells whether a text begins as well-known text of a geometry does; "Point Reyes (California)" does not.
func isWKT(s string) bool { return wktBegins.MatchString(s) }

// wktBox is the bounding box of well-known text, as geoBox is that of GeoJSON.
func wktBox(raw string) (string, bool) {
	m := wktForm.FindStringSubmatch(strings.TrimSpace(raw))
	if m == nil {
		return "", false
	}
	box := nowhere
	for position := range strings.SplitSeq(strings.NewReplacer("(", " ", ")", " ").Replace(m[1]), ",") {
		numbers := strings.Fields(position)
		if len(numbers) < 2 {
			return "", false
		}
		x, errX := strconv.ParseFloat(numbers[0], 64)
		y, errY := strconv.ParseFloat(numbers[1], 64)
		if errX != nil || errY != nil {
			return "", false
		}
		add([]any{x, y}, &box)
	}
	return written(box)
}
