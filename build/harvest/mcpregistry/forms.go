package mcpregistry

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// packagesMax bounds the packages and protocol versions of an entry.
const packagesMax = 100

// remotes sets the endpoint: the first address that the public internet can
// reach, streamable HTTP before SSE. An address with a placeholder in it can
// be reached by nobody as it stands.
func (m *mapper) remotes(b *source.Builder, r *record) {
	e := &b.Draft.Entry
	all := slices.Clone(r.Remotes)
	slices.SortStableFunc(all, func(a, b remote) int { return rank(a.transport()) - rank(b.transport()) })
	key, rules := r.prefix+"remotes[].url", source.URLRules{AllowPrivate: m.in.AllowPrivate}
	var refused []string
	for _, c := range all {
		raw := string(c.URL)
		if strings.ContainsAny(raw, "{}<>") {
			refused = append(refused, raw+" has a placeholder")
			continue
		}
		if _, _, err := rules.Repair("mcp.endpoint_url", raw); err != nil {
			refused = append(refused, err.Error())
			continue
		}
		b.URL(&e.MCP.EndpointURL, "mcp.endpoint_url", key, raw)
		e.MCP.Transport = c.transport()
		if e.MCP.Transport != "" {
			b.Remark("mcp.transport", r.prefix+"remotes[].type", "", "")
		}
		protocols(b, r, &c)
		authentication(b, r, &c)
		return
	}
	if len(refused) > 0 {
		b.Refuse("mcp.endpoint_url", key, strings.Join(refused, "; "))
	}
}

func (c *remote) transport() string {
	if c.Type != "" {
		return transport(string(c.Type))
	}
	return transport(string(c.TransportType))
}

// transport is the protocol's word for a way of transport, or "".
func transport(raw string) string {
	switch s := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(raw)); s {
	case "streamable", "streamablehttp", "http":
		return "streamable-http"
	case "sse", "stdio":
		return s
	}
	return ""
}

func rank(transport string) int {
	return slices.Index([]string{"streamable-http", "sse", "stdio", ""}, transport)
}

func protocols(b *source.Builder, r *record, c *remote) {
	mcp := b.Draft.Entry.MCP
	for _, p := range c.Protocols {
		if v := source.Token(string(p)); v != "" && len(v) <= catalog.TagMax && len(mcp.ProtocolVersions) < packagesMax {
			mcp.ProtocolVersions = append(mcp.ProtocolVersions, v)
		}
	}
	if len(mcp.ProtocolVersions) > 0 {
		b.Remark("mcp.protocol_versions", r.prefix+"remotes[].supportedProtocolVersions", "", "")
	}
}

// authentication reads how a caller authenticates off the headers that the
// endpoint asks for. Without such a header nothing is known.
func authentication(b *source.Builder, r *record, c *remote) {
	e := &b.Draft.Entry
	for _, h := range c.Headers {
		name, value := strings.ToLower(string(h.Name)), strings.ToLower(string(h.Value))
		switch {
		case name == "authorization" && strings.HasPrefix(value, "basic"):
			e.AuthType = catalog.AuthBasic
		case name == "authorization":
			e.AuthType = catalog.AuthBearer
		case strings.Contains(name, "key") || strings.Contains(name, "token"):
			e.AuthType = catalog.AuthAPIKey
		default:
			continue
		}
		b.Remark("auth_type", r.prefix+"remotes[].headers", "read off the names of the headers", "")
		return
	}
}

// packages files the installable forms. A server without an endpoint runs
// where it is installed.
func packages(b *source.Builder, r *record) {
	mcp := b.Draft.Entry.MCP
	for i := range r.Packages {
		p := &r.Packages[i]
		registry := source.Token(p.registry())
		name := source.Token(p.identifier())
		version := source.Token(string(p.Version))
		if name == "" || len(name) > catalog.URLMax || len(registry) > catalog.TagMax || len(version) > catalog.TagMax || len(mcp.Packages) >= packagesMax {
			continue
		}
		mcp.Packages = append(mcp.Packages, catalog.MCPPackage{Registry: registry, Identifier: name, Version: version})
		if way := transport(string(p.Transport.Type)); mcp.EndpointURL == "" && mcp.Transport == "" && way != "" {
			mcp.Transport = way
			b.Remark("mcp.transport", r.prefix+"packages[].transport.type", "", "")
		}
	}
	if len(mcp.Packages) == 0 {
		return
	}
	b.Remark("mcp.packages", r.prefix+"packages", "", "")
	if mcp.EndpointURL == "" && mcp.Transport == "" {
		mcp.Transport = "stdio"
		b.Compute("mcp.transport", r.prefix+"packages", "a package without a stated transport speaks stdio", "")
	}
}

// pages are where package registries show a package.
var pages = map[string]string{"npm": "https://www.npmjs.com/package/", "pypi": "https://pypi.org/project/",
	"nuget": "https://www.nuget.org/packages/", "mcpb": ""}

// packagePage is the page of the first package that has one, or "".
func (m *mapper) packagePage(list []catalog.MCPPackage) string {
	rules := source.URLRules{AllowPrivate: m.in.AllowPrivate}
	for _, p := range list {
		base, ok := pages[p.Registry]
		if !ok {
			continue
		}
		if fixed, _, err := rules.Repair("primary_source_url", base+p.Identifier); err == nil {
			return fixed
		}
	}
	return ""
}
