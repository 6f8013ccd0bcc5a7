package iso19115

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

func (r *record) extents() []*xmltree.Node { return r.ident.All("extent", "EX_Extent") }

// places are the boxes and names of where the resource is.
func (r *record) places() []string {
	var out []string
	for _, x := range r.extents() {
		for _, e := range x.All("geographicElement", "EX_GeographicBoundingBox") {
			if box := r.box(e); box != "" {
				out = append(out, box)
			}
		}
		for _, e := range x.All("geographicElement", "EX_BoundingPolygon", "polygon") {
			if box := polygonBox(e); box != "" && !slices.Contains(out, box) {
				out = append(out, box)
			}
		}
		for _, id := range x.All("geographicElement", "EX_GeographicDescription", "geographicIdentifier", "MD_Identifier", "code") {
			if name := r.value(id).iriOrText(); name != "" {
				out = append(out, name)
			}
		}
	}
	return out
}

// box is "west,south,east,north" in degrees; "" for one that is not on the
// globe.
func (r *record) box(e *xmltree.Node) string {
	sides := make([]string, 4)
	numbers := make([]float64, 4)
	for i, name := range []string{"westBoundLongitude", "southBoundLatitude", "eastBoundLongitude", "northBoundLatitude"} {
		v, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(r.first(e, name).text()), ",", ".", 1), 64) // some write a comma
		if err != nil || math.IsNaN(v) || math.Abs(v) > 180 {
			return ""
		}
		numbers[i] = v
		sides[i] = strconv.FormatFloat(math.Round(v*1e5)/1e5, 'f', -1, 64)
	}
	if numbers[1] > numbers[3] || math.Abs(numbers[1]) > 90 || math.Abs(numbers[3]) > 90 {
		return ""
	}
	return strings.Join(sides, ",")
}

// period is the time that the resource covers, from the first to the last of
// the stated ones, as start/end.
func (r *record) period() string {
	var starts, ends []string
	open := false
	for _, x := range r.extents() {
		for _, e := range x.All("temporalElement", "*", "extent", "*") {
			from, to := instants(e)
			if from == "" && to == "" {
				continue
			}
			starts, ends = append(starts, from), append(ends, to)
			open = open || to == ""
		}
	}
	if len(starts) == 0 {
		return ""
	}
	end := slices.Max(ends)
	if open {
		end = ""
	}
	return slices.Min(starts) + "/" + end
}

// instants are the ends of a gml:TimePeriod, or a gml:TimeInstant twice.
func instants(e *xmltree.Node) (from, to string) {
	if e.Name == "TimeInstant" {
		at := e.Value("timePosition")
		return at, at
	}
	from = cmp.Or(e.Value("beginPosition"), e.Value("begin", "TimeInstant", "timePosition"))
	to = cmp.Or(e.Value("endPosition"), e.Value("end", "TimeInstant", "timePosition"))
	return from, to
}

// dates are the dates of the citation: of issue (or creation) and of the last
// change.
func (r *record) dates() (issued, changed string) {
	created := ""
	for _, d := range r.ident.All("citation", "CI_Citation", "date", "CI_Date") {
		at := r.first(d, "date").text()
		for _, kind := range words(d.First("dateType")) {
			switch kind {
			case "publication", "released":
				if issued == "" || at < issued {
					issued = at
				}
			case "creation":
				created = cmp.Or(created, at)
			case "revision", "lastRevision", "lastUpdate":
				changed = max(changed, at)
			}
		}
	}
	return cmp.Or(issued, created), changed
}
