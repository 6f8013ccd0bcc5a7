package dcatap

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/iso19115"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
)

// texts are the literals of a property with their languages.
func texts(n *node, props ...prop) []source.Text {
	var out []source.Text
	for _, p := range props {
		for _, s := range n.inOrder(p) {
			if s.kind == rdf.Literal {
				out = append(out, source.Text{Value: s.value, Lang: s.lang})
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// joined puts the texts of one language together: some catalogues cut a
// description at its commas and deliver the pieces.
func joined(list []source.Text) []source.Text {
	var out []source.Text
	for _, t := range list {
		i := slices.IndexFunc(out, func(o source.Text) bool { return o.Lang == t.Lang })
		if i < 0 {
			out = append(out, t)
			continue
		}
		out[i].Value += "\n\n" + t.Value
	}
	return out
}

// names sets the name, the language and the description.
func (m *mapper) names(b *source.Builder, n *node) {
	b.Names(paths[propTitle], texts(n, propTitle, propPrefLabel, propLabel, propName)...)
	for _, t := range texts(n, propAlternative) {
		b.AlternativeTitles(paths[propAlternative], t.Value)
	}
	b.Descriptions(paths[propDescription], joined(texts(n, propDescription))...)
}

// words are the values of statements that are no blank nodes.
func words(list []statement) (out []string) {
	for _, s := range list {
		if s.kind != rdf.Blank && strings.TrimSpace(s.value) != "" {
			out = append(out, s.value)
		}
	}
	return out
}

// pick chooses one of several texts: in the language of the record, else
// without a tag, else in English, else the first, what a machine translated
// last.
func pick(list []source.Text, lang string) string {
	best, points := "", 0
	for _, t := range list {
		tag, ok := source.Language(t.Lang)
		p := 2
		switch {
		case source.MachineTranslated(t.Lang):
			p = 1
		case ok && tag == lang:
			p = 5
		case !ok:
			p = 4
		case strings.HasPrefix(tag, "en"):
			p = 3
		}
		if p > points && strings.TrimSpace(t.Value) != "" {
			best, points = t.Value, p
		}
	}
	return best
}

// label is what an object is called: a literal, the label of its node, else its
// IRI.
func (m *mapper) label(s *statement, lang string, props ...prop) (string, error) {
	if s.kind == rdf.Literal {
		return s.value, nil
	}
	n, err := m.doc.shared(s.key())
	if err != nil {
		return "", err
	}
	if n != nil {
		if text := pick(texts(n, props...), lang); text != "" {
			return text, nil
		}
	}
	if s.kind == rdf.IRI && !catalog.Skolem(s.value) {
		return s.value, nil
	}
	return "", nil
}

// contact sets the contact point: the first address of all that is no person's,
// else a page.
func (m *mapper) contact(b *source.Builder, n *node) error {
	const mailPath, pagePath = "dcat:contactPoint/vcard:hasEmail", "dcat:contactPoint/vcard:hasURL"
	page, refused := "", [][]string{}
	for _, s := range n.all(propContactPoint) {
		mails, names, pages, err := m.contactPoint(&s)
		if err != nil {
			return err
		}
		if page == "" && len(pages) > 0 {
			page = pages[0]
		}
		all := strings.Join(mails, " ")
		if slices.ContainsFunc(source.Mails(all), func(mail string) bool { return !b.Personal(mail, names...) }) {
			b.Contact(mailPath, all, names...)
			return nil
		}
		refused = append(refused, append([]string{all}, names...))
	}
	if page != "" {
		b.Contact(pagePath, page)
		return nil
	}
	if len(refused) > 0 {
		b.Contact(mailPath, refused[0][0], refused[0][1:]...)
	}
	return nil
}

// contactPoint reads whom a contact point reaches, and how.
func (m *mapper) contactPoint(s *statement) (mails, names, pages []string, err error) {
	if s.kind == rdf.Literal {
		return []string{s.value}, nil, nil, nil
	}
	point, err := m.doc.shared(s.key())
	if err != nil || point == nil {
		return nil, nil, nil, err
	}
	for _, t := range texts(point, propName, propLabel) {
		names = append(names, t.Value)
	}
	if err := m.reach(point, propMail, &mails); err != nil {
		return nil, nil, nil, err
	}
	if err := m.reach(point, propURL, &pages); err != nil {
		return nil, nil, nil, err
	}
	return mails, names, pages, nil
}

// reach adds the addresses that a contact point has in a property, some of them
// in a node of their own (vcard:hasValue).
func (m *mapper) reach(point *node, p prop, out *[]string) error {
	for _, s := range point.all(p) {
		address := s.value
		if s.kind == rdf.Blank {
			n, err := m.doc.node(s.key())
			if err != nil {
				return err
			}
			if n == nil {
				continue
			}
			address = value(n, propValue)
		}
		*out = append(*out, strings.TrimPrefix(address, "mailto:"))
	}
	return nil
}

// themes sets the EU data themes and the categories of high-value datasets.
// Themes of other vocabularies count by their labels and are kept as subjects.
func (m *mapper) themes(b *source.Builder, n *node) error {
	var known, others []string
	for _, s := range append(slices.Clone(n.all(propTheme)), n.all(propSubject)...) {
		known = append(known, iso19115.Themes(s.value)...)
		if s.kind == rdf.IRI && strings.Contains(s.value, "/authority/data-theme/") {
			iri, _, _ := strings.Cut(s.value, "#")
			known = append(known, iri)
			continue
		}
		text, err := m.label(&s, "en", propPrefLabel, propLabel)
		if err != nil {
			return err
		}
		known = append(known, text)
		if s.kind == rdf.IRI && !catalog.Skolem(s.value) {
			text = s.value
		}
		others = append(others, text)
	}
	b.Themes(paths[propTheme], known...)
	b.Subjects(paths[propTheme], others...)
	b.HVD(paths[propHVD], words(n.all(propHVD))...)
	return nil
}

// statements sets what is one value or IRI each: who may have the data, the
// standards and the persistent identifiers.
func (m *mapper) statements(b *source.Builder, n *node) error {
	var rights []string
	for _, s := range append(slices.Clone(n.all(propAccessRights)), n.all(propRights)...) {
		if s.kind == rdf.IRI && (s.prop == propAccessRights || ofAccess(s.value)) {
			rights = append(rights, s.value)
		}
		text, err := m.label(&s, "en", propPrefLabel, propLabel, propTitle)
		if err != nil {
			return err
		}
		if s.prop == propAccessRights || ofAccess(text) {
			rights = append(rights, text)
		}
	}
	b.AccessRights(paths[propAccessRights], rights...)
	var standards []string
	for _, s := range n.all(propConformsTo) {
		text := s.value
		if s.kind == rdf.Blank || catalog.Skolem(s.value) {
			var err error
			if text, err = m.label(&s, "en", propTitle, propLabel, propPrefLabel); err != nil {
				return err
			}
		}
		standards = append(standards, text)
	}
	b.ConformsTo(paths[propConformsTo], standards...)
	ids := words(n.all(propIdentifier))
	for _, s := range n.all(propOtherIdentifier) {
		id, err := m.identifier(&s)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	if n.isIRI() {
		ids = append(ids, n.id())
	}
	b.Identifiers(paths[propOtherIdentifier], ids...)
	return nil
}

// identifier is the notation of an adms:Identifier, else the value itself.
func (m *mapper) identifier(s *statement) (string, error) {
	if s.kind == rdf.Literal {
		return s.value, nil
	}
	n, err := m.doc.node(s.key())
	if err != nil {
		return "", err
	}
	if n != nil {
		if text := n.literal(propNotation); text != "" {
			return text, nil
		}
	}
	if s.kind == rdf.IRI {
		return s.value, nil
	}
	return "", nil
}

// keywords sets the keywords and tags.
func (m *mapper) keywords(b *source.Builder, n *node) {
	b.Keywords(paths[propKeyword], texts(n, propKeyword)...)
}

// address sets the first usable one of some addresses. If none is, the first is
// refused.
func (m *mapper) address(b *source.Builder, dst *string, field string, n *node, p prop) bool {
	rules := source.URLRules{Base: m.doc.base, AllowPrivate: m.in.AllowPrivate}
	first := ""
	for _, s := range n.inOrder(p) {
		if s.kind == rdf.Blank || strings.TrimSpace(s.value) == "" {
			continue
		}
		if _, _, err := rules.Repair(field, s.value); err == nil {
			return b.URL(dst, field, paths[p], s.value)
		}
		if first == "" {
			first = s.value
		}
	}
	return b.URL(dst, field, paths[p], first)
}

// dates sets the dates of issue and change; of several, the earliest issue and
// the latest change.
func (m *mapper) dates(b *source.Builder, n *node) {
	b.Dates(paths[propIssued], n.literal(propIssued), paths[propModified], n.last(propModified))
}
