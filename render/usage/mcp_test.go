package usage

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-register/assay/render/catalog"
)

// servers are MCP servers in each way of reaching one.
func servers() map[string]*catalog.Entry {
	at := func(auth catalog.AuthType, d catalog.MCPDetails) *catalog.Entry {
		return &catalog.Entry{Type: catalog.TypeMCPServer, Slug: "towns-of-namur", AuthType: auth, MCP: &d}
	}
	pack := func(registry, id, version string) *catalog.Entry {
		return at(catalog.AuthNone, catalog.MCPDetails{Transport: "stdio", Packages: []catalog.MCPPackage{{Registry: registry, Identifier: id, Version: version}}})
	}
	return map[string]*catalog.Entry{
		"remote":   at(catalog.AuthNone, catalog.MCPDetails{EndpointURL: "https://mcp.example/mcp?a='b", Transport: "streamable-http"}),
		"sse":      at(catalog.AuthNone, catalog.MCPDetails{EndpointURL: "https://mcp.example/sse", Transport: "sse"}),
		"token":    at(catalog.AuthBearer, catalog.MCPDetails{EndpointURL: "https://mcp.example/mcp"}),
		"npm":      pack("npm", "@towns/mcp", "1.2.0"),
		"pypi":     pack("pypi", "towns-mcp", ""),
		"oci":      pack("oci", "registry.example/towns/mcp", "1.2.0"),
		"oci, tag": pack("oci", "registry.example/towns/mcp:2", "1.2.0"),
	}
}

// schema is the form of a client's file, as its documentation gives it.
func schema(t *testing.T, client string) *jsonschema.Resolved {
	b, err := os.ReadFile(filepath.Join("testdata", "clients", strings.ReplaceAll(strings.ToLower(client), " ", "-")+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatalf("%s: %v", client, err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", client, err)
	}
	return r
}

// TestClients holds each configuration to the form that its client reads.
func TestClients(t *testing.T) {
	for name, e := range servers() {
		list := Clients(e)
		if len(list) != 8 {
			t.Errorf("%s: %d clients", name, len(list))
		}
		for _, c := range list {
			if strings.HasSuffix(c.File, ".json") {
				var v any
				if err := json.Unmarshal([]byte(c.Config), &v); err != nil {
					t.Errorf("%s for %s: %v", name, c.Name, err)
				} else if err := schema(t, c.Name).Validate(v); err != nil {
					t.Errorf("%s for %s: %v\n%s", name, c.Name, err, c.Config)
				}
			}
			if c.Install != "" {
				link(t, name, &c)
			}
		}
	}
}

// link reads an installing address as the client does.
func link(t *testing.T, name string, c *Client) {
	u, err := url.Parse(c.Install)
	if err != nil {
		t.Errorf("%s for %s: %v", name, c.Name, err)
		return
	}
	var got, want map[string]any
	switch c.Name {
	case "VS Code":
		text, err := url.PathUnescape(u.RawQuery)
		if err != nil || json.Unmarshal([]byte(text), &got) != nil || got["name"] != "towns-of-namur" {
			t.Errorf("%s: %s", name, c.Install)
		}
		delete(got, "name")
	default:
		b, err := base64.StdEncoding.DecodeString(u.Query().Get("config"))
		if err != nil || json.Unmarshal(b, &got) != nil || u.Query().Get("name") != "towns-of-namur" {
			t.Errorf("%s: %s", name, c.Install)
		}
	}
	var file map[string]map[string]map[string]any
	if err := json.Unmarshal([]byte(c.Config), &file); err != nil {
		t.Error(err)
	}
	for _, servers := range file {
		want = servers["towns-of-namur"]
	}
	if x, y := short(got), short(want); x != y {
		t.Errorf("%s for %s: the link says %s, the file %s", name, c.Name, x, y)
	}
}

func TestNoClients(t *testing.T) {
	for name, d := range map[string]*catalog.MCPDetails{
		"nothing": nil, "an option": {Packages: []catalog.MCPPackage{{Registry: "npm", Identifier: "--eval"}}},
		"another registry": {Packages: []catalog.MCPPackage{{Registry: "mcpb", Identifier: "x"}}}, "no address": {EndpointURL: "javascript:alert(1)"},
	} {
		if got := Clients(&catalog.Entry{Slug: "x", MCP: d}); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}
