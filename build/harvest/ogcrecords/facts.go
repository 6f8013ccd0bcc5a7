package ogcrecords

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// agents sets the publisher, the creators and the contact.
func agents(b *source.Builder, p *properties) {
	e := &b.Draft.Entry
	list := append(slices.Clone(p.Contacts), p.Providers...)
	named := func(role string) *contact {
		for i := range list {
			if (role == "" || slices.Contains(list[i].Roles, role)) && list[i].body() != "" {
				return &list[i]
			}
		}
		return nil
	}
	var publisher *contact
	from := "properties.publisher"
	if p.Publisher != "" {
		publisher = &contact{Organization: p.Publisher}
	}
	for _, role := range []string{"publisher", "producer", "owner", "custodian", "licensor", "host", "pointOfContact", ""} {
		if publisher == nil {
			publisher, from = named(role), "properties.contacts["+cmp.Or(role, "no known role")+"]"
		}
	}
	if publisher != nil {
		b.PublisherAgent(from, publisher.names(), publisher.agent())
	}
	for i := range list {
		c := &list[i]
		if slices.Contains(c.Roles, "author") || slices.Contains(c.Roles, "creator") || slices.Contains(c.Roles, "originator") {
			b.Creator("properties.contacts[author, creator]", c.names(), c.agent())
		}
	}
	for i := range list {
		if c := &list[i]; e.Contact == nil && len(c.Emails) > 0 {
			b.ContactOf("properties.contacts.emails", string(c.Name), "", c.Emails...)
		}
	}
}

// body is the name of the organisation, or the only name there is.
func (c *contact) body() string { return cmp.Or(string(c.Organization), string(c.Name)) }

func (c *contact) home() string {
	for _, l := range c.Links {
		return string(l.Href)
	}
	return ""
}

// names are the one name of a contact.
func (c *contact) names() []source.Text { return []source.Text{{Value: c.body()}} }

// agent is what else is stated of a contact.
func (c *contact) agent() catalog.Agent {
	a := catalog.Agent{HomepageURL: c.home()}
	if id := string(c.Identifier); strings.Contains(id, "://") {
		a.IRI = id
	}
	return a
}

// subjects sets keywords and themes.
func subjects(b *source.Builder, p *properties) {
	keywords := make([]source.Text, len(p.Keywords))
	for i, k := range p.Keywords {
		keywords[i].Value = k
	}
	b.Keywords("properties.keywords", keywords...)
	var words, iris []string
	for _, t := range p.Themes {
		for _, c := range t.Concepts {
			words = append(words, string(c.URL), string(c.ID), string(c.Title))
			iris = append(iris, cmp.Or(string(c.URL), string(c.ID)))
		}
	}
	b.Subjects("properties.themes", iris...)
	b.Themes("properties.themes", words...)
	b.HVD("properties.themes", words...)
}

// rights sets the terms and who may have it.
func rights(b *source.Builder, r *record) {
	p := &r.Properties
	terms := []string{string(p.License)}
	for _, l := range r.Links {
		if l.Rel == "license" {
			terms = append(terms, string(l.Href))
		}
	}
	if word := strings.ToLower(string(p.License)); word == "other" || word == "various" || word == "proprietary" {
		terms = terms[1:] // words of STAC that name no licence
	}
	b.Licence("properties.license, links[rel=license], properties.rights", append(terms, p.Rights...)...)
	b.AccessRights("properties.accessrights", string(p.AccessRights))
}

// coverage sets the place and the period.
func coverage(b *source.Builder, r *record) {
	switch {
	case len(r.Geometry) > 0 && string(r.Geometry) != "null":
		b.Spatial("geometry", string(r.Geometry))
	case len(r.BBox) > 0 && string(r.BBox) != "null":
		b.Spatial("bbox", string(r.BBox))
	}
	d := b.Dataset()
	b.Period(&d.TemporalStart, &d.TemporalEnd, "dataset.temporal", "time", r.Time.period())
}

// dates sets those of the resource. The standard has created and updated for the record, and
// catalogues fill them with those of the resource where they have no others; one that says
// issued or modified, null for none, means the record by the former.
func dates(b *source.Builder, p *properties) {
	if p.Issued == nil && p.Modified == nil {
		b.Dates("properties.created", string(p.Created), "properties.updated", string(p.Updated))
		return
	}
	b.Dates("properties.issued", text(p.Issued), "properties.modified", text(p.Modified))
}

// text is a value as a text, none for another shape.
func text(raw json.RawMessage) string {
	var t source.Loose
	if json.Unmarshal(raw, &t) != nil {
		return ""
	}
	return string(t)
}
