package iso19115

import (
	"math"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

// polygonBox is the box around the polygons of an EX_BoundingPolygon (GML 3.2
// posList and pos, GML 2 coordinates), as "west,south,east,north" in degrees;
// "" for another coordinate system than WGS 84.
func polygonBox(polygon *xmltree.Node) string {
	system, ok := "", true
	west, south, east, north := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	polygon.Each(func(n *xmltree.Node) {
		if s := n.Attr("srsName"); s != "" {
			system = s
		}
		points, fine := coordinates(n)
		ok = ok && fine
		for _, p := range points {
			if latitudeFirst(system) {
				p[0], p[1] = p[1], p[0]
			}
			west, east, south, north = min(west, p[0]), max(east, p[0]), min(south, p[1]), max(north, p[1])
		}
	})
	if !ok || !degrees(system) || west > east || math.Abs(west) > 180 || math.Abs(east) > 180 || math.Abs(south) > 90 || math.Abs(north) > 90 {
		return ""
	}
	var sides []string
	for _, v := range []float64{west, south, east, north} {
		sides = append(sides, strconv.FormatFloat(math.Round(v*1e5)/1e5, 'f', -1, 64))
	}
	return strings.Join(sides, ",")
}

// coordinates are the points of an element that holds some; a height is left
// out. ok is false if they cannot be read.
func coordinates(n *xmltree.Node) (points [][2]float64, ok bool) {
	text, size := n.Text, 2
	switch n.Name {
	case "posList", "pos":
		if n.Attr("srsDimension") == "3" || n.Name == "pos" && len(strings.Fields(text)) == 3 {
			size = 3
		}
	case "coordinates":
		first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		size = strings.Count(first, ",") + 1
		text = strings.ReplaceAll(text, ",", " ")
	default:
		return nil, true
	}
	fields := strings.Fields(text)
	if size < 2 || size > 3 || len(fields)%size != 0 {
		return nil, false
	}
	for i := 0; i < len(fields); i += size {
		x, errX := strconv.ParseFloat(fields[i], 64)
		y, errY := strconv.ParseFloat(fields[i+1], 64)
		if errX != nil || errY != nil || math.IsNaN(x) || math.IsNaN(y) {
			return nil, false
		}
		points = append(points, [2]float64{x, y})
	}
	return points, true
}

// latitudeFirst tells whether the axes of a system are named as the EPSG does,
// which is what the URN form asks for (OGC 07-092, section 7).
func latitudeFirst(system string) bool {
	return strings.HasPrefix(system, "urn:ogc:def:crs:EPSG:") || strings.HasPrefix(system, "http://www.opengis.net/def/crs/EPSG/")
}

// degrees tells whether a system is WGS 84, or what is the same but for
// centimetres; none is stated where a record says nothing else.
func degrees(system string) bool {
	if system == "" {
		return true
	}
	code := system[strings.LastIndexAny(system, ":/#")+1:]
	return code == "4326" || code == "4258" || code == "CRS84" || code == "84"
}
