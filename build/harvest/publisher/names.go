package publisher

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/translit"
)

// acronymMax is the length of the longest acronym, in characters.
const acronymMax = 6

// digraphs writes the letters of German and the Scandinavian languages that
// folding turns into plain vowels the way people write them without them.
var digraphs = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "å", "aa", "ø", "oe", "æ", "ae")

// nameKind says how a name leads to an institution, the surest last.
type nameKind int

const (
	kindAcronym nameKind = iota
	kindLatin
	kindAlias
	kindName
)

var nameTexts = map[nameKind]string{
	kindName: "exact name", kindAlias: "known alias", kindLatin: "name in plain Latin letters", kindAcronym: "acronym",
}

// nameIndex finds institutions by their folded names.
type nameIndex map[string][]hit

// hit is an institution under a name.
type hit struct {
	institution int32
	kind        nameKind
}

// add files an institution under its names, their readings in Latin letters,
// its acronyms and its aliases.
func (x nameIndex) add(i int32, inst *catalog.Institution, aliases []string) {
	x.addName(i, inst.Name, kindName)
	x.addName(i, inst.NameEn, kindName)
	for _, name := range inst.Names {
		x.addName(i, name, kindName)
	}
	for _, a := range slices.Concat(aliases, inst.Aliases) {
		if isAcronym(a) {
			x.file(a, hit{i, kindAcronym})
			continue
		}
		x.addName(i, a, kindAlias)
	}
	folded := search.Fold(inst.Name)
	for _, latin := range []string{translit.ASCIIFor(inst.Name, inst.NativeLang), digraphs.Replace(strings.ToLower(inst.Name))} {
		if latin = search.Fold(latin); latin != folded {
			x.addName(i, latin, kindLatin)
		}
	}
	if _, handle, ok := strings.Cut(inst.Key, "-"); ok && inst.State != catalog.InstitutionStated && len(handle) >= 3 && !strings.Contains(handle, "-") {
		x.file(handle, hit{i, kindAcronym})
	}
}

// addName files one name. What stands in brackets is an acronym of it.
func (x nameIndex) addName(i int32, name string, kind nameKind) {
	outside, inside := brackets(name)
	x.file(name, hit{i, kind})
	x.file(outside, hit{i, kind})
	for _, text := range inside {
		x.file(text, hit{i, kindAcronym})
	}
}

func (x nameIndex) file(name string, h hit) {
	if key := keyOf(wordsOf(search.Fold(name))); len(key) >= 2 && !slices.Contains(x[key], h) {
		x[key] = append(x[key], h)
	}
}

// keyOf is a name without its articles and prepositions, which people leave
// out.
func keyOf(words []string) string { return strings.Join(meaningful(words), " ") }

// hits are the institutions that a name fits best.
type hits struct {
	rank     int
	list     []int32
	evidence string
}

// merge adds what fits as well.
func (h *hits) merge(more hits) {
	for _, i := range more.list {
		if !slices.Contains(h.list, i) {
			h.list = append(h.list, i)
		}
	}
}

// lookUp finds the institutions that all names of a reading mean, those of the
// country before bodies of the Union and the United Nations, and these before
// bodies of a country that nobody states.
func (m *Matcher) lookUp(r reading, q *Query) hits {
	var all hits
	for n, name := range r.names {
		found := m.named(name, r.country, q)
		switch {
		case n == 0:
			all = found
		case found.rank == 0:
			return hits{}
		default:
			all.list = slices.DeleteFunc(all.list, func(i int32) bool { return !slices.Contains(found.list, i) })
		}
		if len(all.list) == 0 {
			return hits{}
		}
	}
	return all
}

func (m *Matcher) named(name name, country string, q *Query) hits {
	var best hits
	if q.Country != "" {
		country = q.Country
	}
	for _, h := range m.names[keyOf(name.words)] {
		inst := m.institutions[h.institution]
		rank := m.rank(inst, h.kind, country, q)
		switch {
		case rank == 0 || rank < best.rank:
		case rank > best.rank:
			best = hits{rank: rank, list: []int32{h.institution}, evidence: nameTexts[h.kind] + " “" + name.text + "”"}
		default:
			best.merge(hits{list: []int32{h.institution}})
		}
	}
	return best
}

// rank says how well a name fits by the country, 0 for not at all: the same
// name in another country is another body, and so is the national body of a
// name in a local catalogue unless its own host speaks for it. What a catalogue
// stated is meant by a whole name only, so that a second harvest finds what the
// first one did.
func (m *Matcher) rank(inst *catalog.Institution, kind nameKind, country string, q *Query) int {
	short := kind == kindAcronym
	switch {
	case inst.State == catalog.InstitutionStated && (inst.SourceID != q.Source || !inst.Managed && !calledWhole(inst, q.Names)), contradicts(inst, q):
		return 0
	case q.Local && !local(inst) && inst.State != catalog.InstitutionStated && !m.serves(inst, q.Hosts) && !speaksOfCountry(q.Names, inst.CountryCode):
		return 0
	case inst.CountryCode == country && country != "":
		return 30 + int(kind)
	case supranational(inst.CountryCode) && (!short || supranational(country)):
		return 20 + int(kind)
	case (country == "" || supranational(country)) && !short:
		return 10 + int(kind)
	case inst.State == catalog.InstitutionStated:
		return 1 + int(kind)
	}
	return 0
}

// calledWhole tells that a body is called exactly as one of the names.
func calledWhole(inst *catalog.Institution, names []string) bool {
	for _, n := range names {
		folded := search.Fold(n)
		if folded == search.Fold(inst.Name) {
			return true
		}
		for _, own := range inst.Names {
			if folded == search.Fold(own) {
				return true
			}
		}
	}
	return false
}

// contradicts tells whether a register has the two under different numbers:
// towns of one name are not one town. Numbers of establishments only tell where
// a body works.
func contradicts(inst *catalog.Institution, q *Query) bool {
	for _, raw := range q.Identifiers {
		id, ok := reference.BodyIdentifier(raw)
		if !ok || strings.Contains(id, "EstablishmentUnit") {
			continue
		}
		for _, own := range inst.Identifiers {
			if own != id && reference.Register(own) == reference.Register(id) {
				return true
			}
		}
	}
	return false
}

// serves tells whether one of the hosts lies under a domain of the institution.
func (m *Matcher) serves(inst *catalog.Institution, hosts []string) bool {
	return slices.ContainsFunc(hosts, func(host string) bool {
		key, _, ok := m.domains.Owner(host)
		return ok && key == inst.Key
	})
}

func supranational(country string) bool { return country == "EU" || country == "UN" }

// isAcronym tells whether a name is one short word, which bodies of several
// countries may share.
func isAcronym(name string) bool {
	return utf8.RuneCountInString(name) <= acronymMax && !strings.ContainsAny(name, " -")
}
