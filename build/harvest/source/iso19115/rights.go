package iso19115

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-register/assay/build/harvest/source/xmltree"
	"github.com/assay-register/assay/render/catalog"
)

// constraints are what a record says about who may have and use the resource.
type constraints struct {
	// access and use are codes of MD_RestrictionCode, security those of
	// MD_ClassificationCode.
	access, use, security []string
	// others belong to the codes of access, to those of use, or to both.
	others, limitations []value
}

func (r *record) constraints() constraints {
	var c constraints
	for _, e := range r.ident.All("resourceConstraints", "*") {
		c.access = append(c.access, codes(e, "accessConstraints")...)
		c.use = append(c.use, codes(e, "useConstraints")...)
		c.security = append(c.security, codes(e, "classification")...)
		c.others = append(c.others, r.values(e, "otherConstraints")...)
		for _, ref := range e.All("reference", "CI_Citation") {
			v := r.first(ref, "title")
			if v.iri == "" {
				v.iri = r.first(ref, "onlineResource", "CI_OnlineResource", "linkage").text()
			}
			c.others = append(c.others, v)
		}
		c.limitations = append(c.limitations, r.values(e, "useLimitation")...)
	}
	return c
}

func codes(e *xmltree.Node, property string) []string {
	var out []string
	for _, p := range e.All(property) {
		out = append(out, words(p)...)
	}
	return out
}

// inspireAccess and inspireUse are code lists of the INSPIRE registry.
const (
	inspireAccess = "/metadata-codelist/limitationsonpublicaccess/"
	inspireUse    = "/metadata-codelist/conditionsapplyingtoaccessanduse/"
	euAccess      = "/authority/access-right/"
)

// accessRights is what the record says of who may have the resource, and by
// which statement: the code list of INSPIRE or of the EU, else the codes of the
// standard, else the words with which "no limitations" is written.
func (c *constraints) accessRights() (rights catalog.AccessRights, from string) {
	for _, v := range c.others {
		iri := strings.ToLower(v.iri)
		if _, code, ok := strings.Cut(iri, euAccess); ok {
			right := catalog.AccessRights(strings.ToUpper(code))
			if slices.Contains(catalog.AccessRightsValues(), right) {
				return right, "otherConstraints"
			}
		}
		if _, code, ok := strings.Cut(iri, inspireAccess); ok {
			if code == "nolimitations" {
				return catalog.RightsPublic, "otherConstraints"
			}
			return catalog.RightsRestricted, "otherConstraints"
		}
	}
	if right := byCode(c.security); right != "" {
		return right, "classification"
	}
	if right := byCode(c.access); right != "" {
		return right, "accessConstraints"
	}
	if len(c.access) == 0 {
		return "", ""
	}
	for _, v := range c.others {
		for _, t := range v.texts {
			if slices.Contains(noLimitations, letters(t.Value)) {
				return catalog.RightsPublic, "otherConstraints"
			}
		}
	}
	return "", ""
}

// byCode is the access right of codes of MD_ClassificationCode and
// MD_RestrictionCode; the narrowest counts. Codes about licences say nothing
// about who gets the resource.
func byCode(words []string) catalog.AccessRights {
	var right catalog.AccessRights
	for _, w := range words {
		switch strings.ToLower(w) {
		case "secret", "topsecret", "confidential", "private", "in-confidence":
			return catalog.RightsNonPublic
		case "restricted", "statutory", "sensitivebutunclassified", "forofficialuseonly", "protected", "limiteddistribution":
			right = catalog.RightsRestricted
		case "unrestricted":
			if right == "" {
				right = catalog.RightsPublic
			}
		}
	}
	return right
}

