package apigouvfr

import (
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// mapper turns files into drafts.
type mapper struct {
	in        *source.Input
	host      string
	producers map[string]producer
}

func (m *mapper) read(tree *source.Tree, name string) (source.Draft, *source.Rejection) {
	ref := m.host + ":" + Kind + ":" + slug(name)
	data, bad := tree.Read(name)
	if bad != nil {
		bad.UpstreamRef = ref
		return source.Draft{}, bad
	}
	p, err := parse(data)
	if err != nil {
		return source.Draft{}, &source.Rejection{Place: tree.Place(name), Code: source.CodeFrontMatter,
			Reason: err.Error(), Remedy: "correct the front matter of the file", UpstreamRef: ref}
	}
	d, bad := m.draft(tree.Place(name), slug(name), ref, &p)
	if bad != nil {
		bad.UpstreamRef = ref
	}
	d.Raw, d.RawMedia = data, "text/markdown"
	return d, bad
}

func (m *mapper) draft(place, id, ref string, p *page) (source.Draft, *source.Rejection) {
	b := source.NewBuilder(m.in, place, site+"/les-api/"+id, site)
	e := &b.Draft.Entry
	e.Type, e.CountryCode, e.NativeLang, e.UpstreamRef = catalog.TypeAPI, "FR", "fr", ref
	e.API = &catalog.APIDetails{}
	b.Inherit("type", "the catalogue lists APIs only")
	b.Inherit("country_code", "the catalogue of the French public sector")
	b.Inherit("native_lang", "the catalogue is in French")
	b.Compute("upstream_ref", "file name", "catalogue host, kind and file name", "")

	b.Line(&e.Name, "name", "title", p.text("title"), catalog.NameMax)
	if e.Name == "" {
		return source.Draft{}, &source.Rejection{Place: place, Code: source.CodeMissingName,
			Reason: "the page has no title", Remedy: "give the API a title"}
	}
	m.description(b, p)
	m.addresses(b, p)
	m.access(b, p)
	m.limits(b, p)
	m.publisher(b, p)
	key, _ := p.upstream("contact_link")
	b.Contact(key, p.text("contact_link"))
	m.topics(b, p)
	key, _ = p.upstream("last_update")
	b.Date(&e.SourceModifiedAt, "source_modified_at", key, p.text("last_update"))
	return b.Done(), nil
}

// description joins the tagline and the page's text.
func (m *mapper) description(b *source.Builder, p *page) {
	tagline, _ := source.Line(p.text("tagline"))
	intro := source.MarkdownText(p.text("content_intro"))
	body := source.MarkdownText(p.body)
	var parts, keys []string
	for _, t := range []struct{ key, text string }{{"tagline", tagline}, {"content_intro", intro}, {"body", body}} {
		if t.text != "" {
			parts, keys = append(parts, t.text), append(keys, t.key)
		}
	}
	b.Text(&b.Draft.Entry.Description, "description", strings.Join(keys, ", "), "markdown to plain text, joined",
		strings.Join(parts, "\n\n"), "", catalog.DescriptionMax)
}

// addresses maps the links of the page. The primary address is the API's own
// site, else its documentation, else its page in the catalogue.
func (m *mapper) addresses(b *source.Builder, p *page) {
	e := &b.Draft.Entry
	m.link(b, p, &e.HomepageURL, "homepage_url", "external_site")
	m.link(b, p, &e.DocsURL, "docs_url", "doc_tech_external")
	if raw := p.text("doc_tech_link"); documentLike(raw) {
		if m.link(b, p, &e.API.OpenAPIURL, "api.openapi_url", "doc_tech_link") {
			e.API.SpecFormat = "openapi"
			b.Compute("api.spec_format", "doc_tech_link", "the catalogue defines this link as the OpenAPI description", "")
		}
	} else if e.DocsURL == "" {
		m.link(b, p, &e.DocsURL, "docs_url", "doc_tech_link")
	}
	for _, u := range []string{e.DocsURL, e.HomepageURL} {
		if repo, ok := source.RepoURL(u); ok && e.RepoURL == "" {
			e.RepoURL = repo
			b.Compute("repo_url", "", "the repository that the documentation or the site lies in", "")
		}
	}
	for _, a := range []struct{ url, from string }{
		{e.HomepageURL, "external_site"}, {e.DocsURL, "doc_tech_external"}, {e.API.OpenAPIURL, "doc_tech_link"}, {b.Seed, "file name"},
	} {
		if a.url != "" {
			e.PrimarySourceURL = a.url
			b.Compute("primary_source_url", a.from, "the first of site, documentation, description, catalogue page", "")
			return
		}
	}
}

func (m *mapper) link(b *source.Builder, p *page, dst *string, field, key string) bool {
	raw := p.text(key)
	spelt, note := p.upstream(key)
	before := len(b.Draft.Rows)
	ok := b.URL(dst, field, spelt, raw)
	if note != "" && len(b.Draft.Rows) > before {
		row := &b.Draft.Rows[len(b.Draft.Rows)-1]
		if row.Note == "" && ok {
			b.Draft.Repaired++
		}
		row.Note = strings.TrimPrefix(row.Note+"; "+note, "; ")
	}
	return ok
}

// documentLike tells whether doc_tech_link leads to a document for machines;
// some pages give a page for people there.
func documentLike(raw string) bool {
	s := strings.ToLower(raw)
	if strings.Contains(s, "redoc") || strings.Contains(s, "doc-api") || strings.Contains(s, "swagger-ui") {
		return false
	}
	for _, mark := range []string{"swagger", "openapi", "open-api", "api-docs", ".json", ".yaml", ".yml", "/docs/json", "schema", "definition"} {
		if strings.Contains(s, mark) {
			return true
		}
	}
	return strings.Contains(s, "swaggerhub.com/apis/")
}

func (m *mapper) publisher(b *source.Builder, p *page) {
	id := source.Token(p.text("producer"))
	if id == "" {
		return
	}
	who := m.producers[id]
	b.Draft.PublisherKey, b.Draft.PublisherName, b.Draft.PublisherURL = "fr-"+strings.ToLower(id), who.name, who.url
	if who.name == "" {
		b.Draft.PublisherName = id
		b.Remark("publisher_name", "producer", "", "the catalogue has no page of this producer")
	} else {
		b.Remark("publisher_name", "producer", fmt.Sprintf("looked up in producteurs/%s.md", id), "")
	}
	b.Draft.Entry.PublisherName = b.Draft.PublisherName
}
