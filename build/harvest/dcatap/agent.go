package dcatap

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
)

const (
	classPerson     = foaf + "Person"
	classIndividual = vcard + "Individual"
)

// party is an agent with the texts of its names.
type party struct {
	names []source.Text
	agent catalog.Agent
	from  string
}

// publisher sets the publisher: of several the first that has a name and an
// identifier of its own, else the first that has a name.
func (m *mapper) publisher(b *source.Builder, n *node) error {
	all := n.inOrder(propPublisher)
	var best *party
	for i := range all {
		p, err := m.party(&all[i], paths[propPublisher])
		if err != nil {
			return err
		}
		if p != nil && (best == nil || best.agent.IRI == "" && p.agent.IRI != "") {
			best = p
		}
	}
	if best == nil {
		var err error
		if best, err = m.attributed(n, "publisher"); err != nil {
			return err
		}
	}
	if best != nil {
		b.PublisherAgent(best.from, best.names, best.agent)
		return nil
	}
	return m.identified(b, all)
}

// identified sets the first publisher of which the document says who it is and not what it is called.
func (m *mapper) identified(b *source.Builder, all []statement) error {
	for _, s := range all {
		if s.kind != rdf.IRI {
			continue
		}
		agent := catalog.Agent{IRI: s.value}
		n, err := m.doc.shared(s.key())
		if err != nil {
			return err
		}
		if n != nil {
			if agent, err = m.agent(n); err != nil {
				return err
			}
		}
		if b.PublisherIdentified(paths[propPublisher], agent) {
			return nil
		}
	}
	if len(all) > 0 {
		b.Refuse("publisher_name", paths[propPublisher], "the document does not say what "+all[0].value+" is called")
	}
	return nil
}

// agents sets who else had a part: the holder of the rights and the creators.
func (m *mapper) agents(b *source.Builder, n *node) error {
	for _, s := range n.inOrder(propRightsHolder) {
		p, err := m.party(&s, paths[propRightsHolder])
		if err != nil {
			return err
		}
		if p != nil {
			b.RightsHolder(p.from, p.names, p.agent)
			break
		}
	}
	if b.Draft.Entry.RightsHolder == nil {
		if owner, err := m.attributed(n, "owner"); err != nil {
			return err
		} else if owner != nil {
			b.RightsHolder(owner.from, owner.names, owner.agent)
		}
	}
	for _, s := range n.inOrder(propCreator) {
		p, err := m.party(&s, paths[propCreator])
		if err != nil {
			return err
		}
		if p != nil {
			b.Creator(p.from, p.names, p.agent)
		}
	}
	return nil
}

// attributed is the first agent with a name to whom a record is attributed in a role of ISO 19115 (GeoDCAT-AP,
// prov:qualifiedAttribution), nil for none.
func (m *mapper) attributed(n *node, role string) (*party, error) {
	for _, s := range n.inOrder(propAttribution) {
		attribution, err := m.doc.node(s.key())
		if err != nil {
			return nil, err
		}
		if attribution == nil || !slices.ContainsFunc(words(attribution.all(propRole)), func(iri string) bool {
			return strings.EqualFold(strings.TrimPrefix(source.LastSegment(iri), "CI_RoleCode_"), role)
		}) {
			continue
		}
		for _, agent := range attribution.inOrder(propAttributed) {
			if p, err := m.party(&agent, paths[propAttribution]+"/prov:agent"); err != nil || p != nil {
				return p, err
			}
		}
	}
	return nil, nil
}

// party reads an agent: a literal is its name. It is nil when it has none.
func (m *mapper) party(s *statement, path string) (*party, error) {
	if s.kind == rdf.Literal {
		return &party{names: []source.Text{{Value: s.value, Lang: s.lang}}, from: path}, nil
	}
	n, err := m.doc.shared(s.key())
	if err != nil || n == nil {
		return nil, err
	}
	p := &party{from: path + "/foaf:name"}
	for _, name := range []prop{propPrefLabel, propName, propLabel, propTitle} {
		p.names = append(p.names, texts(n, name)...)
	}
	if len(p.names) == 0 {
		p.names = texts(n, propLegalName)
	}
	if len(p.names) == 0 {
		if full := strings.TrimSpace(n.literal(propGivenName) + " " + n.literal(propFamilyName)); full != "" {
			p.names = []source.Text{{Value: full}}
		}
	}
	if len(p.names) == 0 {
		return nil, nil
	}
	p.agent, err = m.agent(n)
	return p, err
}

// agent is what an agent says of itself beside its names.
func (m *mapper) agent(n *node) (catalog.Agent, error) {
	a := catalog.Agent{HomepageURL: homepage(n), Person: n.is(classPerson) || n.is(classIndividual) || n.literal(propFamilyName) != ""}
	if n.isIRI() {
		a.IRI = n.id()
	}
	for _, t := range words(n.all(propAgentType)) {
		a.Type = source.LastSegment(t)
		break
	}
	for _, list := range [][]statement{n.all(propIdentifier), n.all(propOtherIdentifier)} {
		for i := range list {
			id, err := m.identifier(&list[i])
			if err != nil {
				return a, err
			}
			if id = source.RecordIdentifier(id); id != "" && len(a.Identifiers) < 10 {
				a.Identifiers = append(a.Identifiers, id)
			}
		}
	}
	return a, nil
}

// homepage is the address of an agent.
func homepage(n *node) string {
	for _, p := range []prop{propHomepage, propPage, propURL, propWorkPage} {
		if s := n.inOrder(p); len(s) > 0 && s[0].kind != rdf.Blank {
			return s[0].value
		}
	}
	return ""
}
