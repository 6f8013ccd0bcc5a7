package score

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func TestAccessOf(t *testing.T) {
	const home, docs, source, base, file = "https://example.org", "https://example.org/docs", "https://example.org/source", "https://api.example.org", "https://example.org/a.csv"
	api := func(auth catalog.AuthType, d catalog.APIDetails) catalog.Entry {
		return catalog.Entry{Type: catalog.TypeAPI, AuthType: auth, DocsURL: docs, HomepageURL: home, PrimarySourceURL: source, API: &d}
	}
	dataset := func(auth catalog.AuthType, list ...catalog.Distribution) catalog.Entry {
		return catalog.Entry{Type: catalog.TypeDataset, AuthType: auth, Dataset: &catalog.DatasetDetails{LandingPage: home, Distributions: list}}
	}
	server := func(auth catalog.AuthType, url string) catalog.Entry {
		return catalog.Entry{Type: catalog.TypeMCPServer, AuthType: auth, DocsURL: docs, MCP: &catalog.MCPDetails{EndpointURL: url}}
	}
	guess := api(catalog.AuthUnknown, catalog.APIDetails{BaseURL: base})
	guess.FreeAccessClass = catalog.AccessFreeNoAuth
	for _, c := range []struct {
		name  string
		entry catalog.Entry
		level catalog.AccessLevel
		// kinds are the actions, the primary first; ! marks a runnable one,
		// * a direct one.
		kinds string
	}{
		{"open API", api(catalog.AuthNone, catalog.APIDetails{BaseURL: base, OpenAPIURL: base + "/openapi.json"}), catalog.LevelDirect, "api!* openapi! docs landing source"},
		{"API with a key", api(catalog.AuthAPIKey, catalog.APIDetails{BaseURL: base, OpenAPIURL: base + "/openapi.json"}), catalog.LevelDocumented, "api* openapi! docs landing source"},
		{"authentication unknown", api(catalog.AuthUnknown, catalog.APIDetails{BaseURL: base}), catalog.LevelDocumented, "api* docs landing source"},
		{"unknown, but free without credentials", guess, catalog.LevelDirect, "api!* docs landing source"},
		{"GraphQL", api(catalog.AuthNone, catalog.APIDetails{GraphQLURL: base}), catalog.LevelDirect, "graphql!* docs landing source"},
		{"only a ping URL", api(catalog.AuthNone, catalog.APIDetails{PingURL: base}), catalog.LevelDirect, "api!* docs landing source"},
		{"only a description", api(catalog.AuthNone, catalog.APIDetails{OpenAPIURL: base}), catalog.LevelDocumented, "openapi! docs landing source"},
		{"the base URL is the home page", api(catalog.AuthNone, catalog.APIDetails{BaseURL: home}), catalog.LevelDirect, "api!* docs source"},
		{"no details", catalog.Entry{Type: catalog.TypeAPI, AuthType: catalog.AuthNone, PrimarySourceURL: source}, catalog.LevelReferenceOnly, "source"},
		{"nothing", catalog.Entry{Type: catalog.TypeAPI}, catalog.LevelReferenceOnly, ""},
		{"open file", dataset(catalog.AuthNone, catalog.Distribution{DownloadURL: file, AccessURL: docs}), catalog.LevelDirect, "download!* landing"},
		{"a page behind which the file is", dataset(catalog.AuthNone, catalog.Distribution{AccessURL: docs}), catalog.LevelDocumented, "download! landing"},
		{"a page before a file", dataset(catalog.AuthNone, catalog.Distribution{AccessURL: docs}, catalog.Distribution{DownloadURL: file}), catalog.LevelDirect, "download!* download! landing"},
		{"file with a key", dataset(catalog.AuthBearer, catalog.Distribution{DownloadURL: file}), catalog.LevelDocumented, "download* landing"},
		{"distribution without address", dataset(catalog.AuthNone, catalog.Distribution{Title: "x"}), catalog.LevelDocumented, "landing"},
		{"dataset without details", catalog.Entry{Type: catalog.TypeDataset, AuthType: catalog.AuthNone}, catalog.LevelReferenceOnly, ""},
		{"open server", server(catalog.AuthNone, base), catalog.LevelDirect, "mcp!* docs"},
		{"server with OAuth", server(catalog.AuthOAuth, base), catalog.LevelDocumented, "mcp* docs"},
		{"local server", server(catalog.AuthNone, ""), catalog.LevelDocumented, "docs"},
		{"server without details", catalog.Entry{Type: catalog.TypeMCPServer}, catalog.LevelReferenceOnly, ""},
	} {
		a := AccessOf(&c.entry)
		var kinds []string
		for _, x := range a.Actions {
			k := x.Kind
			if x.Runnable {
				k += "!"
			}
			if x.Direct {
				k += "*"
			}
			kinds = append(kinds, k)
			if x.Label == "" || x.Method == "" || x.URL == "" || x.Source == "" {
				t.Errorf("%s: action %+v lacks a text", c.name, x)
			}
		}
		if got := strings.Join(kinds, " "); got != c.kinds || a.Level != c.level {
			t.Errorf("%s: %s, actions %q; want %s, %q", c.name, a.Level, got, c.level, c.kinds)
		}
		if (a.Primary == nil) != (len(a.Actions) == 0) || a.Primary != nil && *a.Primary != a.Actions[0] {
			t.Errorf("%s: the primary action is %+v", c.name, a.Primary)
		}
	}
}

func TestActionsNameTheirSource(t *testing.T) {
	e := catalog.Entry{Type: catalog.TypeAPI, API: &catalog.APIDetails{PingURL: "https://api.example.org/ping"}}
	if got := AccessOf(&e).Primary.Source; got != "api_details.ping_url" {
		t.Errorf("the ping URL comes from %s", got)
	}
	e.API.BaseURL = "https://api.example.org"
	if got := AccessOf(&e).Primary.Source; got != "api_details.base_url" {
		t.Errorf("the base URL comes from %s", got)
	}
	d := catalog.Entry{Type: catalog.TypeDataset, Dataset: &catalog.DatasetDetails{Distributions: []catalog.Distribution{{Title: "All", Format: "CSV", DownloadURL: "https://example.org"}}}}
	if got := AccessOf(&d).Primary.Label; got != "Download CSV: All" {
		t.Errorf("label %q", got)
	}
}

func TestCapability(t *testing.T) {
	for _, c := range []struct {
		auth  catalog.AuthType
		state catalog.VerificationState
		want  catalog.CapabilityTier
	}{
		{catalog.AuthNone, catalog.StateVerified, catalog.TierLive}, {catalog.AuthNone, catalog.StateStale, catalog.TierReference},
		{catalog.AuthNone, "", catalog.TierReference}, {catalog.AuthAPIKey, catalog.StateVerified, catalog.TierReference},
	} {
		in := bare(catalog.TypeAPI)
		in.entry().API.BaseURL, in.entry().AuthType = "https://api.example.org", c.auth
		if c.state != "" {
			in.Row.State = &catalog.CheckState{State: c.state}
		}
		if got := Of(in).Capability; got != c.want {
			t.Errorf("%s, %s: %s", c.auth, c.state, got)
		}
	}
}
