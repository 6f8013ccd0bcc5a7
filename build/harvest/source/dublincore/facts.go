package dublincore

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// agents sets the publisher, the creators and the rights holder.
func (m *mapper) agents() {
	m.b.PublisherAgent("publisher", m.texts("publisher"), catalog.Agent{})
	for _, t := range m.texts("creator") {
		m.b.Creator("creator", []source.Text{t}, catalog.Agent{})
	}
	m.b.RightsHolder("rightsHolder", m.texts("rightsHolder"), catalog.Agent{})
}

// rights sets who may have it, and the first statement that is a licence: an
// address before a text.
func (m *mapper) rights() {
	var terms, access []string
	for _, name := range []string{"accessRights", "license", "rights"} {
		for _, raw := range m.values(name) {
			word := openness(raw)
			if _, ok := source.AccessRights(word); ok {
				access = append(access, word)
			} else if name != "accessRights" {
				terms = append(terms, raw)
			}
		}
	}
	m.b.AccessRights("accessRights, rights", access...)
	slices.SortStableFunc(terms, func(a, b string) int { return rank(a) - rank(b) })
	m.b.Licence("license, rights", terms...)
}

// openness is the word of a statement of access: repositories write
// info:eu-repo/semantics/openAccess. What is under embargo is restricted until
// it ends.
func openness(raw string) string {
	word := raw
	if info, ok := strings.CutPrefix(raw, "info:eu-repo/semantics/"); ok {
		word = info
	}
	if strings.EqualFold(word, "embargoedAccess") {
		return "restrictedAccess"
	}
	return word
}

func rank(terms string) int {
	if strings.Contains(terms, "://") {
		return 0
	}
	return 1
}

// coverage sets places and the period. An ows:BoundingBox has its axes in an
// order that servers do not agree on; only the one that is always longitude
// before latitude counts.
func (m *mapper) coverage() {
	if m.b.Draft.Entry.Dataset == nil {
		return
	}
	places := m.values("spatial")
	for _, n := range m.n.All("WGS84BoundingBox") {
		corners := strings.Fields(n.Value("LowerCorner") + " " + n.Value("UpperCorner"))
		if box := box(corners); box != "" {
			places = append(places, box)
		}
	}
	for _, raw := range m.values("coverage") {
		// DCMI Box and Period are no names of places.
		if !strings.Contains(raw, "=") && !strings.Contains(raw, ";") {
			places = append(places, raw)
		}
	}
	m.b.Spatial("spatial, coverage, WGS84BoundingBox", places...)
	for _, raw := range m.values("temporal") {
		d := m.b.Dataset()
		if m.b.Period(&d.TemporalStart, &d.TemporalEnd, "dataset.temporal", "temporal", raw) {
			return
		}
	}
}

// box is "west,south,east,north" of two corners in degrees.
func box(corners []string) string {
	if len(corners) != 4 {
		return ""
	}
	out := make([]string, 4)
	for i, raw := range corners {
		v, err := strconv.ParseFloat(raw, 64)
		if limit := []float64{180, 90}[i%2]; err != nil || !(math.Abs(v) <= limit) {
			return ""
		}
		out[i] = strconv.FormatFloat(math.Round(v*1e5)/1e5, 'f', -1, 64)
	}
	return strings.Join(out, ",")
}
