package dcat

import (
	"regexp"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// Reasons for leaving an entry out: dcat:endpointURL is mandatory.
const (
	SkippedAPI = "api_without_endpoint"
	SkippedMCP = "mcp_server_without_endpoint"
)

// Skipped tells why an entry is not in the documents, "" when it is. A dataset
// always is.
func Skipped(s *snapshot.Scored) (reason string) {
	switch s.Entry().Type {
	case catalog.TypeDataset:
		return ""
	case catalog.TypeMCPServer:
		if endpoint(s) == "" {
			return SkippedMCP
		}
	default:
		if endpoint(s) == "" {
			return SkippedAPI
		}
	}
	return ""
}

// endpoint is where the service answers: what its record says, else an address
// at which a check found something other than a page (research, §5.2). It is
// never the documentation or the home page.
func endpoint(s *snapshot.Scored) string {
	e := s.Entry()
	candidates := make([]string, 0, 5)
	if d := e.API; d != nil {
		candidates = append(candidates, d.BaseURL, d.GraphQLURL)
	}
	if d := e.MCP; d != nil {
		candidates = append(candidates, d.EndpointURL)
	}
	candidates = append(candidates, answered(s), primary(s.Result.Access.Primary))
	for _, c := range candidates {
		if u := webURL(c); u != "" {
			return u
		}
	}
	return ""
}

// answered is the address that the register probes, if it once answered with
// data. Once is enough: an outage must not take the service out of the catalog.
func answered(s *snapshot.Scored) string {
	e, st := s.Entry(), s.Row.State
	if st == nil || st.SucceededAt.IsZero() || strings.Contains(st.ProbeContentType, "html") {
		return ""
	}
	pages := append(make([]string, 0, 5), e.HomepageURL, e.DocsURL, e.RepoURL)
	if e.API != nil {
		pages = append(pages, e.API.OpenAPIURL, e.API.TermsURL)
	}
	for _, p := range pages {
		if p == st.ProbeURL {
			return ""
		}
	}
	return st.ProbeURL
}

func primary(a *score.Action) string {
	if a == nil || a.Kind != "api" {
		return ""
	}
	return a.URL
}

// service adds a dcat:DataService (DCAT-AP 3.0.1, Data Service).
func (g *graph) service(s *snapshot.Scored) {
	e := s.Entry()
	n := g.node(entryIRI(e.ID), classService)
	g.resource(n, s)
	at := endpoint(s)
	n.link(dcatEndpointURL, link(at))
	g.ref(refEndpoint, at)
	for _, f := range e.Formats {
		g.code(n, dctFormat, listFileType, codes().fileType(f))
	}
	g.reuse(n, e.ID, e.LicenseID, e.LicenseRaw, s.Licence)
	if d := e.API; d != nil {
		n.link(dcatEndpointDesc, link(d.OpenAPIURL))
		if !n.has(dcatEndpointDesc) {
			n.link(dcatEndpointDesc, link(d.GraphQLURL))
		}
		n.add(dcatVersion, plain(d.Version))
		g.standard(n, specStandards[strings.ToLower(d.SpecFormat)])
	}
	if e.Type == catalog.TypeMCPServer {
		n.link(dctType, definitionIRI("entry-type/"+string(e.Type)))
		g.ref(refEntryType, string(e.Type))
		g.mcp(n, e)
	}
}

func (g *graph) mcp(n *node, e *catalog.Entry) {
	for _, u := range [...]string{e.PrimarySourceURL, e.SourceSeedURL} {
		if strings.HasSuffix(u, "/server.json") && !n.has(dcatEndpointDesc) {
			n.link(dcatEndpointDesc, link(u))
		}
	}
	if e.MCP == nil {
		return
	}
	n.add(dcatVersion, plain(e.MCP.Version))
	for _, v := range e.MCP.ProtocolVersions {
		if mcpVersion.MatchString(v) {
			g.standard(n, mcpStandard+v)
		}
	}
}

// mcpVersion is how the Model Context Protocol names its revisions.
var mcpVersion = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

const mcpStandard = "https://modelcontextprotocol.io/specification/"

// specStandards are what a machine-readable description conforms to, by the
// words of APIDetails.SpecFormat.
var specStandards = map[string]string{
	"openapi":  "https://spec.openapis.org/oas/v3.1.0",
	"swagger":  "https://spec.openapis.org/oas/v2.0",
	"graphql":  "https://spec.graphql.org/",
	"ogc-wms":  "http://www.opengis.net/def/serviceType/ogc/wms",
	"ogc-wfs":  "http://www.opengis.net/def/serviceType/ogc/wfs",
	"ogc-wcs":  "http://www.opengis.net/def/serviceType/ogc/wcs",
	"ogc-wmts": "http://www.opengis.net/def/serviceType/ogc/wmts",
	"ogc-csw":  "http://www.opengis.net/def/serviceType/ogc/csw",
	"sparql":   "https://www.w3.org/TR/sparql11-protocol/",
}

func (g *graph) standard(n *node, address string) {
	if u := link(address); u != "" {
		n.link(dctConformsTo, u)
		g.ref(refStandard, address)
	}
}
