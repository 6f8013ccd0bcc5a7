package verify

import (
	"cmp"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Kinds of probes, as they stand in a check.
const (
	KindHTTP         = "http"
	KindOpenAPI      = "openapi"
	KindOGC          = "ogc"
	KindSPARQL       = "sparql"
	KindOData        = "odata"
	KindGraphQL      = "graphql"
	KindDistribution = "distribution"
	KindMCP          = "mcp"
)

// Target is what is asked to check an entry.
type Target struct {
	EntryID string
	Kind    string
	// URL is the address that is asked, complete with its query.
	URL string
	// Host is the host of the address, as in catalog.Probe.
	Host string
	// Data tells that a machine-readable answer was promised, so that a web
	// page is a failure (decisions §5, "Verification").
	Data bool
	// Transport is that of an MCP server.
	Transport string
	// known is what the register knows of the way in.
	known known
}

// kept is a target that does not hold the entry in memory from which it was
// made; host is its host.
func (t Target) kept(host string) Target {
	t.URL, t.Host, t.Transport = strings.Clone(t.URL), host, strings.Clone(t.Transport)
	k := &t.known
	k.class = catalog.FreeAccessClass(strings.Clone(string(k.class)))
	k.auth = catalog.AuthType(strings.Clone(string(k.auth)))
	k.rights = catalog.AccessRights(strings.Clone(string(k.rights)))
	return t
}

// TargetOf picks the probe that fits an entry. It is false for an entry that
// has no address to ask, such as an MCP server that only runs locally. An address
// that its owner chose changes where is asked, never what has to be answered.
func TargetOf(e *catalog.Entry) (Target, bool) {
	t := Target{EntryID: e.ID, Kind: KindHTTP, known: knownOf(e)}
	switch {
	case e.Type == catalog.TypeMCPServer:
		if e.MCP == nil || e.MCP.Transport == "stdio" {
			return t, false
		}
		t.Kind, t.URL, t.Data, t.Transport = KindMCP, e.MCP.EndpointURL, true, e.MCP.Transport
	case e.Type == catalog.TypeDataset:
		datasetTarget(&t, e)
	default:
		apiTarget(&t, e)
	}
	if e.ProbeURL != "" && t.URL != "" && t.Kind != KindOGC && t.Kind != KindSPARQL && t.Kind != KindOData {
		t.URL = e.ProbeURL
	}
	u, err := url.Parse(t.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return t, false
	}
	u.Fragment = ""
	t.URL, t.Host = u.String(), hostOf(u)
	return t, true
}

// apiTarget prefers what the API says about itself to its bare address.
func apiTarget(t *Target, e *catalog.Entry) {
	d := e.API
	if d == nil {
		t.URL = e.PrimarySourceURL
		return
	}
	protocol, _, _ := strings.Cut(d.SpecFormat, "-")
	switch {
	case protocol == KindOGC && d.BaseURL != "":
		t.Kind, t.URL, t.Data = KindOGC, OGCURL(cmp.Or(e.ProbeURL, d.BaseURL), d.SpecFormat), true
	case protocol == KindSPARQL && d.BaseURL != "":
		t.Kind, t.URL, t.Data = KindSPARQL, sparqlURL(cmp.Or(e.ProbeURL, d.BaseURL)), true
	case protocol == KindOData && d.BaseURL != "":
		t.Kind, t.URL, t.Data = KindOData, ODataURL(cmp.Or(e.ProbeURL, d.BaseURL)), true
	case d.GraphQLURL != "":
		t.Kind, t.URL, t.Data = KindGraphQL, d.GraphQLURL, true
	case d.PingURL != "":
		t.URL, t.Data = d.PingURL, true
	case d.OpenAPIURL != "":
		t.Kind, t.URL, t.Data = KindOpenAPI, d.OpenAPIURL, true
	case d.BaseURL != "":
		t.URL, t.Data = d.BaseURL, promisesData(e.Formats)
	default:
		t.URL = e.PrimarySourceURL
	}
}

// datasetTarget takes the first distribution that can be downloaded, else the
// page that leads to one.
func datasetTarget(t *Target, e *catalog.Entry) {
	t.URL = e.PrimarySourceURL
	if e.Dataset == nil {
		return
	}
	if t.URL == "" {
		t.URL = e.Dataset.LandingPage
	}
	list := e.Dataset.Distributions
	if i := slices.IndexFunc(list, func(d catalog.Distribution) bool { return webAddress(d.DownloadURL) }); i >= 0 {
		d := &list[i]
		t.Kind, t.URL = KindDistribution, d.DownloadURL
		t.Data = !isHTML(d.MediaType) && !strings.EqualFold(d.Format, "HTML")
		return
	}
	if i := slices.IndexFunc(list, func(d catalog.Distribution) bool { return webAddress(d.AccessURL) }); i >= 0 {
		t.Kind, t.URL = KindDistribution, list[i].AccessURL
	}
}

func webAddress(raw string) bool {
	return strings.HasPrefix(raw, "https://") || strings.HasPrefix(raw, "http://")
}

// promisesData tells whether an entry names a format that is not a web page.
func promisesData(formats []string) bool {
	return slices.ContainsFunc(formats, func(f string) bool { return f != "" && !strings.EqualFold(f, "HTML") })
}

// hostOf names the host of an address as in catalog.Probe.
func hostOf(u *url.URL) string {
	host, port := strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), u.Port()
	if port == "" || u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		return host
	}
	return net.JoinHostPort(host, port)
}

// withQuery sets parameters of an address whose names are compared without
// regard to case, as OGC services do.
func withQuery(raw string, params ...[2]string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	q := u.Query()
	for _, p := range params {
		for name := range q {
			if strings.EqualFold(name, p[0]) {
				q.Del(name)
			}
		}
		q.Set(p[0], p[1])
	}
	u.RawQuery = q.Encode()
	return u.String()
}
