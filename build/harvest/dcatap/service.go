package dcatap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
)

const (
	// membersMax is how many datasets of a service are listed.
	membersMax = catalog.ListMax
	// elsewhereMax is how many links from services of other pages a document is read for.
	elsewhereMax = 100_000
)

// service maps a data service.
func (m *mapper) service(b *source.Builder, n *node) (*source.Rejection, error) {
	e := &b.Draft.Entry
	e.Type, e.API = catalog.TypeAPI, &catalog.APIDetails{}
	b.Remark("type", "rdf:type", "dcat:DataService", "")
	files, licences, err := m.files(b, n)
	if err != nil {
		return nil, err
	}
	points := accessPoints(files)
	b.ServiceFormats(paths[propFormat], files)
	if bad := m.endpoint(b, n, points); bad != nil {
		return bad, nil
	}
	for _, set := range []func(*source.Builder, *node) error{m.publisher, m.agents, m.contact, m.themes, m.statements, m.spatial, m.frequency, m.members} {
		if err := set(b, n); err != nil {
			return nil, err
		}
	}
	raw, from, err := m.licence(n, e.NativeLang)
	if err != nil {
		return nil, err
	}
	if raw == "" && len(licences) == 1 {
		b.Licence("dcat:distribution/dct:license", licences[0])
	}
	b.Licence(paths[from], raw)
	b.Draft.LicenceNames = m.namesOf(append(licences, raw)...)
	m.keywords(b, n)
	m.dates(b, n)
	b.Line(&e.API.Version, "api.version", paths[propVersion], n.literal(propVersion), 100)
	return nil, nil
}

// endpoint maps the addresses of a service. The primary one is the endpoint,
// else its description, else its landing page.
func (m *mapper) endpoint(b *source.Builder, n *node, points []string) *source.Rejection {
	e := &b.Draft.Entry
	m.address(b, &e.HomepageURL, "homepage_url", n, propLandingPage)
	m.address(b, &e.DocsURL, "docs_url", n, propPage)
	m.address(b, &e.API.BaseURL, "api.base_url", n, propEndpointURL)
	if e.API.BaseURL == "" && len(points) > 0 {
		b.URL(&e.API.BaseURL, "api.base_url", "dcat:distribution", points[0])
	}
	e.API.OtherURLs = append(m.others(n, propEndpointURL, e.API.BaseURL), m.usable(points, e.API.BaseURL)...)
	e.API.OtherURLs = append(e.API.OtherURLs, m.others(n, propLandingPage, append(e.API.OtherURLs, e.HomepageURL, e.API.BaseURL)...)...)
	description, field := &e.API.OpenAPIURL, "api.openapi_url"
	if format := m.format(b, n, points); format != "" && format != "openapi" && format != "swagger" {
		description, field = &e.API.PingURL, "api.ping_url"
	}
	m.address(b, description, field, n, propEndpointDescription)
	for _, a := range []struct {
		url  string
		from prop
	}{{e.API.BaseURL, propEndpointURL}, {*description, propEndpointDescription}, {e.HomepageURL, propLandingPage}} {
		if a.url != "" {
			e.PrimarySourceURL = a.url
			b.Compute("primary_source_url", paths[a.from], "the first of endpoint, description, landing page", "")
			return nil
		}
	}
	return &source.Rejection{Code: source.CodeMissingURL, Reason: fmt.Sprintf("the service %q has no usable address", e.Name),
		Remedy: "give it a dcat:endpointURL"}
}

// standards are parts of the IRIs of standards, with the words of the register
// (catalog.APIDetails.SpecFormat).
var standards = []struct{ part, format string }{
	{"/ogc/wmts", "ogc-wmts"}, {"standards/wmts", "ogc-wmts"}, {"/ogc/wms", "ogc-wms"}, {"standards/wms", "ogc-wms"},
	{"/ogc/wfs", "ogc-wfs"}, {"standards/wfs", "ogc-wfs"}, {"/ogc/wcs", "ogc-wcs"}, {"standards/wcs", "ogc-wcs"},
	{"/ogc/csw", "ogc-csw"}, {"standards/cat", "ogc-csw"},
	{"ogcapi", "ogc-api"}, {"ogc-api", "ogc-api"}, {"openapis.org", "openapi"}, {"openapi", "openapi"}, {"swagger", "swagger"},
	{"sparql", "sparql"}, {"graphql", "graphql"}, {"odata", "odata"}, {"sdmx", "sdmx"},
}

