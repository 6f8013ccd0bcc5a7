package dcatap

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/codelist"
)

// spatial sets the places: their boxes, and what they are called, else their IRIs. An IRI that the register
// knows stays, for it has the names of all languages.
func (m *mapper) spatial(b *source.Builder, n *node) error {
	var places []string
	for _, s := range n.all(propSpatial) {
		place, err := s.value, error(nil)
		if s.kind != rdf.IRI || !knownPlace(s.value) {
			place, err = m.label(&s, b.Draft.Entry.NativeLang, propPrefLabel, propLabel, propGeoName, propTitle)
		}
		if err != nil {
			return err
		}
		box, units, err := m.place(&s)
		if err != nil {
			return err
		}
		if (box != "" || len(units) > 0) && place == s.value && s.kind == rdf.IRI && !knownPlace(place) {
			place = "" // an IRI says no more than the box
		}
		places = append(append(places, place, box), units...)
	}
	places = append(places, words(n.all(propAdminUnit))...)
	if b.Draft.Entry.API != nil {
		b.ServiceSpatial(paths[propSpatial], places...)
		return nil
	}
	b.Spatial(paths[propSpatial], places...)
	return nil
}

// knownPlace tells that the register names a place by its IRI: a country, or a place of its tables.
func knownPlace(iri string) bool {
	return strings.HasPrefix(iri, codelist.Authority+"country/") || codelist.PlaceOf(iri) != nil
}

// place is the box of a place, of several forms the first that can be read (DCAT 3, dcat:bbox; ISA
// Location Core, locn:geometry), and the administrative units that it is in or stands for.
func (m *mapper) place(s *statement) (box string, units []string, err error) {
	if s.kind == rdf.Literal {
		return "", nil, nil
	}
	place, err := m.doc.shared(s.key())
	if err != nil || place == nil {
		return "", nil, err
	}
	units = words(place.all(propAdminUnit))
	var forms []string
	for _, p := range []prop{propBBox, propGeometry} {
		for _, t := range texts(place, p) {
			forms = append(forms, t.Value)
		}
	}
	if len(forms) == 0 {
		return "", units, nil
	}
	return forms[max(0, slices.IndexFunc(forms, source.Geometry))], units, nil
}
