package survey

import (
	"reflect"
	"slices"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// Bounds of what an MCP server says about itself.
const (
	maxTools    = 200
	maxToolText = 2_000
	maxToolName = 200
)

// change is what a look does to an entry.
type change struct{ *verify.Change }

// text sets a text that the register may set.
func (w *change) text(at *string, value, field, url, upstream, transform string) {
	if value == "" || *at == value || !w.Mine(field, *at == "") {
		return
	}
	from := any(*at)
	if *at == "" {
		from = nil
	}
	*at = value
	w.Note(field, url, upstream, transform, from, value)
}

// takeAPI takes over what an OpenAPI document says about its API.
func (w *change) takeAPI(f *findings) {
	d, api := f.api, *w.Entry.API
	w.Entry.API = &api
	const doc = "from the API's own document"
	w.text(&api.Version, d.Version, "api.version", f.source, "info.version", doc)
	w.text(&api.BaseURL, d.BaseURL, "api.base_url", f.source, "servers[].url", doc+", variables at their defaults")
	w.text(&api.TermsURL, d.TermsURL, "api.terms_url", f.source, "info.termsOfService", doc)
	w.text(&api.RateLimitInfo, d.RateLimit, "api.rate_limit_info", f.source, "paths.*.*.responses", "headers and statuses of "+doc[len("from "):])
	if api.SpecFormat == "" || api.SpecFormat == "none" {
		from := api.SpecFormat
		api.SpecFormat = ""
		w.text(&api.SpecFormat, d.Format, "api.spec_format", f.source, "openapi", doc)
		if api.SpecFormat == "" {
			api.SpecFormat = from
		}
	}
	if auth := w.Entry.AuthType; d.Auth != catalog.AuthUnknown && d.Auth != auth && w.Mine("auth_type", auth == catalog.AuthUnknown || auth == "") {
		w.Entry.AuthType = d.Auth
		w.Note("auth_type", f.source, "components.securitySchemes", "the security schemes that the API's own document requires", auth, d.Auth)
		// One operation that answers everybody is not the way into the others.
		if _, seen := w.Observed("free_access_class"); seen && d.Auth != catalog.AuthNone {
			class := w.Entry.FreeAccessClass
			w.Entry.FreeAccessClass = catalog.AccessUnknown
			w.Withdraw("free_access_class", class, w.Entry.FreeAccessClass)
		}
	}
	if d.Count > 0 && !same(d.Endpoints, api.Endpoints) && w.Mine("api.endpoints", len(api.Endpoints) == 0) {
		before := max(api.EndpointsCount, len(api.Endpoints))
		api.Endpoints, api.EndpointsCount = d.Endpoints, d.Count
		w.Note("api.endpoints", f.source, "paths", doc, before, d.Count)
	}
	if len(w.Fields) > 0 {
		api.UpdatedAt = w.At
	}
}

// takeServer takes over what an MCP server said in its handshake.
func (w *change) takeServer(f *findings) {
	m := *w.Entry.MCP
	w.Entry.MCP = &m
	s := f.server
	version, _ := source.Line(s.Version)
	version, _ = source.Cut(version, catalog.TagMax)
	w.text(&m.Version, version, "mcp.version", f.source, "serverInfo.version", "from the protocol's handshake")
	if s.Protocol != "" && !slices.Contains(m.ProtocolVersions, s.Protocol) && w.Mine("mcp.protocol_versions", len(m.ProtocolVersions) == 0) {
		protocol, _ := source.Line(s.Protocol)
		protocol, _ = source.Cut(protocol, catalog.TagMax)
		from := m.ProtocolVersions
		m.ProtocolVersions = append(slices.Clone(from), protocol)
		slices.Sort(m.ProtocolVersions)
		w.Note("mcp.protocol_versions", f.source, "protocolVersion", "the revision that was agreed on", from, m.ProtocolVersions)
	}
	if tools := cleaned(s.Tools); s.HasTools && !same(tools, m.Tools) {
		from := len(m.Tools)
		m.Tools = tools
		w.Note("mcp.tools", f.source, "tools", "as tools/list names them", from, len(tools))
	}
	if at := f.at.UTC().Truncate(time.Second); at.After(m.HandshakeAt) {
		from := any(nil)
		if !m.HandshakeAt.IsZero() {
			from = m.HandshakeAt
		}
		m.HandshakeAt = at
		w.Note("mcp.handshake_at", f.source, "", "time of a handshake that succeeded", from, at)
	}
	if slices.ContainsFunc(w.Fields, verify.Moves) {
		m.UpdatedAt = w.At
	}
}

// same tells that two lists say the same.
func same[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}

// cleaned are tools whose texts can be published; those without a name are
// left out.
func cleaned(tools []catalog.MCPTool) []catalog.MCPTool {
	out := make([]catalog.MCPTool, 0, len(tools))
	line := func(s string, limit int) string {
		s, _ = source.Line(s)
		s, _ = source.Cut(s, limit)
		return personal.Redact(s)
	}
	for _, t := range tools[:min(len(tools), maxTools)] {
		t.Name, t.Title, t.Description = line(t.Name, maxToolName), line(t.Title, maxToolName), line(t.Description, maxToolText)
		t.Arguments = slices.Clone(t.Arguments)
		for i := range t.Arguments {
			a := &t.Arguments[i]
			a.Name, a.Description, a.Example = line(a.Name, maxToolName), line(a.Description, maxToolText), line(a.Example, maxToolName)
		}
		if t.Name != "" {
			out = append(out, t)
		}
	}
	return out
}
