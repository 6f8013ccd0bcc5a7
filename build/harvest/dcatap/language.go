package dcatap

import (
	"cmp"
	"slices"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/build/reference"
)

// spoken are the languages that a node states, as it states them: codes, IRIs and names; of a dct:LinguisticSystem that
// has no IRI of a known table, what the document calls it.
func (m *mapper) spoken(n *node) (said []string, err error) {
	for _, s := range n.inOrder(propLanguage) {
		if s.kind == rdf.Literal || len(source.LanguageTags([]string{s.value})) > 0 {
			said = append(said, s.value)
			continue
		}
		system, err := m.doc.shared(s.key())
		if err != nil {
			return nil, err
		}
		if system == nil {
			continue
		}
		for _, p := range []prop{propNotation, propIdentifier, propValue, propPrefLabel, propLabel, propTitle} {
			if names := texts(system, p); len(names) > 0 {
				said = append(said, names[0].Value)
				break
			}
		}
	}
	return said, nil
}

// language is the language of texts without a tag: that of the record, else
// that of the catalogue (DCAT 3, section 6.4.9: the language of the resource
// and of what describes it), if only one is declared; else that of the source.
func (m *mapper) language(spoken []string) string {
	switch tags := source.LanguageTags(spoken); len(tags) {
	case 0:
		return cmp.Or(m.lang, m.in.Language())
	case 1:
		return tags[0]
	}
	return ""
}

// preferred are the languages in which the original is looked for: those of the
// record, of several first the official ones of the country in their order, and
// then the first one of the catalogue.
func (m *mapper) preferred(spoken []string) []string {
	own := source.LanguageTags(spoken)
	if len(own) > 1 {
		official := reference.OfficialLanguages(m.in.Source.CountryCode)
		rank := func(tag string) int {
			if i := slices.Index(official, tag); i >= 0 {
				return i
			}
			return len(official)
		}
		slices.SortStableFunc(own, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	}
	return append(own, m.languages[:min(len(m.languages), 1)]...)
}
