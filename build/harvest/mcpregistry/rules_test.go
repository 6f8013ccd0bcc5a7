package mcpregistry

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

func TestNamespace(t *testing.T) {
	known, err := publicBodies()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, domain string
		own          bool
	}{
		{"gov.nasa/x", "nasa.gov", true},
		{"GOV.NASA.Earthdata/x", "earthdata.nasa.gov", true},
		{"gov.nasa-evil/x", "nasa-evil.gov", false},
		{"com.nasa.gov/x", "gov.nasa.com", false},
		{"io.github.NASA/x", "", true},
		{"io.github.nasa.evil/x", "", false},
		{"io.github.someone/nasa", "", false},
		{"nasa", "", false},
		{"", "", false},
	} {
		space := namespace(c.name)
		if got := domain(space); got != c.domain || known.own(space) != c.own {
			t.Errorf("%s: %q, own %v", c.name, got, known.own(space))
		}
	}
}

func TestTransport(t *testing.T) {
	for raw, want := range map[string]string{"streamable-http": "streamable-http", "streamable_http": "streamable-http", "Streamable": "streamable-http",
		"HTTP": "streamable-http", "sse": "sse", "stdio": "stdio", "": "", "carrier pigeon": ""} {
		if got := transport(raw); got != want {
			t.Errorf("%q: %q", raw, got)
		}
	}
}

// TestForms covers how a server can be reached and installed.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		name, doc, endpoint, transport, primary string
		auth                                    catalog.AuthType
		packages                                int
	}{
		{"streamable before sse", `"remotes":[{"type":"sse","url":"https://a.example.org/s"},{"type":"streamable-http","url":"https://a.example.org/m"}]`,
			"https://a.example.org/m", "streamable-http", "https://a.example.org/m", "", 0},
		{"first usable", `"remotes":[{"type":"sse","url":"http://127.0.0.1/s"},{"type":"sse","url":"https://a.example.org/s"}]`,
			"https://a.example.org/s", "sse", "https://a.example.org/s", "", 0},
		{"token in the address", `"remotes":[{"type":"sse","url":"https://a.example.org/s?key=<YOUR_TOKEN>"}],"websiteUrl":"https://w.example.org"`,
			"", "", "https://w.example.org", "", 0},
		{"local http package", `"packages":[{"registryType":"nuget","identifier":"A.B","transport":{"type":"streamable-http"}}]`,
			"", "streamable-http", "https://www.nuget.org/packages/A.B", "", 1},
		{"bundle", `"packages":[{"registryType":"mcpb","identifier":"https://a.example.org/x.mcpb"}]`, "", "stdio", "https://a.example.org/x.mcpb", "", 1},
		{"package without a name", `"packages":[{"registryType":"npm"},{"registryType":"npm","identifier":"x"}]`, "", "stdio", "https://www.npmjs.com/package/x", "", 1},
		{"basic", `"remotes":[{"type":"sse","url":"https://a.example.org/s","headers":[{"name":"X-Trace"},{"name":"Authorization","value":"Basic {x}"}]}]`,
			"https://a.example.org/s", "sse", "https://a.example.org/s", catalog.AuthBasic, 0},
		{"token header", `"remotes":[{"type":"sse","url":"https://a.example.org/s","headers":[{"name":"X-Auth-Token"}]}]`,
			"https://a.example.org/s", "sse", "https://a.example.org/s", catalog.AuthAPIKey, 0},
		{"header that says nothing", `"remotes":[{"type":"sse","url":"https://a.example.org/s","headers":[{"name":"X-Trace"}]}]`,
			"https://a.example.org/s", "sse", "https://a.example.org/s", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := sourcetest.Run(t, Connector{}, input([]byte(`{"name":"a.b/c","description":"d",`+c.doc+`}`)))
			if len(o.Drafts) != 1 {
				t.Fatalf("%v", o.Rejections)
			}
			e := o.Drafts[0].Entry
			if e.MCP.EndpointURL != c.endpoint || e.MCP.Transport != c.transport || e.PrimarySourceURL != c.primary || e.AuthType != c.auth || len(e.MCP.Packages) != c.packages {
				t.Errorf("%+v %+v", e, e.MCP)
			}
		})
	}
}

// A version that is not the latest is told from one of which nothing is said.
func TestLatest(t *testing.T) {
	const meta = `{"name":"a.b/c","repository":{"url":"https://github.com/a/b"},"_meta":{"io.modelcontextprotocol.registry/official":%}}`
	for said, want := range map[string]source.Code{`{"isLatest":true}`: "", `{"isLatest":false}`: CodeSuperseded, `{"is_latest":false}`: CodeSuperseded,
		`{}`: "", `{"isLatest":false,"status":"deleted"}`: CodeSuperseded, `{"isLatest":true,"status":"Deleted"}`: source.CodeDeleted, `7`: ""} {
		o := sourcetest.Run(t, Connector{}, input([]byte(strings.Replace(meta, "%", said, 1))))
		if want == "" && len(o.Drafts) != 1 || want != "" && (len(o.Rejections) != 1 || o.Rejections[0].Code != want) {
			t.Errorf("%s: %d drafts, %v", said, len(o.Drafts), o.Rejections)
		}
	}
	july := `{"servers":[{"server":{"name":"a.b/c","repository":{"url":"https://github.com/a/b"}},"x-io.modelcontextprotocol.registry":{"is_latest":false}}]}`
	if o := sourcetest.Run(t, Connector{}, input([]byte(july))); o.Codes()[CodeSuperseded] != 1 {
		t.Errorf("the shape of July: %v", o.Rejections)
	}
}
