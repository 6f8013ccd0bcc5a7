package ukapicatalogue

import (
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// mapper turns rows into drafts.
type mapper struct {
	in      *source.Input
	columns map[string]int
	// width is the number of columns.
	width int
	// head is the header of the file.
	head []string
	orgs map[string]organisation
	// seed is the page the rows are found in.
	seed string
}

func (m *mapper) draft(row source.Row) (source.Draft, *source.Rejection) {
	place := fmt.Sprintf("%s:%d", m.in.Name, row.Line)
	if len(row.Fields) != m.width {
		return source.Draft{}, &source.Rejection{Place: place, Code: source.CodeColumnCount,
			Reason: fmt.Sprintf("the row has %d columns, the header %d", len(row.Fields), m.width),
			Remedy: "quote fields that contain a comma, a quote or a line break"}
	}
	get := func(column string) string { return cell(row, m.columns, column) }
	b := source.NewBuilder(m.in, place, m.seed, "")
	b.Raw("text/csv", row.Bytes(m.head))
	e := &b.Draft.Entry
	e.Type, e.CountryCode, e.NativeLang = catalog.TypeAPI, "GB", "en"
	e.API = &catalog.APIDetails{}
	b.Inherit("type", "the catalogue lists APIs only")
	b.Inherit("country_code", "the catalogue of the United Kingdom's public sector")
	b.Inherit("native_lang", "the catalogue is in English")

	b.Line(&e.Name, "name", "name", get("name"), catalog.NameMax)
	if e.Name == "" {
		return source.Draft{}, &source.Rejection{Place: place, Code: source.CodeMissingName,
			Reason: "the row has no name", Remedy: "give the API a name"}
	}
	m.description(b, get("description"))
	if bad := m.addresses(b, get("url"), get("documentation")); bad != nil {
		return source.Draft{}, bad
	}
	m.licence(b, get("license"))
	b.Contact("maintainer", get("maintainer"))
	m.dates(b, get)
	m.publisher(b, get("provider"))
	return b.Done(), nil
}

// description turns the literal \n of the export into line breaks (83 rows of
// the published file have them).
func (m *mapper) description(b *source.Builder, raw string) {
	text, literal := source.LiteralBreaks(raw)
	repair := ""
	if literal {
		repair = `literal \n turned into line breaks`
	}
	b.Text(&b.Draft.Entry.Description, "description", "description", "", text, repair, catalog.DescriptionMax)
}

// addresses maps url and documentation. A row without a usable url is known by
// its documentation, if that is given.
func (m *mapper) addresses(b *source.Builder, raw, docs string) *source.Rejection {
	e := &b.Draft.Entry
	b.URL(&e.DocsURL, "docs_url", "documentation", docs)
	if repo, ok := source.RepoURL(e.DocsURL); ok {
		e.RepoURL = repo
		b.Compute("repo_url", "documentation", "the repository that the documentation lies in", "")
	}
	var base string
	hasBase := b.URL(&base, "primary_source_url", "url", raw)
	switch {
	case hasBase:
		e.PrimarySourceURL = base
		m.endpoint(b, base)
	case e.DocsURL != "":
		e.PrimarySourceURL = e.DocsURL
		b.Compute("primary_source_url", "documentation", "the documentation stands in", "the catalogue gives no usable url for this API")
	case strings.TrimSpace(raw) == "":
		return &source.Rejection{Place: b.Draft.Place, Code: source.CodeMissingURL,
			Reason: fmt.Sprintf("%s has neither a url nor documentation", e.Name),
			Remedy: "give the API's url or a page of documentation in the catalogue"}
	default:
		return &source.Rejection{Place: b.Draft.Place, Code: source.CodeBadURL,
			Reason: fmt.Sprintf("the url of %s cannot be used: %q", e.Name, raw),
			Remedy: "give an absolute http or https URL on the public internet"}
	}
	return nil
}

// endpoint files the url under what it is: a repository, a machine-readable
// description, or the base of the API.
func (m *mapper) endpoint(b *source.Builder, u string) {
	e := &b.Draft.Entry
	if repo, ok := source.RepoURL(u); ok {
		e.RepoURL = repo
		b.Compute("repo_url", "url", "the url is a repository, not an endpoint", "")
		return
	}
	format := source.SpecFormat(u)
	if format == "openapi" || format == "swagger" {
		e.API.OpenAPIURL = u
		b.Compute("api.openapi_url", "url", "the url is a machine-readable description", "")
	} else {
		e.API.BaseURL = u
		b.Compute("api.base_url", "url", "", "")
	}
	if format != "" {
		e.API.SpecFormat = format
		b.Compute("api.spec_format", "url", "read off the url", "")
	}
}

// licence keeps what the publisher wrote. ISC is what an npm package has when
// nobody chose a licence: it speaks of the code, not of the API.
func (m *mapper) licence(b *source.Builder, raw string) {
	e := &b.Draft.Entry
	text, repair := source.Line(raw)
	if text == "" {
		return
	}
	note := ""
	if strings.EqualFold(text, "ISC") {
		b.Draft.OtherLicence = true
		note = "a software licence, the default of npm packages; it says nothing about the use of the API"
	}
	e.LicenseRaw, _ = source.Cut(text, catalog.RawLicenceMax)
	if repair != "" {
		b.Deliver("license_raw", "license", "", repair)
		return
	}
	b.Remark("license_raw", "license", "", note)
}

// dates maps the dates of the service and of its listing. startDate, when the
// service began, is the publisher's own date of issue; else the listing's.
func (m *mapper) dates(b *source.Builder, get func(string) string) {
	e := &b.Draft.Entry
	if !b.Date(&e.SourceIssuedAt, "source_issued_at", "startDate", get("startDate")) {
		b.Date(&e.SourceIssuedAt, "source_issued_at", "dateAdded", get("dateAdded"))
	}
	b.Date(&e.SunsetAt, "sunset_at", "endDate", get("endDate"))
	if !b.Date(&e.SourceModifiedAt, "source_modified_at", "dateUpdated", get("dateUpdated")) {
		return
	}
	if e.SourceModifiedAt.Before(e.SourceIssuedAt) {
		rows := b.Draft.Rows
		rows[len(rows)-1].Note = "stated to be before the date of issue; kept as stated"
	}
}

func (m *mapper) publisher(b *source.Builder, raw string) {
	id := source.Token(raw)
	if id = strings.ToLower(id); id == "" {
		return
	}
	org := m.orgs[id]
	b.Draft.PublisherKey, b.Draft.PublisherName, b.Draft.PublisherURL = "gb-"+id, org.name, org.url
	if org.name == "" {
		b.Draft.PublisherName = strings.ReplaceAll(id, "-", " ")
		b.Remark("publisher_name", "provider", "the organisation's id, hyphens as spaces", "")
	} else {
		b.Remark("publisher_name", "provider", "looked up in organisation.csv", "")
	}
	b.Draft.Entry.PublisherName = b.Draft.PublisherName
}
