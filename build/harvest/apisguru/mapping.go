package apisguru

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// mapper turns records into drafts.
type mapper struct {
	in   *source.Input
	host string
}

func (m *mapper) place(key string) string { return m.in.Name + "#" + key }

// ref keeps the key as it is: it may hold any number of colons.
func (m *mapper) ref(key string) string { return m.host + ":" + Kind + ":" + key }

// draft maps one API. The directory lists whoever has an API, and anyone can
// add one under any name: nothing in it proves a publisher.
func (m *mapper) draft(key string, raw json.RawMessage) (source.Draft, *source.Rejection) {
	r, name, bad := m.parse(key, raw)
	if bad != nil {
		return source.Draft{}, bad
	}
	v := r.Versions[name]
	b := source.NewBuilder(m.in, m.place(key), m.in.PageURL(), "")
	b.Raw("application/json", raw)
	e := &b.Draft.Entry
	e.Type, e.UpstreamRef, e.API = catalog.TypeAPI, m.ref(key), &catalog.APIDetails{}
	b.Inherit("type", "the directory lists APIs only")
	b.Compute("upstream_ref", "", "directory, kind and key", "")
	b.Line(&e.Name, "name", "info.title", string(v.Info.Title), catalog.NameMax)
	if e.Name == "" {
		e.Name, _ = source.Line(cmp.Or(string(v.Info.Service), string(v.Info.Provider)))
		b.Compute("name", "info.x-serviceName, info.x-providerName", "the service stands in for the title", "the description has no title")
	}
	if e.Name == "" {
		return source.Draft{}, &source.Rejection{Place: m.place(key), Code: source.CodeMissingName, Reason: "the API has no title",
			Remedy: "give the description an info.title", UpstreamRef: e.UpstreamRef}
	}
	head(b, &v)
	m.addresses(b, key, &v)
	if e.PrimarySourceURL == "" {
		return source.Draft{}, &source.Rejection{Place: m.place(key), Code: source.CodeMissingURL, Reason: e.Name + " has no usable address",
			Remedy: "give the description's address or the provider's domain", UpstreamRef: e.UpstreamRef}
	}
	members(b, m.in.AllowPrivate, r, name)
	if !b.Date(&e.SourceIssuedAt, "source_issued_at", "versions.*.added", string(v.Added)) {
		b.Date(&e.SourceIssuedAt, "source_issued_at", "added", string(r.Added))
	}
	b.Date(&e.SourceModifiedAt, "source_modified_at", "versions.*.updated", string(v.Updated))
	return b.Done(), nil
}

// head maps the info object.
func head(b *source.Builder, v *version) {
	e, i := &b.Draft.Entry, &v.Info
	key, raw := "info.description", string(i.Description)
	if strings.TrimSpace(raw) == "" {
		key, raw = "info.summary", string(i.Summary)
	}
	b.Text(&e.Description, "description", key, "markdown to plain text", source.MarkdownText(raw), "", catalog.DescriptionMax)
	b.Line(&e.API.Version, "api.version", "info.version", string(i.Version), catalog.TagMax)
	b.URL(&e.API.TermsURL, "api.terms_url", "info.termsOfService", string(i.TermsOfService))
	b.URL(&e.LogoURL, "logo_url", "info.x-logo.url", string(i.Logo.URL))
	if b.Contact("info.contact.email", string(i.Contact.Email), string(i.Contact.Name)); e.Contact == nil {
		b.Contact("info.contact.url", string(i.Contact.URL))
	}
	key, raw = "info.license.url", string(i.License.URL)
	if catalog.CheckURL("license_raw", strings.TrimSpace(raw)) != nil {
		key, raw = "info.license.name", string(i.License.Name)
	}
	b.Line(&e.LicenseRaw, "license_raw", key, raw, catalog.RawLicenceMax)
	var tags []string
	for _, t := range append(append([]loose{}, i.Categories...), i.Tags...) {
		tags = append(tags, strings.ReplaceAll(string(t), "_", " "))
	}
	b.Tags("info.x-apisguru-categories, info.x-tags", tags...)
}

// addresses maps where the API is. The provider's domain, which the directory
// takes from the description's servers, stands for the API: an address that
// the description merely mentions could be anyone's.
func (m *mapper) addresses(b *source.Builder, key string, v *version) {
	e := &b.Draft.Entry
	b.URL(&e.DocsURL, "docs_url", "externalDocs.url", string(v.ExternalDocs.URL))
	provider(b, key, string(v.Info.Provider))
	description(b, v)
	switch {
	case e.HomepageURL != "":
		e.PrimarySourceURL = e.HomepageURL
		b.Compute("primary_source_url", "info.x-providerName", "the provider's domain", "")
	case e.API.OpenAPIURL != "":
		e.PrimarySourceURL = e.API.OpenAPIURL
		b.Compute("primary_source_url", "info.x-origin[].url", "the description stands in for the domain", "")
	case e.DocsURL != "":
		e.PrimarySourceURL = e.DocsURL
		b.Compute("primary_source_url", "info.x-origin[].url", "the documentation stands in for the domain", "")
	}
}

