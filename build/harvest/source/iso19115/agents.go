package iso19115

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// agents sets the publisher, the rights holder, the creators and the contact.
func (m *mapper) agents() {
	resource, metadata := m.parties()
	if p, role := publisher(resource, metadata); p != nil {
		m.b.PublisherAgent(p.from+"["+role+"]", p.name.texts, p.agent())
	}
	for i := range resource {
		p := &resource[i]
		if (p.is("owner") || p.is("rightsHolder")) && m.b.Draft.Entry.RightsHolder == nil {
			m.b.RightsHolder(p.from+"[owner]", p.name.texts, p.agent())
		}
		if p.is("author") || p.is("originator") || p.is("principalInvestigator") {
			m.b.Creator(p.from+"[author, originator]", p.name.texts, p.agent())
		}
	}
	m.contact(resource, metadata)
}

// agent is what a record states of a party beside its name.
func (p *party) agent() catalog.Agent {
	a := catalog.Agent{HomepageURL: p.home}
	if strings.Contains(p.iri, "://") {
		a.IRI = p.iri
	}
	return a
}

// contact sets how to reach one of the parties, the points of contact of the
// resource first and those of the metadata last: the first address of a
// function, else the first page.
func (m *mapper) contact(resource, metadata []party) {
	order := slices.Clone(resource)
	slices.SortStableFunc(order, func(a, b party) int { return rank(&a) - rank(&b) })
	order = append(order, metadata...)
	reached := func(p party) bool {
		return slices.ContainsFunc(p.mails, func(raw string) bool {
			return slices.ContainsFunc(source.Mails(raw), func(mail string) bool { return !m.b.Personal(mail, p.person) })
		})
	}
	at := slices.IndexFunc(order, reached)
	if at < 0 {
		at = slices.IndexFunc(order, func(p party) bool { return p.home != "" })
	}
	if at < 0 {
		at = slices.IndexFunc(order, func(p party) bool { return len(p.mails) > 0 })
	}
	if at >= 0 {
		p := order[at]
		m.b.ContactOf(p.from+"/contactInfo", p.person, p.home, p.mails...)
	}
}

func rank(p *party) int {
	if p.is("pointOfContact") {
		return 0
	}
	return 1
}

// rights sets who may have the resource, and under which terms.
func (m *mapper) rights() {
	c := m.constraints()
	if right, from := c.accessRights(); right != "" {
		m.b.Draft.Entry.AccessRights = right
		m.b.Remark("access_rights", "resourceConstraints/"+from, "mapped to the EU access-right table", "")
	}
	if raw, from := c.licence(); len(raw) > 0 {
		m.b.Licence("resourceConstraints/"+from, raw...)
	}
}

// subjects sets keywords and themes.
func (m *mapper) subjects() {
	s := m.subject()
	m.b.Keywords("descriptiveKeywords/keyword", s.keywords...)
	m.b.Themes("topicCategory, descriptiveKeywords[INSPIRE themes]", s.themes...)
	m.b.HVD("descriptiveKeywords[high-value dataset categories]", s.hvd...)
	m.b.Subjects("topicCategory, descriptiveKeywords/keyword", s.concepts...)
	m.b.ConformsTo("dataQualityInfo/report", m.conforms()...)
}

// conforms are the specifications to which the record says that the resource
// conforms.
func (m *mapper) conforms() []string {
	var out []string
	for _, result := range m.root.All("dataQualityInfo", "DQ_DataQuality", "report", "*", "result", "DQ_ConformanceResult") {
		pass := strings.TrimSpace(result.First("pass", "Boolean").Text)
		title := m.first(result, "specification", "CI_Citation", "title").iriOrText()
		if pass != "true" && pass != "1" || title == "" {
			continue
		}
		out = append(out, title)
	}
	return out
}

// relations leads to the datasets that a service serves, and to what the
// resource is a part of.
func (m *mapper) relations() {
	add := func(kind catalog.RelationKind, upstream string, list []coupled) {
		for _, c := range list {
			m.b.Relate(kind, m.o.In.Host(m.o.Kind), m.o.Kind, c.id, c.title)
		}
		if len(list) > 0 {
			m.b.Remark("relations", upstream, "", "")
		}
	}
	if m.service() {
		add(catalog.RelationServes, "operatesOn, coupledResource", m.serves())
	}
	add(catalog.RelationSeries, "parentIdentifier", m.parents())
}
