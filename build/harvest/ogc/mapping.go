package ogc

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// draft maps what a service says about itself.
func (m *mapper) draft(s *service, d *doc) (source.Draft, *source.Rejection) {
	seed := m.in.PageURL()
	if catalog.CheckURL("source_seed_url", d.address) == nil {
		seed = d.address
	}
	b := source.NewBuilder(m.in, d.place, seed, seed)
	e := &b.Draft.Entry
	e.Type, e.API = catalog.TypeAPI, &catalog.APIDetails{SpecFormat: "ogc-" + strings.ToLower(s.protocol)}
	b.Inherit("type", "a geographic web service is an API")
	b.Compute("api.spec_format", "", "the kind of the document", "")
	if bad := m.address(b, s, d); bad != nil {
		return source.Draft{}, bad
	}
	b.Line(&e.Name, "name", "Title", s.title, catalog.NameMax)
	if e.Name == "" {
		return source.Draft{}, &source.Rejection{Place: d.place, Code: source.CodeMissingName,
			Reason: "the service has no title", Remedy: "give the service a title", UpstreamRef: e.UpstreamRef}
	}
	b.Text(&e.Description, "description", "Abstract", "HTML to plain text", source.HTMLText(s.abstract), "", catalog.DescriptionMax)
	b.Line(&e.API.Version, "api.version", "version", s.version, catalog.TagMax)
	b.URL(&e.DocsURL, "docs_url", "links[rel=service-doc]", s.docs)
	b.URL(&e.API.OpenAPIURL, "api.openapi_url", "links[rel=service-desc]", s.description)
	if s.site != "" && catalog.NormalURL(endpoint(s.site)) != catalog.NormalURL(e.API.BaseURL) {
		b.URL(&e.HomepageURL, "homepage_url", "OnlineResource, ProviderSite", s.site)
	}
	if tag, ok := source.Language(s.language); ok {
		e.NativeLang = tag
		b.Remark("native_lang", "DefaultLanguage", "BCP 47", "")
	}
	b.Tags("Keyword", s.keywords...)
	b.Contact("ContactElectronicMailAddress", s.mail)
	terms(b, s)
	publisher(b, s)
	m.members(b, s)
	return b.Done(), nil
}

// address sets the endpoint and the address that stands for the service: the
// request that describes it, which also tells two services at one endpoint
// apart. Where the document was found counts more than what it says, because
// servers often state an address behind their proxy.
func (m *mapper) address(b *source.Builder, s *service, d *doc) *source.Rejection {
	e := &b.Draft.Entry
	ok := d.address != "" && b.URL(&e.API.BaseURL, "api.base_url", "", endpoint(d.address))
	if !ok && s.request != "" {
		ok = b.URL(&e.API.BaseURL, "api.base_url", "GetCapabilities", endpoint(s.request))
	}
	if !ok {
		bad := &source.Rejection{Place: d.place, Code: source.CodeMissingURL, Reason: "the service states no address of its own",
			Remedy: "give the address of the service with --file, or publish it in the document"}
		if s.request != "" {
			bad.Code, bad.Reason = source.CodeBadURL, fmt.Sprintf("the address of the service cannot be used: %q", s.request)
		}
		return bad
	}
	e.PrimarySourceURL = e.API.BaseURL
	if s.protocol != "API" {
		e.PrimarySourceURL = capabilities(e.API.BaseURL, s.protocol)
		e.API.PingURL = e.PrimarySourceURL
		b.Compute("api.ping_url", "", "the request that describes the service", "")
	}
	b.Compute("primary_source_url", "", "the request that describes the service", "")
	e.UpstreamRef = m.host + ":" + Kind + ":" + strings.ToLower(s.protocol) + ":" + catalog.NormalURL(e.API.BaseURL)
	b.Compute("upstream_ref", "", "source, kind, protocol and endpoint", "")
	return nil
}

// nothing are words, folded to letters, that say that nothing is said.
var nothing = []string{"", "none", "no", "0", "keine", "kein", "na", "nein", "null", "ninguna", "ninguno", "aucun", "aucune", "nessuno", "nessuna",
	"unknown", "unbekannt", "free", "nolimitations", "noconditionsapply", "nolimitation", "conditionsunknown", "otherrestrictions",
	"nolimitationsonpublicaccess", "noconditionsapplytoaccessanduse", "geen", "ingen", "brak", "todo", "tbd"}

