package mcpregistry

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

func input(data []byte) source.Input {
	return source.Input{Name: "servers.json", Source: catalog.Source{ID: "s", Kind: Kind},
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func row(d *source.Draft, field string) catalog.FieldRow {
	for _, r := range d.Rows {
		if r.Field == field {
			return r
		}
	}
	return catalog.FieldRow{}
}

func TestOctober(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, input(fixture(t, "october.json")))
	want := map[source.Code]int{CodeSuperseded: 1, CodeDeprecated: 1, source.CodeDeleted: 1, source.CodeMissingURL: 1}
	if !maps.Equal(o.Codes(), want) || len(o.Drafts) != 2 {
		t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	for _, r := range o.Rejections {
		if gone := r.Code == CodeDeprecated || r.Code == source.CodeDeleted || r.Code == CodeSuperseded; gone == (r.UpstreamRef != "") {
			t.Errorf("%s: upstream ref %q", r.Code, r.UpstreamRef)
		}
	}
	d := o.ByName(t, "Tide times")
	e := d.Entry
	if e.Type != catalog.TypeMCPServer || e.UpstreamRef != "registry.modelcontextprotocol.io:mcp-registry:uk.gov.example/tides" ||
		e.MCP.EndpointURL != "https://tides.example.gov.uk/mcp" || e.MCP.Transport != "streamable-http" || e.MCP.Version != "latest" ||
		e.PrimarySourceURL != e.MCP.EndpointURL || !slices.Equal(e.MCP.ProtocolVersions, []string{"2025-11-25"}) {
		t.Errorf("%+v %+v", e, e.MCP)
	}
	if !slices.Equal(e.MCP.Packages, []catalog.MCPPackage{{Registry: "pypi", Identifier: "tides", Version: "2.0"}}) || e.AuthType != catalog.AuthBearer ||
		e.LogoURL == "" || e.HomepageURL != "https://tides.example.gov.uk" || e.SourceModifiedAt.Month() != time.October || e.RepoURL != "" {
		t.Errorf("%+v %+v", e, e.MCP)
	}
	for field, from := range map[string]string{"name": "server.title", "mcp.endpoint_url": "server.remotes[].url", "mcp.version": "server.version",
		"mcp.packages": "server.packages", "homepage_url": "server.websiteUrl"} {
		if got := row(d, field).UpstreamField; got != from {
			t.Errorf("%s comes from %q", field, got)
		}
	}
	tenant := o.ByName(t, "io.github.someone/template")
	if tenant.Entry.MCP.EndpointURL != "" || tenant.Entry.MCP.Transport != "stdio" || tenant.Entry.PrimarySourceURL != "https://www.npmjs.com/package/@someone/template" ||
		!strings.Contains(row(tenant, "mcp.endpoint_url").Note, "placeholder") || tenant.Entry.MCP.Version != "auto" {
		t.Errorf("%+v", tenant.Entry.MCP)
	}
}

func TestSeptember(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, input(fixture(t, "september.json")))
	if want := map[source.Code]int{CodeSuperseded: 1, source.CodeInvalidField: 1}; !maps.Equal(o.Codes(), want) || len(o.Drafts) != 2 {
		t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	pay := o.ByName(t, "io.github.alphagov/pay").Entry
	if pay.RepoURL != "https://github.com/alphagov/pay-mcp" || pay.MCP.Transport != "stdio" || pay.MCP.EndpointURL != "" || pay.ThirdParty || pay.SourceModifiedAt.IsZero() {
		t.Errorf("%+v %+v", pay, pay.MCP)
	}
	tides := o.ByName(t, "io.github.someone/tides")
	if !tides.Entry.ThirdParty || tides.Entry.AuthType != catalog.AuthAPIKey || row(tides, "mcp.endpoint_url").UpstreamField != "remotes[].url" {
		t.Errorf("a wrapper run by someone else: %+v", tides.Entry)
	}
}

func TestMay(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, input(fixture(t, "may.json")))
	if want := map[source.Code]int{CodeEmpty: 1, source.CodeMissingName: 1}; !maps.Equal(o.Codes(), want) || len(o.Drafts) != 1 {
		t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	d := o.Drafts[0]
	e := d.Entry
	if e.MCP.EndpointURL != "" || row(&d, "mcp.endpoint_url").Basis != catalog.BasisNotDelivered || e.MCP.Packages[0].Registry != "npm" ||
		e.MCP.Version != "0.0.1-seed" || e.PrimarySourceURL != "https://github.com/someone/local" || !e.ThirdParty {
		t.Errorf("%+v %+v", e, e.MCP)
	}
	in := input(fixture(t, "may.json"))
	in.AllowPrivate = true
	if o := sourcetest.Run(t, Connector{}, in); o.Drafts[0].Entry.MCP.EndpointURL != "http://localhost:5008/sse" || o.Drafts[0].Entry.MCP.Transport != "sse" {
		t.Errorf("private addresses allowed: %+v", o.Drafts[0].Entry.MCP)
	}
}

func TestServerJSON(t *testing.T) {
	in := input(fixture(t, "server.json"))
	in.Name, in.Source.Kind = "server.json", KindFile
	o := sourcetest.Run(t, Connector{}, in)
	if len(o.Drafts) != 1 || len(o.Rejections) != 0 {
		t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	if e := o.Drafts[0].Entry; !e.ThirdParty || e.Name != "io.github.someone/zoo" || e.MCP.Version != "0.7.0" {
		t.Errorf("%+v", e)
	}
	in = source.Input{Name: "dir", Files: os.DirFS("testdata"), Source: catalog.Source{ID: "s", Kind: KindFile}}
	if o := sourcetest.Run(t, Connector{}, in); len(o.Drafts) != 6 || len(o.Rejections) != 8 {
		t.Errorf("a folder: %d drafts, %v", len(o.Drafts), o.Codes())
	}
}

// Nobody has checked the name in a server.json: there the endpoint must belong
// to a public body too.
func TestThirdParty(t *testing.T) {
	const listed = `,"_meta":{"io.modelcontextprotocol.registry/official":{"isLatest":true}}`
	for _, c := range []struct {
		name, more string
		want       bool
	}{
		{"gov.nasa.earthdata/x", `,"remotes":[{"type":"sse","url":"https://mcp.example.org/sse"}]` + listed, false},
		{"gov.nasa.earthdata/x", `,"remotes":[{"type":"sse","url":"https://mcp.example.org/sse"}]`, true},
		{"gov.nasa.earthdata/x", `,"remotes":[{"type":"sse","url":"https://mcp.earthdata.nasa.gov/sse"}]`, false},
		{"com.example/x", `,"remotes":[{"type":"sse","url":"https://mcp.earthdata.nasa.gov/sse"}]` + listed, true},
		{"com.example.gov.nasa/x", listed, true},
		{"io.github.someone/nasa", listed, true},
		{"io.github.nasa/x", listed, false},
		{"nasa", listed, true},
	} {
		o := sourcetest.Run(t, Connector{}, input([]byte(`{"name":"`+c.name+`","description":"d","version":"1","repository":{"url":"https://github.com/a/b"}`+c.more+`}`)))
		if len(o.Drafts) != 1 || o.Drafts[0].Entry.ThirdParty != c.want {
			t.Errorf("%s%s: %+v %v", c.name, c.more, o.Drafts, o.Rejections)
		}
	}
}

// TestLive pages through a registry, marks each page, and goes on where a run
// broke off.
func TestLive(t *testing.T) {
	const first, second = "https://r.example.org/v0/servers?limit=100&search=tide&updated_since=2026-01-02T00%3A00%3A00Z",
		"https://r.example.org/v0/servers?cursor=c+2&limit=100&search=tide&updated_since=2026-01-02T00%3A00%3A00Z"
	pages := map[string][]byte{first: fixture(t, "october.json"),
		second: []byte(`{"servers":[{"server":{"name":"a.b/c","description":"d","repository":{"url":"https://github.com/a/b"}}}],"metadata":{"count":1}}`)}
	var asked, marks []string
	in := source.Input{Name: "https://r.example.org", Source: catalog.Source{ID: "s", Kind: Kind, URL: "https://r.example.org", Filters: map[string]string{"search": "tide"}},
		Since: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Mark: func(c string) error { marks = append(marks, c); return nil },
		Fetch: func(_ context.Context, r source.Request) (*source.Response, error) {
			asked = append(asked, r.URL)
			body, ok := pages[r.URL]
			if !ok {
				return nil, &source.FetchError{URL: r.URL, Status: 404, Err: errors.New("not found")}
			}
			return &source.Response{URL: r.URL, Body: io.NopCloser(bytes.NewReader(body))}, nil
		}}
	o := sourcetest.Run(t, Connector{}, in)
	if len(o.Drafts)+len(o.Rejections) != 7 || !slices.Equal(asked, []string{first, second}) || len(marks) != 1 {
		t.Fatalf("%d drafts, %v, asked %q, marked %q", len(o.Drafts), o.Codes(), asked, marks)
	}
	asked, in.Cursor = nil, marks[0]
	if o := sourcetest.Run(t, Connector{}, in); len(o.Drafts) != 1 || !slices.Equal(asked, []string{second}) {
		t.Errorf("resumed: %d drafts, asked %q", len(o.Drafts), asked)
	}
	in.Cursor, pages[first] = "", []byte(`{"servers":null,"metadata":{"count":0}}`)
	if o := sourcetest.Run(t, Connector{}, in); len(o.Drafts)+len(o.Rejections) != 0 {
		t.Errorf("an empty list: %v", o.Rejections)
	}
	pages[first] = []byte(`{"servers":[{"server":{"name":"a.b/c","repository":{"url":"https://github.com/a/b"}}}],"metadata":{"next_cursor":"c 2"}}`)
	pages[second] = pages[first]
	if o := sourcetest.Run(t, Connector{}, in); len(o.Drafts) != 1 || o.Codes()[source.CodeRepeatedPage] > 1 {
		t.Errorf("going in circles: %d drafts, %v", len(o.Drafts), o.Rejections)
	}
}

func TestRealRegistries(t *testing.T) {
	dir := sourcetest.Shared(t, "data/mcp-registry")
	for _, c := range []struct {
		file              string
		records, emitted  int
		superseded, empty int
	}{
		{"seed_2025_05_16.json", 471, 464, 0, 7},
		{"servers_2025-09-17.json", 340, 236, 104, 0},
		{"servers_2025-10-12.json.gz", 1126, 612, 514, 0},
		{"server-json/malkreide__zurich-opendata-mcp.server.json", 1, 1, 0, 0},
		{"server.schema_2025-07.json", 1, 0, 0, 0},
		{"registry-openapi_2025-07.yaml", 1, 0, 0, 0},
	} {
		data, err := os.ReadFile(filepath.Join(dir, c.file))
		if err != nil {
			t.Fatal(err)
		}
		o := sourcetest.Run(t, Connector{}, input(data))
		third, remote := 0, 0
		names := map[string]bool{}
		for _, d := range o.Drafts {
			names[d.Entry.UpstreamRef] = true
			if d.Entry.ThirdParty {
				third++
			} else {
				t.Logf("not a third party's: %s", d.Entry.UpstreamRef)
			}
			if d.Entry.MCP.EndpointURL != "" {
				remote++
			}
			if strings.Contains(d.Entry.MCP.EndpointURL, "localhost") || d.PublisherKey != "" {
				t.Errorf("%+v", d.Entry)
			}
		}
		t.Logf("%s: %d drafts (%d third party, %d with endpoint), %v", c.file, len(o.Drafts), third, remote, o.Codes())
		if len(o.Drafts)+len(o.Rejections) != c.records || len(o.Drafts) > c.emitted || o.Codes()[CodeSuperseded] != c.superseded || o.Codes()[CodeEmpty] != c.empty {
			t.Errorf("%s: %d drafts, %v", c.file, len(o.Drafts), o.Codes())
		}
		if len(names) != len(o.Drafts) {
			t.Errorf("%s: %d names in %d drafts", c.file, len(names), len(o.Drafts))
		}
	}
}

func FuzzMCPRegistry(f *testing.F) {
	for _, name := range []string{"october.json", "september.json", "may.json", "server.json"} {
		f.Add(fixture(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range sourcetest.Run(t, Connector{}, input(data)).Drafts {
			if d.Entry.Name == "" || d.Entry.MCP == nil || d.Repaired > d.Delivered {
				t.Fatalf("draft %+v", d)
			}
			if err := catalog.CheckURL("primary_source_url", d.Entry.PrimarySourceURL); err != nil {
				t.Fatal(err)
			}
		}
	})
}
