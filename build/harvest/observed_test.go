package harvest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
)

// TestObservedStays: a harvest does not undo what the register read from the
// source itself, as long as the source is the same and the publisher says
// nothing.
func TestObservedStays(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	ends := []catalog.Endpoint{{Method: "GET", Path: "/"}}
	found := catalog.APIDetails{OpenAPIURL: "https://a.example/o", BaseURL: "https://a.example", Version: "2", SpecFormat: "openapi",
		RateLimitInfo: "r", TermsURL: "https://a.example/t", Endpoints: ends, EndpointsCount: 7}
	merge := func(delivered catalog.APIDetails) (catalog.APIDetails, catalog.AuthType) {
		f := catalog.Entry{Type: catalog.TypeAPI, AuthType: catalog.AuthAPIKey, API: &found}
		next := catalog.Entry{Type: catalog.TypeAPI, AuthType: catalog.AuthUnknown, API: &delivered}
		observed(&f, &next)
		return *next.API, next.AuthType
	}
	got, auth := merge(catalog.APIDetails{OpenAPIURL: found.OpenAPIURL, SpecFormat: "none"})
	if d := cmp.Diff(found, got); d != "" || auth != catalog.AuthAPIKey {
		t.Errorf("%s %s", auth, d)
	}
	stated := catalog.APIDetails{OpenAPIURL: found.OpenAPIURL, BaseURL: "https://b.example", Version: "3", SpecFormat: "swagger",
		RateLimitInfo: "s", TermsURL: "https://b.example/t", Endpoints: []catalog.Endpoint{{Method: "PUT", Path: "/x"}}, EndpointsCount: 1}
	if got, _ = merge(stated); cmp.Diff(stated, got) != "" {
		t.Errorf("what is stated is lost: %+v", got)
	}
	moved := catalog.APIDetails{OpenAPIURL: "https://c.example/o"}
	if got, auth = merge(moved); cmp.Diff(moved, got) != "" || auth != catalog.AuthUnknown {
		t.Errorf("what another document says stays: %+v, %s", got, auth)
	}

	tools := []catalog.MCPTool{{Name: "seen"}}
	f := catalog.Entry{Type: catalog.TypeMCPServer, MCP: &catalog.MCPDetails{Tools: tools, Version: "1", ProtocolVersions: []string{"p"}, HandshakeAt: at}}
	next := catalog.Entry{Type: catalog.TypeMCPServer, MCP: &catalog.MCPDetails{Tools: []catalog.MCPTool{{Name: "listed"}}}}
	observed(&f, &next)
	if d := cmp.Diff(f.MCP, next.MCP); d != "" {
		t.Error(d)
	}
}
