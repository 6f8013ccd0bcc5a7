package datajson

import (
	"encoding/json"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// service maps a DataService; the datasets that lie in it are records of their
// own, and members of it.
func (m *mapper) service(s *service, at where, depth int) error {
	b := m.begin(at, catalog.TypeAPI, s.Identifier, s.IRI, s.LandingPage, s.Title, s.Description, &s.translations, nil)
	e := &b.Draft.Entry
	e.API = &catalog.APIDetails{}
	bad := m.endpoint(b, s)
	switch {
	case e.Name == "":
		bad = &source.Rejection{Code: source.CodeMissingName, Reason: "the service has no title", Remedy: "give the service a title"}
	case source.TestName(e.Name):
		bad = &source.Rejection{Code: source.CodeTest, Reason: e.Name + " is there to try something out", Remedy: "remove the record"}
	}
	if bad != nil {
		err := m.refused(b, bad)
		if err != nil {
			return err
		}
		return m.nested("dataset", s.ServesDataset, at, depth)
	}
	m.texts(b, s.Description, s.Keyword, &s.translations)
	b.ServiceSpatial("spatial", s.Spatial...)
	b.AccessRights("accessRights", string(s.AccessRights))
	b.Tags("keyword, theme", append(append([]string{}, s.Keyword...), s.Theme...)...)
	b.Themes("theme", s.Theme...)
	m.publisher(b, s.Publisher, s.ContactPoint)
	b.Licence("license", string(s.License))
	b.Dates("issued", string(s.Issued), "modified", string(s.Modified))
	m.members(b, s.ServesDataset)
	if err := m.emit(b.Done()); err != nil {
		return err
	}
	return m.nested("dataset", s.ServesDataset, at, depth)
}

// endpoint maps the addresses of a service.
func (m *mapper) endpoint(b *source.Builder, s *service) *source.Rejection {
	e := &b.Draft.Entry
	if len(s.EndpointURL) > 0 && b.URL(&e.API.BaseURL, "api.base_url", "endpointURL", s.EndpointURL[0]) {
		if format := source.SpecFormat(e.API.BaseURL); format != "" {
			e.API.SpecFormat = format
			b.Compute("api.spec_format", "endpointURL", "read off the address", "")
		}
	}
	if len(s.EndpointDesc) > 0 {
		m.description(b, s.EndpointDesc[0])
	}
	b.URL(&e.HomepageURL, "homepage_url", "landingPage", s.LandingPage.first())
	if e.DocsURL == "" && len(s.Page) > 0 {
		b.URL(&e.DocsURL, "docs_url", "page", s.Page[0])
	}
	if v, _ := source.Line(string(s.Version)); v != "" && len(v) <= 100 {
		e.API.Version = v
		b.Remark("api.version", "version", "", "")
	}
	return m.firstUsable(b, []struct{ path, raw string }{{"endpointURL", e.API.BaseURL}, {"endpointDescription", e.API.OpenAPIURL},
		{"landingPage", e.HomepageURL}, {"page", e.DocsURL}, {"identifier", address(string(s.Identifier))}}, e.Name)
}

// description files a description under what it is: for machines or for
// people.
func (m *mapper) description(b *source.Builder, raw string) {
	e := &b.Draft.Entry
	format := source.SpecFormat(raw)
	if format != "openapi" && format != "swagger" {
		b.URL(&e.DocsURL, "docs_url", "endpointDescription", raw)
		return
	}
	if b.URL(&e.API.OpenAPIURL, "api.openapi_url", "endpointDescription", raw) {
		e.API.SpecFormat = format
		b.Compute("api.spec_format", "endpointDescription", "read off the address", "")
	}
}

// members lists the datasets that a service serves, by title or by IRI.
func (m *mapper) members(b *source.Builder, raw nodes) {
	e := &b.Draft.Entry
	for _, r := range raw {
		var d struct {
			Identifier identifier   `json:"identifier"`
			IRI        source.Loose `json:"@id"`
			Title      source.Loose `json:"title"`
		}
		var iri source.Loose
		if json.Unmarshal(r, &d) != nil && json.Unmarshal(r, &iri) == nil {
			d.IRI = iri
		}
		name := string(d.Identifier)
		if name == "" {
			name = string(d.IRI)
		}
		title, _ := source.Line(string(d.Title))
		title, _ = source.Cut(title, catalog.NameMax)
		if name = source.Token(name); name == "" {
			name = title
		}
		if name == "" || len(e.Members) >= catalog.ListMax {
			continue
		}
		url, _, _ := source.URLRules{AllowPrivate: m.in.AllowPrivate}.Repair("members", address(name))
		e.Members = append(e.Members, catalog.Member{Name: name, Title: title, URL: url})
	}
	if len(e.Members) > 0 {
		b.Remark("members", "servesDataset", "", "")
	}
}
