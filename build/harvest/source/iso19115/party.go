package iso19115

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

// party is an organisation or person with what it has to do with the resource.
type party struct {
	roles  []string
	name   value
	iri    string
	person string
	mails  []string
	home   string
	// from is where it stands in the record.
	from string
}

func (p *party) is(role string) bool { return slices.Contains(p.roles, role) }

// parties are those of the resource: its contacts, those of its citation and
// its distributors; then those of the metadata, which speak for the resource
// only when nobody else does.
func (r *record) parties() (resource, metadata []party) {
	distribution := []string{"distributionInfo", "MD_Distribution", "distributor", "MD_Distributor", "distributorContact"}
	for _, at := range []struct {
		n    *xmltree.Node
		path []string
		role string
	}{
		{r.ident, []string{"pointOfContact"}, ""}, {r.ident, []string{"citation", "CI_Citation", "citedResponsibleParty"}, ""},
		{r.root, distribution, "distributor"},
	} {
		resource = append(resource, r.partiesAt(at.n, at.path, at.role)...)
	}
	return resource, r.partiesAt(r.root, []string{"contact"}, "")
}

func (r *record) partiesAt(n *xmltree.Node, path []string, role string) []party {
	var out []party
	for _, e := range n.All(append(slices.Clone(path), "*")...) {
		if list := r.party(e); len(list) > 0 {
			for i := range list {
				list[i].from = path[len(path)-1]
				if role != "" && len(list[i].roles) == 0 {
					list[i].roles = []string{role}
				}
			}
			out = append(out, list...)
		}
	}
	return out
}

// party reads a CI_ResponsibleParty, or the parties of a CI_Responsibility.
func (r *record) party(e *xmltree.Node) []party {
	roles := words(e.First("role"))
	if e.Name == "CI_ResponsibleParty" {
		p := party{roles: roles, name: r.first(e, "organisationName"), person: r.first(e, "individualName").text()}
		if p.person == "" {
			p.person = strings.TrimSpace(r.first(e, "individualFirstName").text() + " " + r.first(e, "individualLastName").text())
		}
		r.reach(&p, e)
		return []party{p}
	}
	var out []party
	for _, e := range e.All("party", "*") {
		p := party{roles: roles}
		switch e.Name {
		case "CI_Organisation":
			p.name = r.first(e, "name")
			for _, person := range e.All("individual", "CI_Individual") {
				p.person = r.first(person, "name").text()
				r.reach(&p, person)
			}
		case "CI_Individual":
			p.person = r.first(e, "name").text()
		}
		for _, id := range e.All("partyIdentifier", "MD_Identifier") {
			if iri := r.identifier(id); strings.Contains(iri, "://") && p.iri == "" {
				p.iri = iri
			}
		}
		r.reach(&p, e)
		out = append(out, p)
	}
	return out
}

// reach reads how to reach a party.
func (r *record) reach(p *party, e *xmltree.Node) {
	if p.iri == "" {
		p.iri = p.name.iri
	}
	for _, c := range e.All("contactInfo", "CI_Contact") {
		for _, v := range r.values(c, "address", "CI_Address", "electronicMailAddress") {
			for _, t := range v.texts {
				if !slices.Contains(p.mails, t.Value) {
					p.mails = append(p.mails, t.Value)
				}
			}
		}
		if p.home == "" {
			p.home = r.first(c, "onlineResource", "CI_OnlineResource", "linkage").text()
		}
	}
}

// publisherRoles are the roles of who publishes, the surest first. Only the
// first says so; the others stand in for it.
var publisherRoles = []string{"publisher", "owner", "custodian", "resourceProvider", "distributor", "pointOfContact", "author", "originator", "processor"}

// publisher is the organisation that publishes the resource, and the role in
// which it is stated.
func publisher(resource, metadata []party) (p *party, role string) {
	for _, role := range publisherRoles {
		for i := range resource {
			if resource[i].is(role) && resource[i].name.text() != "" {
				return &resource[i], role
			}
		}
	}
	for _, list := range [][]party{resource, metadata} {
		for i := range list {
			if list[i].name.text() != "" {
				return &list[i], "no known role"
			}
		}
	}
	return nil, ""
}
