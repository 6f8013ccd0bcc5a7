package search

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/render/search/thesaurus"
)

// lies begins the terms of the index that stand for what lies in a place, after the mark of concepts.
const lies = "<"

// Somewhere is the term of the index that entries have which are of a place smaller than a country.
const Somewhere = ConceptMark + lies

// Around is what stands in the index for the surroundings of a place.
type Around struct {
	// Inside is the term of what lies in it, Regions are those of the regions that it lies in, and
	// Country that of its country, "" where it is not known.
	Inside  string
	Regions []string
	Country string
}

// aroundOf are the surroundings of a concept, none of one that is no place.
func aroundOf(c *thesaurus.Concept) (out Around) {
	if !c.Place || wide(c.ID) {
		return out
	}
	out.Inside = Somewhere + c.ID
	for _, code := range c.In {
		if wide(code) {
			out.Country = ConceptMark + code
		} else {
			out.Regions = append(out.Regions, ConceptMark+code)
		}
	}
	return out
}

// wide tells whether the code of a place is that of a country, or of more.
func wide(code string) bool { return strings.HasPrefix(code, countryCode) || code == "region:EU" }

// AroundOf are the surroundings of the place that a term of the index stands for.
func AroundOf(term string) Around {
	l := lexiconOf()
	if i := slices.Index(l.terms, term); i >= 0 {
		return l.around[i]
	}
	return Around{}
}

// of notes that the document is of a place, which lies in others.
func (a *Analyser) of(around *Around, position uint32) {
	if around.Inside == "" {
		return
	}
	a.place(Somewhere, position)
	for _, region := range around.Regions {
		a.place(Somewhere+strings.TrimPrefix(region, ConceptMark), position)
	}
}

// place notes the term of a place once.
func (a *Analyser) place(term string, position uint32) {
	t := a.term(term)
	t.place = true
	t.count++
	if len(t.positions) == 0 {
		t.positions = append(t.positions, position)
	}
}
