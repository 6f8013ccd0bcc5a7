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
	e := &m.b.Draft.Entry
	if list := m.texts("publisher"); len(list) > 0 {
		m.b.Publisher("publisher", list[0].Value, "")
		e.Publisher = agent(list[0].Value)
	}
	for _, name := range m.values("creator") {
		if len(e.Creators) < catalog.TagsMax {
			e.Creators = append(e.Creators, *agent(name))
		}
	}
	if len(e.Creators) > 0 {
		m.b.Remark("creators", "creator", "", "")
	}
	if list := m.values("rightsHolder"); len(list) > 0 {
		e.RightsHolder = agent(list[0])
		m.b.Remark("rights_holder", "rightsHolder", "", "")
	}
}

// agent is a body or person of whom only the name is stated.
func agent(name string) *catalog.Agent {
	name, _ = source.Line(name)
	name, _ = source.Cut(name, catalog.NameMax)
	return &catalog.Agent{Names: catalog.Texts{catalog.Undetermined: name}}
}

// openness are the ends of access rights as repositories write them
// (info:eu-repo/semantics, COAR, the EU table).
var openness = map[string]catalog.AccessRights{"openaccess": catalog.RightsPublic, "c_abf2": catalog.RightsPublic, "public": catalog.RightsPublic,
	"nolimitations": catalog.RightsPublic, "restrictedaccess": catalog.RightsRestricted, "c_16ec": catalog.RightsRestricted, "restricted": catalog.RightsRestricted,
	"embargoedaccess": catalog.RightsRestricted, "c_f1cf": catalog.RightsRestricted, "closedaccess": catalog.RightsNonPublic, "c_14cb": catalog.RightsNonPublic,
	"non_public": catalog.RightsNonPublic}

// rights sets who may have it, and the first statement that is a licence: an
// address before a text.
func (m *mapper) rights() {
	e := &m.b.Draft.Entry
	var terms []string
	for _, name := range []string{"license", "rights", "accessRights"} {
		for _, raw := range m.values(name) {
			word := strings.ToLower(strings.ReplaceAll(raw[strings.LastIndexAny(raw, "/#")+1:], " ", ""))
			if right, ok := openness[word]; ok {
				if e.AccessRights == "" {
					e.AccessRights = right
					m.b.Remark("access_rights", name, "mapped to the EU access-right table", "")
				}
				continue
			}
			if name != "accessRights" {
				terms = append(terms, raw)
			}
		}
	}
	slices.SortStableFunc(terms, func(a, b string) int { return rank(a) - rank(b) })
	m.b.Licence("license, rights", terms...)
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
