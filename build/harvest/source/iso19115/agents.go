package iso19115

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// agents sets the publisher, the rights holder, the creators and the contact.
func (m *mapper) agents() {
	resource, metadata := m.parties()
	e := &m.b.Draft.Entry
	if p, role := publisher(resource, metadata); p != nil {
		name := p.name.in(m.b.DefaultLang)
		m.b.Publisher(p.from+"["+role+"]", name, p.home)
		e.Publisher = m.agent(p)
	}
	for i := range resource {
		p := &resource[i]
		switch {
		case p.name.text() == "":
		case (p.is("owner") || p.is("rightsHolder")) && e.RightsHolder == nil:
			e.RightsHolder = m.agent(p)
			m.b.Remark("rights_holder", p.from+"[owner]", "", "")
		case (p.is("author") || p.is("originator") || p.is("principalInvestigator")) && len(e.Creators) < catalog.TagsMax:
			if a := m.agent(p); !slices.ContainsFunc(e.Creators, func(o catalog.Agent) bool { return o.Names[firstTag(o)] == a.Names[firstTag(*a)] }) {
				e.Creators = append(e.Creators, *a)
			}
		}
	}
	if len(e.Creators) > 0 {
		m.b.Remark("creators", "pointOfContact[author, originator]", "", "")
	}
	m.contact(resource, metadata)
}

func firstTag(a catalog.Agent) string { return firstOf(a.Names.Tags()) }

// agent is a party as the record states it.
func (m *mapper) agent(p *party) *catalog.Agent {
	a := &catalog.Agent{Names: catalog.Texts{}}
	for _, t := range p.name.texts {
		line, _ := source.Line(t.Value)
		line, _ = source.Cut(line, catalog.NameMax)
		tag, ok := source.Language(t.Lang)
		if !ok {
			tag = catalog.Undetermined
		}
		if _, there := a.Names[tag]; !there && line != "" {
			a.Names[tag] = line
		}
	}
	if strings.Contains(p.iri, "://") && len(p.iri) <= catalog.URLMax {
		a.IRI = p.iri
	}
	rules := source.URLRules{AllowPrivate: m.o.In.AllowPrivate}
	if u, _, err := rules.Repair("homepage_url", p.home); err == nil {
		a.HomepageURL = u
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
			return slices.ContainsFunc(source.Mails(raw), func(m string) bool { return source.FunctionOf(p.person, m) })
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
	e := &m.b.Draft.Entry
	var own []string
	for _, t := range s.keywords {
		if t.Lang == "" || t.Lang == e.NativeLang || strings.HasPrefix(t.Lang, "en") {
			own = append(own, t.Value)
		}
	}
	m.b.Tags("descriptiveKeywords/keyword", own...)
	m.b.Themes("topicCategory, descriptiveKeywords[INSPIRE themes]", s.themes...)
	m.b.HVD("descriptiveKeywords[high-value dataset categories]", s.hvd...)
	for _, c := range s.concepts[:min(len(s.concepts), catalog.TagsMax)] {
		if c, _ = source.Line(c); len(c) <= catalog.URLMax {
			e.Subjects = append(e.Subjects, c)
		}
	}
	if len(e.Subjects) > 0 {
		m.b.Remark("subjects", "topicCategory, descriptiveKeywords/keyword", "", "")
	}
	for _, spec := range m.conforms() {
		e.ConformsTo = append(e.ConformsTo, spec)
	}
	if len(e.ConformsTo) > 0 {
		m.b.Remark("conforms_to", "dataQualityInfo/report", "", "")
	}
}

// conforms are the specifications to which the record says that the resource
// conforms.
func (m *mapper) conforms() []string {
	var out []string
	for _, result := range m.root.All("dataQualityInfo", "DQ_DataQuality", "report", "*", "result", "DQ_ConformanceResult") {
		pass := strings.TrimSpace(result.First("pass", "Boolean").Text)
		title := m.first(result, "specification", "CI_Citation", "title").iriOrText()
		if pass != "true" && pass != "1" || title == "" || slices.Contains(out, title) || len(out) == catalog.TagsMax {
			continue
		}
		title, _ = source.Line(title)
		title, _ = source.Cut(title, catalog.NameMax)
		out = append(out, title)
	}
	return out
}

// relations leads to the datasets that a service serves, and to what the
// resource is a part of.
func (m *mapper) relations() {
	e := &m.b.Draft.Entry
	add := func(kind catalog.RelationKind, upstream string, list []coupled) {
		kept := list[:min(len(list), catalog.ListMax-len(e.Relations))]
		for _, c := range kept {
			title, _ := source.Line(c.title)
			title, _ = source.Cut(title, catalog.NameMax)
			e.Relations = append(e.Relations, catalog.Relation{Kind: kind, Ref: m.o.In.Host(m.o.Kind) + ":" + m.o.Kind + ":" + c.id, Title: title})
		}
		if len(kept) > 0 {
			note := ""
			if len(list) > len(kept) {
				note = fmt.Sprintf("the first %d of %d", len(kept), len(list))
			}
			m.b.Remark("relations", upstream, "", note)
		}
	}
	if m.service() {
		add(catalog.RelationServes, "operatesOn, coupledResource", m.serves())
	}
	add(catalog.RelationSeries, "parentIdentifier", m.parents())
}