// noLimitations are the words, letters only, in which records say that everyone
// may have the resource: those of the INSPIRE code list in the languages that
// are common, and what editors write for them.
var noLimitations = []string{"nolimitations", "nolimitationstopublicaccess", "nolimitationsonpublicaccess", "nolimitationsapply",
	"esgeltenkeinezugriffsbeschränkungen", "esgeltenkeinezugangsbeschränkungen", "keinebeschränkungdesöffentlichenzugangs", "keinezugangsbeschränkungen",
	"pasderestrictiondaccèspublic", "pasderestrictiondaccèspublicselonlinspire", "pasderestrictionsdaccèspublic",
	"geenbeperkingen", "geenbeperkingenopdepubliekelijketoegang", "nessunalimitazioneallaccessopubblico", "nessunalimitazione",
	"nohaylimitaciones", "sinlimitacionesalaccesopúblico", "unrestricted"}

// letters is a text in small letters without anything else.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// nothing are texts, letters only, that state no conditions.
var nothing = append([]string{"", "none", "no", "null", "na", "keine", "aucun", "aucune", "nessuna", "nessuno", "geen", "unknown", "unbekannt", "inconnu",
	"conditionsunknown", "conditionsapplyingtoaccessanduseunknown", "otherrestrictions",
	"lesconditionssappliquantàlaccèsetàlutilisationsontinconnues",
	"nolimitation"}, noLimitations...)

// noConditions are texts, letters only, which say that nothing is asked of who
// uses the resource: a statement, if no licence is named.
var noConditions = []string{"noconditionsapply", "noconditionsapplytoaccessanduse", "norestrictions", "esgeltenkeinebedingungen", "keineeinschränkungen",
	"aucuneconditionnesapplique", "aucunerestriction", "nessunarestrizione", "nessunacondizione", "geenvoorwaarden"}

// licence are the statements, the best first, under which the resource may be used: an anchor or
// address first, then a text that speaks of a licence, then any other text of
// the same place. Statements about who may have it are none.
func (c *constraints) licence() (raw []string, from string) {
	var best []string
	points := 0
	for _, group := range []struct {
		from string
		list []value
	}{{"otherConstraints", c.others}, {"useLimitation", c.limitations}} {
		for i := range group.list {
			v := &group.list[i]
			text, p := v.text(), 0
			free := slices.Contains(noConditions, letters(text)) || strings.HasSuffix(strings.ToLower(v.iri), inspireUse+"noconditionsapply")
			iri := strings.ToLower(v.iri)
			switch {
			case free && text != "":
				p = 1
			case strings.Contains(iri, inspireAccess), strings.Contains(iri, inspireUse), strings.Contains(iri, euAccess):
				continue
			case strings.Contains(v.iri, "://"):
				text, p = v.iri, 5
			case slices.Contains(nothing, letters(text)):
				continue
			case speaksOfLicence(text):
				p = 4
			case group.from == "otherConstraints" && slices.ContainsFunc(c.use, licensed):
				p = 3
			default:
				p = 2
			}
			if p > points {
				best, points, from = nil, p, group.from
			}
			if p == points {
				best = append(best, text)
			}
		}
	}
	slices.SortStableFunc(best, func(a, b string) int { return cmp.Compare(generic(a), generic(b)) })
	return best, from
}

// generic is 0 for the address of a licence that has a text of its own and 1 for
// any other: terms of a portal often stand beside the licence that they lead to.
func generic(raw string) int {
	s := strings.ToLower(raw)
	for _, home := range []string{"creativecommons.org/", "/authority/licence/", "opendatacommons.org/", "spdx.org/licenses/", "govdata.de/dl-de/", "etalab.gouv.fr/licence"} {
		if strings.Contains(s, home) {
			return 0
		}
	}
	return 1
}

func licensed(code string) bool { return code == "license" || code == "otherRestrictions" }

// speaksOfLicence tells that a text names a licence or links to one.
func speaksOfLicence(raw string) bool {
	s := strings.ToLower(raw)
	for _, word := range []string{"licen", "lizenz", "licentie", "://", "cc-", "cc by", "cc0", "dl-de", "odbl", "creative commons", "opendata", "open data"} {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}