func saysNothing(raw string) bool {
	if _, code, ok := strings.Cut(raw, "/metadata-codelist/"); ok {
		raw = code[strings.LastIndexByte(code, '/')+1:] // an INSPIRE code
	}
	word := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, raw)
	return slices.Contains(nothing, word)
}

// terms takes the conditions of use: the licence to which the service links,
// else its access constraints, else its fees. "None" in these fields is how
// servers are delivered and says nothing.
func terms(b *source.Builder, s *service) {
	e := &b.Draft.Entry
	candidates := []struct{ field, raw string }{
		{"links[rel=license]", s.licence}, {"AccessConstraints", conditions(s.constraints)}, {"Fees", conditions(s.fees)},
	}
	if speaksOfLicence(candidates[2].raw) && !speaksOfLicence(candidates[1].raw) {
		candidates[1], candidates[2] = candidates[2], candidates[1]
	}
	for _, c := range candidates {
		if c.raw != "" && e.LicenseRaw == "" {
			b.Line(&e.LicenseRaw, "license_raw", c.field, c.raw, catalog.RawLicenceMax)
		}
	}
}

func speaksOfLicence(raw string) bool {
	s := strings.ToLower(raw)
	for _, word := range []string{"licen", "lizenz", "://", "cc-", "cc by", "cc0", "dl-de"} {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// conditions is the licence in a field: German authorities write an object
// with id, name and url into it (GDI-DE), others write text.
func conditions(raw string) string {
	text := source.HTMLText(raw)
	if saysNothing(text) {
		return ""
	}
	var licence struct{ ID, URL, Name string }
	if start := strings.IndexByte(text, '{'); start >= 0 {
		dec := json.NewDecoder(strings.NewReader(text[start:]))
		if err := dec.Decode(&licence); err == nil {
			for _, s := range []string{licence.URL, licence.ID, licence.Name} {
				if strings.TrimSpace(s) != "" {
					return s
				}
			}
		}
	}
	return text
}

func publisher(b *source.Builder, s *service) {
	name, repair := source.Line(s.publisher)
	name, _ = source.Cut(name, catalog.NameMax)
	if saysNothing(name) {
		return
	}
	b.Draft.PublisherName, b.Draft.Entry.PublisherName = name, name
	b.Draft.PublisherURL = b.Draft.Entry.HomepageURL
	b.Deliver("publisher_name", "ContactOrganization, ProviderName", "", repair)
}

// members files the layers and the formats of the service.
func (m *mapper) members(b *source.Builder, s *service) {
	e := &b.Draft.Entry
	rules := source.URLRules{Base: b.Seed, AllowPrivate: m.in.AllowPrivate}
	for _, layer := range s.named() {
		if layer = member(layer, rules); layer.Name != "" {
			e.Members = append(e.Members, layer)
		}
	}
	if len(e.Members) > 0 {
		note := ""
		if s.layers > len(e.Members) {
			note = fmt.Sprintf("the first %d of %d", len(e.Members), s.layers)
		}
		b.Remark("members", "Layer, FeatureType, Coverage, collections", "", note)
	}
	all := codes(s.formats)
	for _, layer := range e.Members {
		all = append(all, layer.Formats...)
	}
	slices.Sort(all)
	if e.Formats = slices.Compact(all); len(e.Formats) > 0 {
		b.Remark("formats", "Format", "media types to codes of the EU file-type table", "")
	}
}

// member cleans what a document says about one layer.
func member(raw catalog.Member, rules source.URLRules) catalog.Member {
	m := catalog.Member{Formats: codes(raw.Formats)}
	m.Name, _ = source.Line(raw.Name)
	m.Name, _ = source.Cut(m.Name, catalog.NameMax)
	m.Title, _ = source.Line(raw.Title)
	m.Title, _ = source.Cut(m.Title, catalog.NameMax)
	if raw.URL != "" {
		if fixed, _, err := rules.Repair("members", raw.URL); err == nil {
			m.URL = fixed
		}
	}
	return m
}

// codes writes formats as codes, sorted and distinct.
func codes(raw []string) []string {
	var out []string
	for _, r := range raw {
		if code, _ := source.Format(r); code != "" {
			out = append(out, code)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
