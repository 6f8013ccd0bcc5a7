package query

import (
	"cmp"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// counter counts the values of results by their codes.
type counter struct {
	c                                           *columns
	kind, country, instType, state              tally
	access, rights, tier, license, lang, bodies tally
	tags, formats, themes                       tally
}

func newCounter(c *columns) *counter {
	return &counter{c: c, kind: newTally(len(c.kind.values)), country: newTally(len(c.country.values)),
		instType: newTally(len(c.instType.values)), state: newTally(len(c.state.values)),
		access: newTally(len(c.access.values)), rights: newTally(len(c.rights.values)), tier: newTally(len(c.tier.values)),
		license: newTally(len(c.license.values)), lang: newTally(len(c.lang.values)), bodies: newTally(len(c.bodies.values)),
		tags: newTally(len(c.tags.values)), formats: newTally(len(c.formats.values)), themes: newTally(len(c.themes.values))}
}

func (n *counter) all() []*tally {
	return []*tally{&n.kind, &n.country, &n.instType, &n.state, &n.access, &n.rights, &n.tier, &n.license, &n.lang, &n.bodies, &n.tags, &n.formats, &n.themes}
}

// reset makes a counter fit for the next search.
func (n *counter) reset() {
	for _, t := range n.all() {
		t.reset()
	}
}

// add counts the values of an entry of the columns.
func (n *counter) add(i uint32) {
	n.kind.add(uint32(n.c.kind.codes[i]))
	n.country.add(uint32(n.c.country.codes[i]))
	n.instType.add(uint32(n.c.instType.codes[i]))
	n.state.add(uint32(n.c.state.codes[i]))
	n.access.add(uint32(n.c.access.codes[i]))
	n.rights.add(uint32(n.c.rights.codes[i]))
	n.tier.add(uint32(n.c.tier.codes[i]))
	n.license.add(uint32(n.c.license.codes[i]))
	n.lang.add(uint32(n.c.lang.codes[i]))
	n.bodies.add(uint32(n.c.bodies.codes[i]))
	for _, t := range n.c.themes.of(i) {
		n.themes.add(t)
	}
	for _, t := range n.c.tags.of(i) {
		n.tags.add(t)
	}
	for _, t := range n.c.formats.of(i) {
		n.formats.add(t)
	}
}

// addLine counts the values of an entry that has no place in the columns.
func (n *counter) addLine(l *snapshot.Line) {
	n.kind.addValue(n.c.kind.known, string(l.Type))
	n.country.addValue(n.c.country.known, l.Country)
	n.instType.addValue(n.c.instType.known, string(l.InstType))
	n.state.addValue(n.c.state.known, string(l.State))
	n.access.addValue(n.c.access.known, string(l.FreeAccess))
	n.rights.addValue(n.c.rights.known, string(l.Rights))
	n.tier.addValue(n.c.tier.known, string(l.Tier))
	n.license.addValue(n.c.license.known, l.LicenseID)
	n.lang.addValue(n.c.lang.known, l.Lang)
	n.bodies.addValue(n.c.bodies.known, l.InstitutionID)
	for _, t := range l.Themes {
		n.themes.addWide(n.c.themes.known, t)
	}
	for _, t := range l.Tags {
		n.tags.addWide(n.c.tags.known, t)
	}
	for _, f := range l.Formats {
		n.formats.addWide(n.c.formats.known, f)
	}
}

func (n *counter) facets() wire.SearchFacets {
	return wire.SearchFacets{Type: n.kind.top(n.c.kind.values), CountryCode: n.country.top(n.c.country.values),
		InstitutionType: n.instType.top(n.c.instType.values), Tags: n.tags.top(n.c.tags.values),
		State: n.state.top(n.c.state.values), Format: n.formats.top(n.c.formats.values),
		FreeAccessClass: n.access.top(n.c.access.values), AccessRights: n.rights.top(n.c.rights.values), Tier: n.tier.top(n.c.tier.values),
		License: n.license.top(n.c.license.values), Lang: n.lang.top(n.c.lang.values), InstitutionID: n.bodies.top(n.c.bodies.values),
		Theme: n.themes.top(n.c.themes.values)}
}

// tally counts codes of which most do not occur, and values without a code.
type tally struct {
	counts []uint32
	met    []uint32
	others map[string]int
}

func newTally(n int) tally { return tally{counts: make([]uint32, n)} }

func (t *tally) add(code uint32) {
	if t.counts[code] == 0 {
		t.met = append(t.met, code)
	}
	t.counts[code]++
}

func (t *tally) addValue(known map[string]uint16, value string) {
	if code, ok := known[value]; ok {
		t.add(uint32(code))
	} else {
		t.other(value)
	}
}

func (t *tally) addWide(known map[string]uint32, value string) {
	if code, ok := known[value]; ok {
		t.add(code)
	} else {
		t.other(value)
	}
}

func (t *tally) other(value string) {
	if t.others == nil {
		t.others = map[string]int{}
	}
	t.others[value]++
}

func (t *tally) reset() {
	for _, code := range t.met {
		t.counts[code] = 0
	}
	t.met, t.others = t.met[:0], nil
}

// facetMax is how many values of one facet a search counts out.
const facetMax = 50

// top are the most frequent values; no value is not counted.
func (t *tally) top(values []string) []snapshot.Count {
	best := topK[snapshot.Count]{n: facetMax, compare: rarer, heap: []snapshot.Count{}}
	for _, code := range t.met {
		if v := values[code]; v != "" {
			best.add(snapshot.Count{Value: v, Count: int(t.counts[code])})
		}
	}
	for v, n := range t.others {
		best.add(snapshot.Count{Value: v, Count: n})
	}
	return best.sorted()
}

// rarer orders counts from the last to the first: ties by value.
func rarer(a, b snapshot.Count) int {
	return cmp.Or(cmp.Compare(a.Count, b.Count), cmp.Compare(b.Value, a.Value))
}
