package dynamic

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/discovery"
	"github.com/assay-register/assay/render/snapshot"
)

// agents is a service below /reg with its endpoint for agents.
func agents(t *testing.T, st catalog.Store) (*Service, *sitetest.Site) {
	t.Helper()
	const base = "https://register.example/reg"
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 12, BaseURL: base})
	description, err := discovery.OpenAPI(snapshot.Site{BaseURL: base, Name: "Register"}, "1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	if err := site.Put(map[string]string{"/openapi.json": string(description)}); err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{SiteDir: site.Dir, Store: st})
	if err != nil {
		t.Fatal(err)
	}
	return s, site
}

func toolNames(t *testing.T, session *sdk.ClientSession) []string {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range list.Tools {
		if x.OutputSchema == nil {
			t.Errorf("%s has no output schema", x.Name)
		}
		names = append(names, x.Name)
	}
	return names
}

// duplex keeps net/http from closing the body of a request when its answer begins:
// ReverseProxy may still look for the body's end then, and breaks off the answer.
func duplex(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// TestAgentsBehindAProxy reaches the endpoint through a reverse proxy on the
// same machine, which strips the base path or not, and keeps the register's
// Host or not.
func TestAgentsBehindAProxy(t *testing.T) {
	s, site := agents(t, nil)
	inner := httptest.NewServer(s.Handler())
	defer inner.Close()
	at, _ := url.Parse(inner.URL)
	for _, c := range []struct {
		strip bool
		host  string
	}{{false, ""}, {true, ""}, {false, "register.example"}, {true, "register.example"}} {
		proxy := httptest.NewServer(duplex(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(at)
			r.Out.URL.Path = r.In.URL.Path
			if c.strip {
				r.Out.URL.Path = strings.TrimPrefix(r.In.URL.Path, "/reg")
			}
			if c.host != "" {
				r.Out.Host = c.host
			}
		}}))
		session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
			Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: proxy.URL + "/reg/mcp"}, nil)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		slug := site.Catalog.Lines[0].Slug
		got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_entry", Arguments: map[string]any{"idOrSlug": slug}})
		if err != nil || got.IsError || !strings.Contains(got.Content[0].(*sdk.TextContent).Text, `"href":"https://register.example/reg/entry/`+slug+`"`) {
			t.Errorf("%+v: %v, %+v", c, err, got)
		}
		read, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "https://register.example/reg/api/v1/entries/" + slug})
		if err != nil || read.Contents[0].Text != string(site.Page("/api/v1/entries/"+slug)) {
			t.Errorf("%+v: resource: %v", c, err)
		}
		session.Close()
		proxy.Close()
	}
	// A page of another site that points its name here is refused.
	for header, value := range map[string]string{"Host": "evil.example", "Origin": "https://evil.example"} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, inner.URL+"/mcp", strings.NewReader("{}"))
		if r.Header.Set(header, value); header == "Host" {
			r.Host = value
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if res.Body.Close(); res.StatusCode != http.StatusForbidden {
			t.Errorf("%s %s: %d", header, value, res.StatusCode)
		}
	}
}

// TestToolsAreWhatIsServed: a service without a store offers no tool whose
// operation it cannot answer.
func TestToolsAreWhatIsServed(t *testing.T) {
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for _, with := range []catalog.Store{nil, st} {
		s, _ := agents(t, with)
		server := httptest.NewServer(s.Handler())
		session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
			Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server.URL + "/mcp"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		names := toolNames(t, session)
		for tool, needs := range map[string]bool{"verify_hash": true, "list_changes": true, "compare_entries": false, "get_entry": false, "search_entries": false} {
			if got, want := slices.Contains(names, tool), !needs || with != nil; got != want {
				t.Errorf("store %t: tool %s is offered: %t", with != nil, tool, got)
			}
		}
		session.Close()
		server.Close()
	}
}
