package verify

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func api(d catalog.APIDetails, formats ...string) catalog.Entry {
	return catalog.Entry{ID: "e", Type: catalog.TypeAPI, PrimarySourceURL: "https://primary.example.gov/", API: &d, Formats: formats}
}

func files(list ...catalog.Distribution) catalog.Entry {
	return catalog.Entry{ID: "e", Type: catalog.TypeDataset, PrimarySourceURL: "https://primary.example.gov/",
		Dataset: &catalog.DatasetDetails{LandingPage: "https://land.example.gov/", Distributions: list}}
}

func TestTargetOf(t *testing.T) {
	const base = "https://API.example.gov:443/v1?x=1#top"
	at := func(e catalog.Entry, address string) catalog.Entry { e.ProbeURL = address; return e }
	for name, c := range map[string]struct {
		entry     catalog.Entry
		kind, url string
		data      bool
	}{
		"wms":                {api(catalog.APIDetails{SpecFormat: "ogc-wms", BaseURL: "https://a.gov/ows?Service=x&REQUEST=y&map=1"}), KindOGC, "https://a.gov/ows?map=1&request=GetCapabilities&service=WMS", true},
		"ogc api":            {api(catalog.APIDetails{SpecFormat: "ogc-api", BaseURL: "https://a.gov/api"}), KindOGC, "https://a.gov/api?f=json", true},
		"some ogc":           {api(catalog.APIDetails{SpecFormat: "ogc", BaseURL: "https://a.gov/ows"}), KindOGC, "https://a.gov/ows?request=GetCapabilities", true},
		"sparql":             {api(catalog.APIDetails{SpecFormat: "sparql", BaseURL: "https://a.gov/sparql"}), KindSPARQL, "https://a.gov/sparql?query=ASK+%7B%7D", true},
		"odata":              {api(catalog.APIDetails{SpecFormat: "odata", BaseURL: "https://a.gov/odata/v4/?x=1"}), KindOData, "https://a.gov/odata/v4/$metadata", true},
		"odata, complete":    {api(catalog.APIDetails{SpecFormat: "odata", BaseURL: "https://a.gov/$metadata"}), KindOData, "https://a.gov/$metadata", true},
		"graphql":            {api(catalog.APIDetails{GraphQLURL: "https://a.gov/graphql", PingURL: "https://a.gov/ping"}), KindGraphQL, "https://a.gov/graphql", true},
		"ping":               {api(catalog.APIDetails{PingURL: "https://a.gov/ping", OpenAPIURL: "https://a.gov/o.json", BaseURL: base}), KindHTTP, "https://a.gov/ping", true},
		"openapi":            {api(catalog.APIDetails{OpenAPIURL: "https://a.gov/o.json", BaseURL: base}), KindOpenAPI, "https://a.gov/o.json", true},
		"base":               {api(catalog.APIDetails{BaseURL: base}), KindHTTP, "https://API.example.gov:443/v1?x=1", false},
		"base with formats":  {api(catalog.APIDetails{BaseURL: base}, "HTML", "JSON"), KindHTTP, "https://API.example.gov:443/v1?x=1", true},
		"base of pages":      {api(catalog.APIDetails{BaseURL: base}, "html"), KindHTTP, "https://API.example.gov:443/v1?x=1", false},
		"nothing but a page": {api(catalog.APIDetails{}), KindHTTP, "https://primary.example.gov/", false},
		"no details":         {catalog.Entry{ID: "e", Type: catalog.TypeAPI, PrimarySourceURL: "https://primary.example.gov/"}, KindHTTP, "https://primary.example.gov/", false},
		"file":               {files(catalog.Distribution{AccessURL: "https://a.gov/page"}, catalog.Distribution{DownloadURL: "ftp://a.gov/x"}, catalog.Distribution{DownloadURL: "https://a.gov/f.csv"}), KindDistribution, "https://a.gov/f.csv", true},
		"page as a file":     {files(catalog.Distribution{DownloadURL: "https://a.gov/f", Format: "html"}), KindDistribution, "https://a.gov/f", false},
		"page by media type": {files(catalog.Distribution{DownloadURL: "https://a.gov/f", MediaType: "text/html; charset=utf-8"}), KindDistribution, "https://a.gov/f", false},
		"access only":        {files(catalog.Distribution{AccessURL: "https://a.gov/page"}), KindDistribution, "https://a.gov/page", false},
		"owner's ping":       {at(api(catalog.APIDetails{PingURL: "https://a.gov/ping"}), "https://a.gov/up"), KindHTTP, "https://a.gov/up", true},
		"owner's wms":        {at(api(catalog.APIDetails{SpecFormat: "ogc-wms", BaseURL: "https://a.gov/ows"}), "https://b.a.gov/ows"), KindOGC, "https://b.a.gov/ows?request=GetCapabilities&service=WMS", true},
		"owner's file":       {at(files(catalog.Distribution{DownloadURL: "https://a.gov/f.csv"}), "https://a.gov/g.csv"), KindDistribution, "https://a.gov/g.csv", true},
		"no file":            {files(), KindHTTP, "https://primary.example.gov/", false},
		"mcp":                {catalog.Entry{ID: "e", Type: catalog.TypeMCPServer, MCP: &catalog.MCPDetails{EndpointURL: "https://a.gov/mcp"}}, KindMCP, "https://a.gov/mcp", true},
	} {
		got, ok := TargetOf(&c.entry)
		if !ok || got.Kind != c.kind || got.URL != c.url || got.Data != c.data || got.EntryID != "e" {
			t.Errorf("%s: %+v %v, want %s %s %v", name, got, ok, c.kind, c.url, c.data)
		}
	}
}

func TestTargetOfNothing(t *testing.T) {
	for name, e := range map[string]catalog.Entry{
		"local server": {Type: catalog.TypeMCPServer, MCP: &catalog.MCPDetails{EndpointURL: "https://a.gov/", Transport: "stdio"}},
		"no endpoint":  {Type: catalog.TypeMCPServer, MCP: &catalog.MCPDetails{}},
		"no details":   {Type: catalog.TypeMCPServer},
		"ftp":          {Type: catalog.TypeAPI, PrimarySourceURL: "ftp://a.gov/"},
		"credentials":  {Type: catalog.TypeAPI, PrimarySourceURL: "https://u:p@a.gov/"},
		"no host":      {Type: catalog.TypeAPI, PrimarySourceURL: "https:///x"},
		"not a url":    {Type: catalog.TypeAPI, PrimarySourceURL: "https://a.gov/%zz"},
	} {
		if got, ok := TargetOf(&e); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestHostOf(t *testing.T) {
	for raw, want := range map[string]string{
		"https://Data.Example.GOV/x": "data.example.gov", "https://data.example.gov:443/": "data.example.gov",
		"http://data.example.gov.:80/": "data.example.gov", "http://data.example.gov:443/": "data.example.gov:443",
		"https://[2001:DB8::1]:8443/": "[2001:db8::1]:8443", "https://a.gov:8443/": "a.gov:8443",
	} {
		e := catalog.Entry{Type: catalog.TypeAPI, PrimarySourceURL: raw}
		if got, ok := TargetOf(&e); !ok || got.Host != want {
			t.Errorf("%s: host %q, want %q", raw, got.Host, want)
		}
	}
}
