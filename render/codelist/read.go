package codelist

import (
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Reading is one thing that an identifier can mean.
type Reading struct {
	*Concept
	// As are the notations in which it has this spelling.
	As []string
	// Exact tells that the spelling is the notation's own, case included.
	Exact bool
	// ByForm tells that the code was checked by its form only, not by a list.
	ByForm bool
}

// Read gives every meaning of an identifier, those in their own spelling
// first, then in the order of the kinds; none if it is unknown. licences is the
// register's licence table, by id, which goes beyond the EU's.
func Read(identifier string, licences map[string]*catalog.Licence) []Reading {
	identifier = strings.TrimSpace(identifier)
	if rest, ok := strings.CutPrefix(identifier, "https://publications.europa.eu/"); ok {
		identifier = "http://publications.europa.eu/" + rest
	}
	var out []Reading
	for _, p := range index()[strings.ToLower(identifier)] {
		out = add(out, p, identifier)
	}
	for _, id := range slices.Sorted(maps.Keys(licences)) {
		out = addLicence(out, licences[id], identifier)
	}
	if c, listed, ok := region(identifier); ok {
		code := strings.ToUpper(identifier)
		out = append(out, Reading{Concept: c, As: []string{nutsPrefix + c.Codes[NUTSLevel][0]}, Exact: code == identifier, ByForm: !listed})
	}
	slices.SortStableFunc(out, func(a, b Reading) int {
		if a.Exact != b.Exact {
			if a.Exact {
				return -1
			}
			return 1
		}
		return slices.Index(Kinds(), a.Kind) - slices.Index(Kinds(), b.Kind)
	})
	return out
}

// add notes one more notation of a concept, or the concept itself.
func add(out []Reading, p place, identifier string) []Reading {
	exact := slices.Contains(p.concept.Codes[p.notation], identifier) || slices.Contains(p.concept.also[p.notation], identifier)
	for i := range out {
		if out[i].Concept == p.concept {
			out[i].As = append(out[i].As, p.notation)
			out[i].Exact = out[i].Exact || exact
			return out
		}
	}
	return append(out, Reading{Concept: p.concept, As: []string{p.notation}, Exact: exact})
}

// addLicence notes a licence of the register's table, in place of the row of
// the EU table that it completes.
func addLicence(out []Reading, l *catalog.Licence, identifier string) []Reading {
	spdx := strings.Contains(l.Source, "SPDX")
	code, listed := strings.CutPrefix(l.EUURI, Authority+"licence/")
	if !strings.EqualFold(identifier, l.EUURI) && !(spdx && strings.EqualFold(identifier, l.ID)) && !(listed && strings.EqualFold(identifier, code)) {
		return out
	}
	if slices.ContainsFunc(out, func(r Reading) bool { return slices.Contains(r.Codes[SPDX], l.ID) }) {
		return out
	}
	c := newConcept(KindLicence, l.Title)
	if listed {
		c.setEU(EULicence, "licence", code)
		out = slices.DeleteFunc(out, func(r Reading) bool {
			return r.Kind == KindLicence && slices.Equal(r.Codes[EULicence], c.Codes[EULicence]) && r.Codes[SPDX] == nil
		})
	}
	if spdx {
		c.set(SPDX, l.ID)
	}
	for _, n := range []string{SPDX, EULicence} {
		if slices.ContainsFunc(slices.Concat(c.Codes[n], c.also[n]), func(code string) bool { return strings.EqualFold(code, identifier) }) {
			out = add(out, place{c, n}, identifier)
		}
	}
	return out
}
