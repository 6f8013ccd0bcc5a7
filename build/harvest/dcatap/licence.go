package dcatap

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
)

// licenceNames are the properties by which a document says what a licence is called.
var licenceNames = []prop{propPrefLabel, propLabel, propTitle, propName, propIdentifier, propSource, propDescription}

// licence is the licence of a node: its IRI, else what it is called; without one, the statement of rights, unless that
// says who may have the data; without both, the policy (ODRL), else the terms that are set for the parts of it.
func (m *mapper) licence(n *node, lang string) (raw string, from prop, err error) {
	for _, p := range []prop{propLicense, propRights, propPolicy} {
		for _, s := range n.all(p) {
			if s.kind == rdf.IRI && s.value == m.doc.base {
				continue // what an empty reference becomes
			}
			text := s.value
			if s.kind != rdf.IRI {
				if text, err = m.licenceText(&s, lang); err != nil {
					return "", p, err
				}
			}
			if p == propRights && ofAccess(text) || strings.TrimSpace(text) == "" {
				continue
			}
			if s.kind != rdf.Literal {
				err = m.describe(&s, text)
			}
			return text, p, err
		}
	}
	raw, err = m.termsOfParts(n)
	return raw, propLicense, err
}

// ofAccess tells that a statement of rights says who may have the data, and nothing else. One word for "open" may be
// said of the licence, too.
func ofAccess(text string) bool {
	rights, ok := source.AccessRights(text)
	text = strings.TrimSpace(text)
	return ok && (rights != catalog.RightsPublic || strings.Contains(text, "://") || strings.Contains(text, " ") || strings.EqualFold(text, "public"))
}

// licenceText is what a licence without an IRI says of itself: what it is called, else the address that it names.
func (m *mapper) licenceText(s *statement, lang string) (string, error) {
	text, err := m.label(s, lang, licenceNames...)
	if err != nil || strings.TrimSpace(text) != "" || s.kind == rdf.Literal {
		return text, err
	}
	n, err := m.doc.node(s.key())
	if err != nil || n == nil {
		return "", err
	}
	for _, p := range addressesOfLicence {
		if address := value(n, p); address != "" {
			return address, nil
		}
	}
	return "", nil
}

// licenceFormsMax is how many licences of a document are remembered by their names.
const licenceFormsMax = 1000

// addressesOfLicence are the properties by which a document says where the text of a licence is.
var addressesOfLicence = []prop{propSource, propPage, propHomepage, propURL, propAccessURL}

// describe remembers what the document says of a licence that is shown by its IRI or by what it is called.
func (m *mapper) describe(s *statement, shown string) error {
	if _, seen := m.licenceForms[shown]; seen || len(m.licenceForms) >= licenceFormsMax || catalog.Skolem(shown) {
		return nil
	}
	n, err := m.doc.shared(s.key())
	if err != nil {
		return err
	}
	var forms []string
	if n != nil {
		for _, p := range addressesOfLicence {
			forms = append(forms, words(n.inOrder(p))...)
		}
		for _, p := range licenceNames {
			for _, t := range texts(n, p) {
				if len(t.Value) <= catalog.RawLicenceMax {
					forms = append(forms, t.Value)
				}
			}
		}
	}
	if m.licenceForms == nil {
		m.licenceForms = map[string][]string{}
	}
	m.licenceForms[shown] = forms
	return nil
}

// namesOf are what the document says of some licences, nil for nothing.
func (m *mapper) namesOf(licences ...string) map[string][]string {
	var names map[string][]string
	for _, l := range licences {
		if forms := m.licenceForms[l]; len(forms) > 0 {
			if names == nil {
				names = map[string][]string{}
			}
			names[l] = forms
		}
	}
	return names
}

// nothingToLicense begin the IRIs that say that a part needs no licence, or what data it holds.
var nothingToLicense = []string{"https://data.gov.cz/podmínky-užití/", "https://data.gov.sk/def/"}

// termsOfParts are the licences of the works in a file and of the database (Czechia and Slovakia set terms for
// each). What says that there is nothing to license is no licence; without any it is the statement itself.
func (m *mapper) termsOfParts(n *node) (string, error) {
	var licences, others []string
	for _, s := range n.inOrder(propTermsOfUse) {
		terms, err := m.doc.node(s.key())
		if err != nil {
			return "", err
		}
		if terms == nil {
			continue
		}
		for _, iri := range words(terms.inOrder(propTermsOfPart)) {
			list := &licences
			if slices.ContainsFunc(nothingToLicense, func(p string) bool { return strings.HasPrefix(iri, p) }) {
				list = &others
			}
			if !slices.Contains(*list, iri) {
				*list = append(*list, iri)
			}
		}
	}
	if len(licences) == 0 {
		licences = others
	}
	return strings.Join(licences, ", "), nil
}
