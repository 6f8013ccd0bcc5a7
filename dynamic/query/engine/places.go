package engine

import (
	"slices"

	"github.com/assay-register/assay/render/search"
)

// What an entry keeps of its score that neither is of the place of the query nor names it: what is
// asked for tells more than where, so the matter elsewhere comes before other matters of the place.
// What is of no place is of the whole country.
const (
	elsewhere  = 0.5
	nationwide = 0.62
)

// What a place gets of the weight of one that lies in it, or that it lies in.
const (
	weightInside = 0.8
	weightRegion = 0.6
)

// around are the sources of a place: itself, what lies in it, and the regions that it lies in.
func (m *matcher) around(place string, named source) (out []source) {
	add := func(term string, share float32, region bool) {
		s := named
		if s.term = m.engine.segment.Find(term); s.term >= 0 {
			s.weight, s.region = s.weight*share, region
			out = append(out, s)
		}
	}
	named.around = search.AroundOf(place)
	add(place, 1, false)
	add(named.around.Inside, weightInside, false)
	for _, region := range named.around.Regions {
		add(region, weightRegion, true)
	}
	return out
}

// placesOf parts groups from those that name a place only, where others tell the matter. Those
// count nothing by themselves.
func placesOf(groups []group) (matter, places []group) {
	for i := range groups {
		if groups[i].where() {
			places = append(places, groups[i])
		} else {
			matter = append(matter, groups[i])
		}
	}
	if len(matter) == 0 {
		return groups, nil
	}
	for i := range groups {
		if groups[i].where() {
			groups[i].weight = 0
		}
	}
	return matter, places
}

// where tells whether a word names a place and nothing else.
func (g *group) where() bool {
	return !g.term.Quoted && !g.term.Title && !g.term.Prefix && len(g.concepts) > 0 &&
		!slices.ContainsFunc(g.concepts, func(c source) bool { return !c.place })
}

// within tells whether one of the places lies in a country.
func within(places []group) bool {
	return slices.ContainsFunc(places, func(g group) bool {
		return slices.ContainsFunc(g.concepts, func(c source) bool { return c.around.Inside != "" })
	})
}

// located lets documents count less that are not of the places that the query names.
func (m *matcher) located(places []group) {
	if len(places) == 0 {
		return
	}
	s := m.scratch
	held, least := m.held(places), m.least(places)
	for k := range s.scores {
		s.scores[k] *= least[k] + (1-least[k])*held[k]
	}
}

// mentioned is what a document holds of a place at most that it only mentions, or is around of.
const mentioned = 0.65

// held is how well each document is of the places, 0 to 1.
func (m *matcher) held(places []group) []float32 {
	s := m.scratch
	out := make([]float32, len(s.documents))
	for i := range places {
		m.weigh(&places[i], 1)
		for _, c := range places[i].concepts {
			if c.region {
				m.overlay(c.term, c.weight/255)
			}
		}
		for k, b := range s.best {
			out[k] += min(1, b/search.PlaceShare) / float32(len(places))
		}
	}
	return out
}

// least is what each document keeps that is not of the places.
func (m *matcher) least(places []group) []float32 {
	s, seg := m.scratch, m.engine.segment
	out := make([]float32, len(s.documents))
	for k := range out {
		out[k] = elsewhere
	}
	mark := func(terms []int, share float32) {
		s.best = append(s.best[:0], make([]float32, len(s.documents))...)
		for _, t := range terms {
			m.overlay(t, 1)
		}
		for k, b := range s.best {
			if b > 0 {
				out[k] = share
			}
		}
	}
	var countries, somewhere []int
	for i := range places {
		for _, c := range places[i].concepts {
			if t := seg.Find(c.around.Country); t >= 0 {
				countries = append(countries, t)
			}
		}
	}
	if t := seg.Find(search.Somewhere); t >= 0 {
		somewhere = append(somewhere, t)
	}
	mark(countries, nationwide)
	mark(somewhere, elsewhere)
	return out
}
