package names

import (
	"io"
	"strings"

	"github.com/assay-register/assay/build/rdf"
)

// Predicates of names (SKOS, RDF Schema, the GeoNames ontology) and classes of places.
const (
	skosNS     = "http://www.w3.org/2004/02/skos/core#"
	geonamesNS = "http://www.geonames.org/ontology#"
	typeOf     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	labelOf    = "http://www.w3.org/2000/01/rdf-schema#label"
	location   = "http://purl.org/dc/terms/Location"
	gnFeature  = geonamesNS + "Feature"
)

// labels are the predicates of names, and whether they are what a thing is called first.
var labels = map[string]bool{
	skosNS + "prefLabel": true, labelOf: true, geonamesNS + "officialName": true,
	skosNS + "altLabel": false, geonamesNS + "name": false, geonamesNS + "alternateName": false,
}

// skos reads the concepts that have an address, in any order of statements.
func (t *table) skos(in io.Reader, syntax rdf.Syntax) error {
	places := map[string]bool{}
	err := rdf.Read(in, syntax, rdf.Options{}, func(s rdf.Triple) error {
		if s.Subject.Kind != rdf.IRI {
			return nil
		}
		code := strings.TrimSuffix(strings.Replace(s.Subject.Value, "https://", "http://", 1), "/")
		if s.Predicate.Value == typeOf {
			if s.Object.Value == location || s.Object.Value == gnFeature {
				places[code] = true
			}
			return nil
		}
		preferred, label := labels[s.Predicate.Value]
		if !label || s.Object.Kind != rdf.Literal {
			return nil
		}
		c, err := t.concept(code)
		if err != nil {
			return err
		}
		name(c, s.Object.Value, s.Object.Lang, preferred)
		return nil
	})
	for i := range t.list {
		t.list[i].Place = t.list[i].Place || places[t.list[i].Codes[0]]
	}
	return err
}