// format is what describes the service: by its standard, else by its addresses.
func (m *mapper) format(b *source.Builder, n *node, points []string) string {
	set := func(format, upstream string) string {
		b.Draft.Entry.API.SpecFormat = format
		b.Compute("api.spec_format", upstream, "read off the address", "")
		return format
	}
	for _, s := range n.all(propConformsTo) {
		for _, known := range standards {
			if s.kind != rdf.Blank && strings.Contains(strings.ToLower(s.value), known.part) {
				return set(known.format, paths[propConformsTo])
			}
		}
	}
	for _, p := range []prop{propEndpointDescription, propEndpointURL} {
		for _, s := range n.all(p) {
			if format := source.SpecFormat(s.value); format != "" {
				return set(format, paths[p])
			}
		}
	}
	for _, u := range points {
		if format := source.SpecFormat(u); format != "" {
			return set(format, "dcat:distribution")
		}
	}
	return ""
}

// accessPoints are the addresses that a service lists as its distributions,
// those that show what they speak first.
func accessPoints(files []source.File) []string {
	var plain, telling []string
	add := func(u string) {
		switch {
		case u == "" || slices.Contains(plain, u) || slices.Contains(telling, u):
		case source.SpecFormat(u) != "":
			telling = append(telling, u)
		default:
			plain = append(plain, u)
		}
	}
	for i := range files {
		for _, u := range append([]string{files[i].DownloadURL, files[i].AccessURL}, files[i].Others...) {
			add(u)
		}
	}
	return append(telling, plain...)
}

// usable are those of some addresses that the register can keep.
func (m *mapper) usable(raw []string, taken ...string) (list []string) {
	rules := source.URLRules{Base: m.doc.base, AllowPrivate: m.in.AllowPrivate}
	for _, r := range raw {
		u, _, err := rules.Repair("api.other_urls", r)
		if err == nil && !slices.Contains(taken, u) && !slices.Contains(list, u) && len(list) < othersMax {
			list = append(list, u)
		}
	}
	return list
}

// members lists the datasets that the service serves.
func (m *mapper) members(b *source.Builder, n *node) error {
	e := &b.Draft.Entry
	all := n.all(propServesDataset)
	for _, s := range all[:min(len(all), membersMax)] {
		if s.kind != rdf.IRI {
			continue
		}
		member := catalog.Member{Name: s.value}
		d, err := m.doc.node(s.key())
		if err != nil {
			return err
		}
		if d != nil {
			member.Title, _ = source.Line(pick(texts(d, propTitle), e.NativeLang))
			member.Title, _ = source.Cut(member.Title, catalog.NameMax)
			var page string
			if u, _, err := (source.URLRules{Base: m.doc.base, AllowPrivate: m.in.AllowPrivate}).Repair("url", value(d, propLandingPage)); err == nil {
				page = u
			}
			member.URL = page
		}
		b.Relate(catalog.RelationServes, m.host, "dataset", s.value, member.Title)
		e.Members = append(e.Members, member)
	}
	if len(e.Members) == 0 {
		return nil
	}
	note := ""
	if len(all) > membersMax {
		note = fmt.Sprintf("the first %d of %d", membersMax, len(all))
	}
	b.Remark("members", paths[propServesDataset], "", note)
	return nil
}

// elsewhere reads what services that the document does not describe are said to serve: of a catalogue
// in pages each may say such a link where the dataset is.
func (m *mapper) elsewhere() error {
	m.servers = map[string][]string{}
	kept := 0
	return m.doc.each(func(p prop, _ []byte) bool { return p == propServesDataset }, func(n *node) error {
		if !n.isIRI() || n.is(classService) {
			return nil
		}
		for _, s := range n.all(propServesDataset) {
			switch {
			case s.kind != rdf.IRI:
			case kept == elsewhereMax:
				m.unlinked++
			default:
				m.servers[s.key()] = append(m.servers[s.key()], n.id())
				kept++
			}
		}
		return nil
	})
}

// tooManyLinks tells how many links elsewhere left out, if any.
func (m *mapper) tooManyLinks() []source.Rejection {
	if m.unlinked == 0 {
		return nil
	}
	return []source.Rejection{{Place: m.doc.name, Code: CodeLinks,
		Reason: fmt.Sprintf("%d links to datasets from services that are described elsewhere were left out: a document is read for the first %d", m.unlinked, elsewhereMax),
		Remedy: "state dcat:servesDataset where the service is described, or divide the catalogue into more pages"}}
}
