package ogcrecords

import (
	"cmp"
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
		b.Publisher(from, publisher.body(), publisher.home())
		e.Publisher = publisher.agent()
	}
	for i := range list {
		c := &list[i]
		if (slices.Contains(c.Roles, "author") || slices.Contains(c.Roles, "creator") || slices.Contains(c.Roles, "originator")) && c.body() != "" && len(e.Creators) < catalog.TagsMax {
			e.Creators = append(e.Creators, *c.agent())
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

func (c *contact) agent() *catalog.Agent {
	name, _ := source.Line(c.body())
	name, _ = source.Cut(name, catalog.NameMax)
	a := &catalog.Agent{Names: catalog.Texts{catalog.Undetermined: name}}
	if id := string(c.Identifier); strings.Contains(id, "://") && len(id) <= catalog.URLMax {
		a.IRI = id
	}
	return a
}

// subjects sets keywords and themes.
func subjects(b *source.Builder, p *properties) {
	e := &b.Draft.Entry
	b.Tags("properties.keywords", p.Keywords...)
	var words, hvd []string
	for _, t := range p.Themes {
		for _, c := range t.Concepts {
			for _, raw := range []source.Loose{c.URL, c.ID, c.Title} {
				words, hvd = append(words, string(raw)), append(hvd, string(raw))
			}
			if iri := cmp.Or(string(c.URL), string(c.ID)); iri != "" && len(iri) <= catalog.URLMax && !slices.Contains(e.Subjects, iri) && len(e.Subjects) < catalog.TagsMax {
				e.Subjects = append(e.Subjects, iri)
			}
		}
	}
	if len(e.Subjects) > 0 {
		b.Remark("subjects", "properties.themes", "", "")
	}
	b.Themes("properties.themes", words...)
	b.HVD("properties.themes", hvd...)
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
	right := catalog.AccessRights(strings.ToUpper(string(p.AccessRights[strings.LastIndexAny(string(p.AccessRights), "/#")+1:])))
	if slices.Contains(catalog.AccessRightsValues(), right) {
		b.Draft.Entry.AccessRights = right
		b.Remark("access_rights", "properties.accessrights", "", "")
	}
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
