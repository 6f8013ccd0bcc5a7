package source

import (
	"regexp"
	"strconv"
	"strings"
)

// Geometry tells that a text is a geometry of which the box in degrees is known: GeoJSON (RFC 7946),
// well-known text, an envelope of GML or a DCMI box.
func Geometry(raw string) bool {
	_, form, ok := boxOf(raw)
	return form != "" && ok
}

// boxOf is the box of a text in one of the forms of a geometry; form is what it is written in,
// "" for what is no geometry but perhaps the name of a place.
func boxOf(raw string) (box, form string, ok bool) {
	s := strings.TrimSpace(raw)
	switch bare := systemName.ReplaceAllString(s, ""); {
	case strings.HasPrefix(s, "{"), strings.HasPrefix(s, "["):
		box, ok = geoBox(s)
		return box, "GeoJSON", ok
	case isWKT(bare):
		box, ok = wktBox(bare)
		return box, "WKT", ok
	case strings.HasPrefix(s, "<") && strings.Contains(s, "Envelope"):
		box, ok = gmlBox(s)
		return box, "GML", ok
	case dcmiLimit.MatchString(s):
		box, ok = dcmiBox(s)
		return box, "DCMI box", ok
	}
	return "", "", false
}

// systemName is the name of the reference system that the Austrian metadata schema (OGD 2.x,
// geographic_bbox) writes before well-known text; longitude is first there.
var systemName = regexp.MustCompile(`(?i)^WGS\s?84:\s*`)

var (
	gmlCorner = regexp.MustCompile(`(?is)<(?:\w+:)?(lower|upper)Corner[^>]*>\s*([-+0-9.eE]+)[\s,]+([-+0-9.eE]+)\s*<`)
	gmlSystem = regexp.MustCompile(`(?i)srsName\s*=\s*["']([^"']*)["']`)
)

// gmlBox is the box of an envelope of GML without a reference system or in CRS84, where longitude is
// first. In others the order of the axes is not what writers keep to.
func gmlBox(s string) (string, bool) {
	if system := gmlSystem.FindStringSubmatch(s); system != nil && !strings.Contains(strings.ToUpper(system[1]), "CRS84") {
		return "", false
	}
	corners := gmlCorner.FindAllStringSubmatch(s, 3)
	if len(corners) != 2 || strings.EqualFold(corners[0][1], corners[1][1]) {
		return "", false
	}
	box := nowhere
	for _, c := range corners {
		x, errX := strconv.ParseFloat(c[2], 64)
		y, errY := strconv.ParseFloat(c[3], 64)
		if errX != nil || errY != nil {
			return "", false
		}
		add([]any{x, y}, &box)
	}
	return written(box)
}

// dcmiLimit is a limit of a DCMI box (DCMI Box Encoding Scheme), of which all four are needed.
var dcmiLimit = regexp.MustCompile(`(?i)\b(north|south|east|west)limit\s*=\s*([-+0-9.eE]+)`)

func dcmiBox(s string) (string, bool) {
	if lower := strings.ToLower(s); strings.Contains(lower, "projection=") || strings.Contains(lower, "units=") {
		return "", false // not in degrees, or who knows
	}
	limits := map[string]float64{}
	for _, m := range dcmiLimit.FindAllStringSubmatch(s, 5) {
		v, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return "", false
		}
		limits[strings.ToLower(m[1])] = v
	}
	if len(limits) != 4 {
		return "", false
	}
	return written([4]float64{limits["west"], limits["south"], limits["east"], limits["north"]})
}