// provider takes the domain of who runs the API: x-providerName, else the part
// of the key that is a host (italy:milan:dati.comune.milano.it).
func provider(b *source.Builder, key, stated string) {
	e := &b.Draft.Entry
	field, name := "info.x-providerName", strings.TrimSpace(stated)
	if name == "" {
		field = "the key of the record"
		for part := range strings.SplitSeq(key, ":") {
			if strings.Contains(part, ".") {
				name = part
			}
		}
	}
	if !strings.Contains(name, ".") || strings.ContainsAny(name, "/:@ ") {
		return
	}
	if stated == "" {
		e.PublisherName = name
		b.Compute("publisher_name", field, "the part that is a host", "")
	} else {
		b.Line(&e.PublisherName, "publisher_name", field, name, catalog.NameMax)
	}
	b.Draft.PublisherName = e.PublisherName
	if b.URL(&e.HomepageURL, "homepage_url", field, "https://"+name) {
		b.Draft.PublisherURL = e.HomepageURL
	}
}

// description takes the provider's own document where it is an OpenAPI one,
// else the directory's copy: the directory goes on serving its copy when the
// original is gone, so that the copy proves nothing. A document on another
// body's site is not the provider's own.
func description(b *source.Builder, v *version) {
	e := &b.Draft.Entry
	elsewhere := ""
	for _, o := range v.Info.Origin {
		switch format := strings.ToLower(string(o.Format)); {
		case format == "openapi" || format == "swagger":
			if !own(string(o.URL), string(v.Info.Provider)) {
				elsewhere = "the original lies at " + catalog.Host(string(o.URL)) + ", which is not the provider's"
			} else if e.API.OpenAPIURL == "" && b.URL(&e.API.OpenAPIURL, "api.openapi_url", "info.x-origin[].url", string(o.URL)) {
				e.API.SpecFormat = format
				b.Compute("api.spec_format", "info.x-origin[].format", "", "")
			}
		case e.DocsURL == "" && (format == "" || format == "unknown"):
			b.URL(&e.DocsURL, "docs_url", "info.x-origin[].url", string(o.URL))
		}
	}
	if e.API.OpenAPIURL != "" || !b.URL(&e.API.OpenAPIURL, "api.openapi_url", "swaggerUrl", string(v.SwaggerURL)) {
		return
	}
	e.API.SpecFormat = "openapi"
	if strings.HasPrefix(string(v.OpenAPIVer), "2") {
		e.API.SpecFormat = "swagger"
	}
	b.Compute("api.spec_format", "openapiVer", "the directory's copy of the description", elsewhere)
}

// workshops are hosts at which anyone keeps descriptions.
var workshops = []string{"raw.githubusercontent.com", "github.com", "gist.githubusercontent.com", "gitlab.com", "api.swaggerhub.com",
	"app.swaggerhub.com", "bitbucket.org"}

// own tells whether a document is at the provider's domain or in a workshop,
// which belongs to nobody's domain.
func own(document, provider string) bool {
	host, provider := catalog.Host(document), strings.ToLower(strings.TrimSpace(provider))
	if host == provider || slices.Contains(workshops, host) {
		return true
	}
	a, errA := publicsuffix.EffectiveTLDPlusOne(host)
	b, errB := publicsuffix.EffectiveTLDPlusOne(provider)
	return errA == nil && errB == nil && a == b
}

// members lists the other versions of the API.
func members(b *source.Builder, allowPrivate bool, r *record, preferred string) {
	e := &b.Draft.Entry
	rules := source.URLRules{AllowPrivate: allowPrivate}
	for _, name := range slices.Sorted(maps.Keys(r.Versions)) {
		if name == preferred || len(e.Members) >= catalog.ListMax {
			continue
		}
		v := r.Versions[name]
		title, _ := source.Line(string(v.Info.Title))
		label, _ := source.Line(name)
		label, _ = source.Cut(label, catalog.NameMax)
		title, _ = source.Cut(title, catalog.NameMax)
		if label == "" {
			continue
		}
		address, _, err := rules.Repair("members", string(v.SwaggerURL))
		if err != nil {
			address = ""
		}
		e.Members = append(e.Members, catalog.Member{Name: label, Title: title, URL: address})
	}
	if len(e.Members) > 0 {
		b.Remark("members", "versions", "the versions that are not preferred", "")
	}
}
