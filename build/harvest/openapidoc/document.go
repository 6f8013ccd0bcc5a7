package openapidoc

import (
	"errors"
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// The faults of documents.
const (
	// CodeSyntax is a document that is neither JSON nor YAML.
	CodeSyntax source.Code = "invalid_syntax"
	// CodeNotOpenAPI is a document that is no OpenAPI 3 or Swagger 2 document.
	CodeNotOpenAPI source.Code = "not_openapi"
)

// mapper turns documents into drafts.
type mapper struct {
	in     *source.Input
	host   string
	emit   func(source.Draft) error
	reject func(source.Rejection) error
	// documents are those of a folder by the match key of their API.
	documents map[string][]catalog.Member
}

// doc is one document on its way to a draft.
type doc struct {
	// place names the document in messages.
	place string
	// id is what the catalogue knows the document by.
	id string
	// address is where the document is published, "" when that is not known.
	address string
	root    map[string]any
	// swagger tells that the document is Swagger 2.
	swagger bool
}

// document emits the draft of one document, or rejects it.
func (m *mapper) document(data []byte, bad *source.Rejection, d *doc) error {
	draft, bad := m.build(data, bad, d)
	if bad != nil {
		return m.reject(*bad)
	}
	draft.Document(data)
	if all := m.documents[matchKey(&draft)]; len(all) > 1 {
		draft.Entry.Members, draft.Edition = all, true
		draft.Rows = append(draft.Rows, catalog.FieldRow{Field: "members", Basis: catalog.BasisComputed, SourceID: m.in.Source.ID,
			SourceURL: draft.Entry.SourceSeedURL, Transform: "the documents of the folder with this base URL and title", ObservedAt: m.in.Now})
	}
	return m.emit(draft)
}

// build makes the draft of one document.
func (m *mapper) build(data []byte, bad *source.Rejection, d *doc) (source.Draft, *source.Rejection) {
	ref := m.host + ":" + Kind + ":" + d.id
	if bad == nil {
		bad = d.read(data)
	}
	var draft source.Draft
	if bad == nil {
		draft, bad = m.draft(d, ref)
	}
	if bad != nil {
		bad.UpstreamRef = ref
	}
	return draft, bad
}

// read parses the document and checks that it is one of the two formats.
func (d *doc) read(data []byte) *source.Rejection {
	v, err := parse(data)
	if err != nil {
		place := d.place
		var s *syntaxError
		if errors.As(err, &s) {
			place = fmt.Sprintf("%s:%d", place, s.line)
		}
		return &source.Rejection{Place: place, Code: CodeSyntax, Reason: err.Error(), Remedy: "publish valid JSON or YAML"}
	}
	d.root = object(v)
	switch {
	case strings.HasPrefix(text(v, "openapi"), "3."):
	case strings.HasPrefix(text(v, "swagger"), "2"):
		d.swagger = true
	default:
		return &source.Rejection{Place: d.place, Code: CodeNotOpenAPI,
			Reason: "the document names no version of OpenAPI 3 or Swagger 2", Remedy: "begin the document with openapi: 3.x or swagger: \"2.0\""}
	}
	return nil
}

// draft maps a document.
func (m *mapper) draft(d *doc, ref string) (source.Draft, *source.Rejection) {
	seed := m.in.PageURL()
	if d.address != "" && catalog.CheckURL("source_seed_url", d.address) == nil {
		seed = d.address
	}
	b := source.NewBuilder(m.in, d.place, seed, "")
	e := &b.Draft.Entry
	e.Type, e.UpstreamRef = catalog.TypeAPI, ref
	e.API = &catalog.APIDetails{SpecFormat: "openapi"}
	if d.swagger {
		e.API.SpecFormat = "swagger"
	}
	b.Inherit("type", "an OpenAPI document describes an API")
	b.Compute("api.spec_format", "openapi", "the version that the document names", "")
	b.Compute("upstream_ref", "", "source, kind and the document's own name", "")

	b.Line(&e.Name, "name", "info.title", text(d.root, "info", "title"), catalog.NameMax)
	if e.Name == "" {
		return source.Draft{}, &source.Rejection{Place: d.place, Code: source.CodeMissingName,
			Reason: "the document has no info.title", Remedy: "give the API a title"}
	}
	m.head(b, d)
	servers(b, d, m.in.AllowPrivate)
	if bad := primary(b, d); bad != nil {
		return source.Draft{}, bad
	}
	authentication(b, d)
	operations(b, d)
	return b.Done(), nil
}

// head maps the info object and its neighbours.
func (m *mapper) head(b *source.Builder, d *doc) {
	e := &b.Draft.Entry
	info := object(d.root, "info")
	key, raw := "info.description", text(info, "description")
	if strings.TrimSpace(raw) == "" {
		key, raw = "info.summary", text(info, "summary")
	}
	b.Text(&e.Description, "description", key, "markdown to plain text", source.MarkdownText(raw), "", catalog.DescriptionMax)
	b.Line(&e.API.Version, "api.version", "info.version", text(info, "version"), catalog.TagMax)
	b.URL(&e.API.TermsURL, "api.terms_url", "info.termsOfService", text(info, "termsOfService"))
	b.URL(&e.DocsURL, "docs_url", "externalDocs.url", text(d.root, "externalDocs", "url"))
	b.URL(&e.LogoURL, "logo_url", "info.x-logo.url", text(info, "x-logo", "url"))
	contact(b, info)
	licence(b, info)
	tags(b, d)
	for _, o := range list(info, "x-origin") {
		if d.address == "" && e.API.OpenAPIURL == "" {
			b.URL(&e.API.OpenAPIURL, "api.openapi_url", "info.x-origin[].url", text(o, "url"))
		}
	}
	if d.address != "" {
		b.URL(&e.API.OpenAPIURL, "api.openapi_url", "", d.address)
	}
}

// contact takes a functional address, else the contact's page. The contact's
// name is often a person's and is not kept.
func contact(b *source.Builder, info map[string]any) {
	if b.Contact("info.contact.email", text(info, "contact", "email"), text(info, "contact", "name")); b.Draft.Entry.Contact == nil {
		b.Contact("info.contact.url", text(info, "contact", "url"))
	}
}

// licence keeps what identifies the licence best: its SPDX identifier, else
// its address, else its name. A licence with an empty name is none.
func licence(b *source.Builder, info map[string]any) {
	e := &b.Draft.Entry
	for _, key := range []string{"identifier", "url", "name"} {
		raw := text(info, "license", key)
		if key == "url" && catalog.CheckURL("license_raw", strings.TrimSpace(raw)) != nil {
			continue
		}
		if b.Line(&e.LicenseRaw, "license_raw", "info.license."+key, raw, catalog.RawLicenceMax); e.LicenseRaw != "" {
			return
		}
	}
}

// tags takes the declared tags, else those of the operations.
func tags(b *source.Builder, d *doc) {
	var raw []string
	for _, t := range list(d.root, "tags") {
		raw = append(raw, text(t, "name"))
	}
	key := "tags[].name"
	if len(raw) == 0 {
		key = "paths.*.*.tags"
		d.each(func(_, _ string, op map[string]any) {
			for _, t := range list(op, "tags") {
				raw = append(raw, text(t))
			}
		})
	}
	if more := list(d.root, "info", "x-apisguru-categories"); len(more) > 0 {
		key += ", info.x-apisguru-categories"
		for _, t := range more {
			raw = append(raw, strings.ReplaceAll(text(t), "_", " "))
		}
	}
	b.Tags(key, raw...)
}
