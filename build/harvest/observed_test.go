package harvest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
)

// observedRows are those of fields that the register saw.
func observedRows(fields ...string) (rows []catalog.FieldRow) {
	for _, f := range fields {
		rows = append(rows, catalog.FieldRow{Field: f, Basis: catalog.BasisObserved, SourceURL: "https://a.example/o", UpstreamField: "seen"})
	}
	return rows
}

// TestObservedStays: a harvest does not undo what the register read from the
// source itself, as long as the source is the same and the publisher says
// nothing. What the publisher said and says no longer goes.
func TestObservedStays(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	ends := []catalog.Endpoint{{Method: "GET", Path: "/"}}
	found := catalog.APIDetails{OpenAPIURL: "https://a.example/o", BaseURL: "https://a.example", Version: "2", SpecFormat: "openapi",
		RateLimitInfo: "r", TermsURL: "https://a.example/t", Endpoints: ends, EndpointsCount: 7}
	all := observedRows("api.base_url", "api.version", "api.spec_format", "api.rate_limit_info", "api.terms_url", "api.endpoints", "auth_type")
	merge := func(delivered catalog.APIDetails, rows []catalog.FieldRow) (catalog.APIDetails, catalog.AuthType) {
		it := &item{rows: rows, origin: &catalog.Entry{Type: catalog.TypeAPI, AuthType: catalog.AuthAPIKey, API: &found},
			entry: &catalog.Entry{Type: catalog.TypeAPI, AuthType: catalog.AuthUnknown, API: &delivered}}
		it.keepSeen()
		return *it.entry.API, it.entry.AuthType
	}
	got, auth := merge(catalog.APIDetails{OpenAPIURL: found.OpenAPIURL, SpecFormat: "none"}, all)
	if d := cmp.Diff(found, got); d != "" || auth != catalog.AuthAPIKey {
		t.Errorf("%s %s", auth, d)
	}
	stated := catalog.APIDetails{OpenAPIURL: found.OpenAPIURL, BaseURL: "https://b.example", Version: "3", SpecFormat: "swagger",
		RateLimitInfo: "s", TermsURL: "https://b.example/t", Endpoints: []catalog.Endpoint{{Method: "PUT", Path: "/x"}}, EndpointsCount: 1}
	if got, _ = merge(stated, all); cmp.Diff(stated, got) != "" {
		t.Errorf("what is stated is lost: %+v", got)
	}
	moved := catalog.APIDetails{OpenAPIURL: "https://c.example/o"}
	if got, auth = merge(moved, all); cmp.Diff(moved, got) != "" || auth != catalog.AuthUnknown {
		t.Errorf("what another document says stays: %+v, %s", got, auth)
	}
	silent := catalog.APIDetails{OpenAPIURL: found.OpenAPIURL}
	if got, auth = merge(silent, observedRows("api.version")); got.Version != "2" || got.BaseURL != "" || got.TermsURL != "" || auth != catalog.AuthUnknown {
		t.Errorf("what the publisher does not say any more stays: %+v, %s", got, auth)
	}

	f := catalog.MCPDetails{EndpointURL: "https://m.example", Tools: []catalog.MCPTool{{Name: "seen"}}, Version: "1", ProtocolVersions: []string{"p"}, HandshakeAt: at}
	serve := func(delivered catalog.MCPDetails) catalog.MCPDetails {
		it := &item{rows: observedRows("mcp.tools", "mcp.version", "mcp.protocol_versions", "mcp.handshake_at"),
			origin: &catalog.Entry{Type: catalog.TypeMCPServer, MCP: &f}, entry: &catalog.Entry{Type: catalog.TypeMCPServer, MCP: &delivered}}
		it.keepSeen()
		return *it.entry.MCP
	}
	if d := cmp.Diff(f, serve(catalog.MCPDetails{EndpointURL: f.EndpointURL, Tools: []catalog.MCPTool{{Name: "listed"}}})); d != "" {
		t.Error(d)
	}
	elsewhere := catalog.MCPDetails{EndpointURL: "https://n.example", Tools: []catalog.MCPTool{{Name: "listed"}}}
	if d := cmp.Diff(elsewhere, serve(elsewhere)); d != "" {
		t.Errorf("what another server said stays: %s", d)
	}
}
