package mcp

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/dynamic/inside"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// described is an interface description with the operations of all tools but one.
func described(t *testing.T, leaveOut string) []byte {
	t.Helper()
	paths := map[string]any{}
	for _, x := range tools() {
		if x.operation == leaveOut {
			continue
		}
		paths["/api/v1/"+x.operation+"/{id}"] = map[string]any{"get": map[string]any{
			"operationId": x.operation,
			"parameters": []any{
				map[string]any{"name": "id", "in": "path", "required": true, "description": "Id.", "schema": map[string]any{"type": "string"}},
				map[string]any{"$ref": "#/components/parameters/limit"},
				map[string]any{"name": "tags", "in": "query", "schema": map[string]any{"type": "array", "items": map[string]any{"type": "string"}}},
				map[string]any{"name": "fields", "in": "query", "schema": map[string]any{"type": "array", "items": map[string]any{"type": "string", "enum": []any{"search_vector", "tags", "name"}}}},
				map[string]any{"name": "public", "in": "query", "schema": map[string]any{"type": "boolean"}},
			},
		}}
	}
	paths["/api/v1/getEntry/facets"] = map[string]any{"get": map[string]any{"operationId": "facets"}}
	b, err := json.Marshal(map[string]any{
		"info": map[string]any{"version": "1.2.3"}, "paths": paths,
		"components": map[string]any{
			"parameters": map[string]any{"limit": map[string]any{"name": "limit", "in": "query", "description": "How many.", "schema": map[string]any{"type": "integer", "minimum": 1}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var site = snapshot.Site{BaseURL: "https://register.example/base/", Name: "Register"}

// client is who asks the endpoint; the service knows from a proxy.
const client = "192.0.2.7"

// api answers as the service does: with what was asked, another name, an error.
func api(w http.ResponseWriter, r *http.Request) {
	switch {
	case web.ClientOf(r.Context()) != client || r.RemoteAddr != client+":0":
		w.WriteHeader(http.StatusForbidden) // a question of nobody's
	case strings.HasSuffix(r.URL.Path, "/old"):
		w.Header().Set("Location", strings.TrimSuffix(r.URL.Path, "old")+"new")
		w.WriteHeader(http.StatusPermanentRedirect)
	case strings.HasSuffix(r.URL.Path, "/loop"):
		w.Header().Set("Location", r.URL.Path)
		w.WriteHeader(http.StatusPermanentRedirect)
	case strings.HasSuffix(r.URL.Path, "/long"):
		for range 10 {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	case strings.HasSuffix(r.URL.Path, "/odd"):
		w.WriteHeader(http.StatusTeapot)
	case strings.HasSuffix(r.URL.Path, "/past"):
		_ = json.NewEncoder(w).Encode(map[string]any{"standing": "shown", "at": "2026-01-02T00:00:00Z", "answer": nil, "unknown": []string{"tags", "identity_key"},
			"members": []any{map[string]any{"name": "name", "value": "Tides"}, map[string]any{"name": "data_profile.field_count", "value": 3}, map[string]any{"name": "identity_key", "value": "k"}}})
	case strings.HasSuffix(r.URL.Path, "/kept"):
		_ = json.NewEncoder(w).Encode(map[string]any{"standing": "shown", "at": "2026-01-02T00:00:00Z", "members": []any{}, "answer": map[string]any{"name": "Tides", "slug": "tides", "identity_key": "k"}})
	case strings.HasSuffix(r.URL.Path, "/none"):
		w.WriteHeader(http.StatusUnprocessableEntity)
		_ = json.NewEncoder(w).Encode(wire.Problem{Title: "Invalid", Detail: "Not so.", Errors: []wire.ProblemError{{Location: "query.limit", Message: "too many"}}})
	default:
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_ = json.NewEncoder(w).Encode(map[string]any{"name": r.URL.RequestURI(), "docs_url": nil, "tags": []string{}, "search_vector": "words", "slug": "tides",
			"formats": strings.Split("a b c d e f g h i j k l", " "), "description": strings.Repeat("é", 400), "manifest": map[string]string{"answer_sha256": "sum"}})
	}
}

func endpoint(t *testing.T) *httptest.Server {
	t.Helper()
	h, err := Handler(Config{Site: site, Description: described(t, ""), API: inside.New(http.HandlerFunc(api)), Log: slog.New(slog.DiscardHandler), BodyMax: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r.WithContext(web.WithClient(r.Context(), client))); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func connect(t *testing.T) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &sdk.StreamableClientTransport{Endpoint: endpoint(t).URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func TestToolsAreDescribed(t *testing.T) {
	list, err := connect(t).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != len(tools())+1 {
		t.Errorf("%d tools, not %d and find_data", len(list.Tools), len(tools()))
	}
	for _, x := range list.Tools {
		if x.Annotations == nil || !x.Annotations.ReadOnlyHint || *x.Annotations.DestructiveHint || x.Description == "" || x.Annotations.Title == "" {
			t.Errorf("%s is not described as read-only", x.Name)
		}
		if out := x.OutputSchema.(map[string]any); out["type"] != "object" {
			t.Errorf("%s: output schema %v", x.Name, out)
		}
		takesID := slices.IndexFunc(tools(), func(d tool) bool { return d.name == x.Name && d.params == nil }) >= 0
		if d := cmp.Diff([]any{"id"}, x.InputSchema.(map[string]any)["required"]); takesID && d != "" {
			t.Errorf("%s: %s", x.Name, d)
		}
	}
}

func TestCall(t *testing.T) {
	session := connect(t)
	for _, x := range []struct {
		name, want string
		args       map[string]any
		failed     bool
	}{
		{"all kinds of parameters", `"name":"/base/api/v1/getEntry/a%2Fb%20c?limit=5&public=true&tags=x%2Cy+z"`,
			map[string]any{"id": "a/b c", "limit": 5, "public": true, "tags": []string{"x", "y z"}}, false},
		{"another name", `"name":"/base/api/v1/getEntry/new"`, map[string]any{"id": "old"}, false},
		{"what matters, cut", `"formats":["a","b","c","d","e","f","g","h","i","j"],"formats_count":12,"href":"https://register.example/base/entry/tides","name":`, map[string]any{"id": "x"}, false},
		{"members that are asked for", `{"answer_sha256":"sum","href":"https://register.example/base/entry/tides","search_vector":"words","tags":[]}`,
			map[string]any{"id": "x", "fields": []string{"search_vector", "tags"}}, false},
		{"members that entries do not have", `Entries have no member "colour". They have: search_vector,tags,name.`, map[string]any{"id": "x", "fields": []string{"tags", "colour"}}, true},
		{"what was said then", `{"at":"2026-01-02T00:00:00Z","members":{"data_profile.field_count":3,"name":"Tides"},"standing":"shown","unknown":["tags"]}`, map[string]any{"id": "past"}, false},
		{"what was said then of what is asked for", `{"at":"2026-01-02T00:00:00Z","members":{},"standing":"shown","unknown":["tags"]}`, map[string]any{"id": "past", "fields": []string{"tags"}}, false},
		{"the whole answer of then", `{"answer":{"name":"Tides","slug":"tides"},"at":"2026-01-02T00:00:00Z","standing":"shown"}`, map[string]any{"id": "kept"}, false},
		{"no name", `Nothing is called "" here: id is an id`, map[string]any{"id": ""}, true},
		{"the address of something else", `Nothing is called "facets" here`, map[string]any{"id": "facets"}, true},
		{"an error of the register", "Invalid. Not so.\n- query.limit: too many", map[string]any{"id": "none"}, true},
		{"an error without a text", "The register answered with status 418.", map[string]any{"id": "odd"}, true},
		{"a missing argument", "missing properties", map[string]any{}, true},
		{"an argument of the wrong type", "limit", map[string]any{"id": "a", "limit": "many"}, true},
		{"an unknown argument", "colour", map[string]any{"id": "a", "colour": "red"}, true},
	} {
		got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_entry", Arguments: x.args})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		text := strings.TrimSpace(got.Content[0].(*sdk.TextContent).Text)
		if got.IsError != x.failed || !strings.Contains(text, x.want) {
			t.Errorf("%s: %q, error %t", x.name, text, got.IsError)
		}
		var told any
		if err := json.Unmarshal([]byte(text), &told); !x.failed && (err != nil || !cmp.Equal(told, got.StructuredContent)) {
			t.Errorf("%s: text %s, structured %s", x.name, text, got.StructuredContent)
		}
	}
	for _, id := range []string{"loop"} {
		if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_entry", Arguments: map[string]any{"id": id}}); err == nil {
			t.Errorf("%s is answered", id)
		}
	}
}

func TestResources(t *testing.T) {
	session := connect(t)
	list, err := session.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	got, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "https://register.example/base/api/v1/entries/tides"})
	if err != nil {
		t.Fatal(err)
	}
	if c := got.Contents[0]; !strings.Contains(c.Text, "/base/api/v1/entries/tides") || c.MIMEType != "application/json" {
		t.Errorf("%+v", c)
	}
	for _, uri := range []string{"https://elsewhere.example/base/api/v1/entries/x", "https://register.example/base/api/v1/entries/none", "https://register.example/basement"} {
		if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s can be read", uri)
		}
	}
}

func TestDescriptionMustFit(t *testing.T) {
	c := Config{Site: site, Description: []byte("{"), API: inside.New(http.HandlerFunc(api)), Log: slog.New(slog.DiscardHandler)}
	if _, err := Handler(c); err == nil {
		t.Error("a description that is no JSON is accepted")
	}
	for name, body := range map[string]string{"an operation missing": string(described(t, "getEntry"))} {
		var log strings.Builder
		c.Description, c.Log = []byte(body), slog.New(slog.NewTextHandler(&log, nil))
		if _, err := Handler(c); err != nil || !strings.Contains(log.String(), "get_entry") {
			t.Errorf("%s: %v, log %q", name, err, log.String())
		}
	}
}

func TestOrigin(t *testing.T) {
	c := Config{Site: site, Origins: []string{"https://Agent.example:443/"}}
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	public := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 8080}
	for _, x := range []struct {
		addr         net.Addr
		host, origin string
		ok           bool
	}{
		{local, "localhost:8080", "", true},
		{local, "[::1]:8080", "http://[::1]:8080", true},
		{local, "register.example", "", true},
		{local, "register.example", "https://register.example", true},
		{local, "evil.example", "", false},
		{local, "evil.example", "http://evil.example", false},
		{local, "localhost:8080", "https://evil.example", false},
		{public, "inner-name", "", true},
		{public, "inner-name", "https://register.example", true},
		{public, "inner-name", "https://evil.example", false},
		{public, "inner-name", "null", false},
		{public, "mirror.example", "https://mirror.example", false},
		{public, "inner-name", "https://agent.example", true},
		{public, "inner-name", "http://agent.example", false},
		{public, "inner-name", "http://register.example", false},
		{public, "inner-name", "https://register.example:8443", false},
		{public, "192.0.2.1:8080", "http://192.0.2.1:8080", true},
		{public, "192.0.2.1:8080", "http://192.0.2.1:3000", false},
		{local, "127.0.0.1:8080", "http://127.0.0.1:8080", true},
		{local, "127.0.0.1:8080", "http://localhost:8080", true},
		{local, "127.0.0.1:8080", "http://127.0.0.1:3000", false},
		{local, "localhost:8080", "http://localhost", false},
		{local, "localhost:8080", "ftp://localhost:8080", false},
		{local, "register.example", "http://localhost:8080", false},
		{local, "agent.example", "", true},
		{nil, "anything", "", true},
	} {
		r := httptest.NewRequest(http.MethodPost, "/mcp", io.NopCloser(strings.NewReader("{}")))
		r.Host = x.host
		if x.addr != nil {
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, x.addr))
		}
		if x.origin != "" {
			r.Header.Set("Origin", x.origin)
		}
		if err := c.known().check(r); (err == nil) != x.ok {
			t.Errorf("host %s, origin %q: %v", x.host, x.origin, err)
		}
	}
}
