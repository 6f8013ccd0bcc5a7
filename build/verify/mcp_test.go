package verify

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/render/catalog"
)

func newMCP(tools int) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "statistics", Version: "2"}, nil)
	for i := range tools {
		mcp.AddTool(s, &mcp.Tool{Name: fmt.Sprintf("tool_%d", i), Description: "A tool."},
			func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
				return nil, nil, nil
			})
	}
	return s
}

// methods notes what a server was asked.
type methods struct {
	mu   sync.Mutex
	list []string
}

func (m *methods) watch(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		m.mu.Lock()
		m.list = append(m.list, method)
		m.mu.Unlock()
		return next(ctx, method, r)
	}
}

// TestProbeMCP speaks to servers of the official library: the newest protocol
// without sessions, the earlier ones with sessions, with streams and as JSON,
// and the first transport of all.
func TestProbeMCP(t *testing.T) {
	for name, c := range map[string]struct {
		options   mcp.StreamableHTTPOptions
		transport string
		tools     int
		asked     string
	}{
		"2026-07-28":        {mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}, "streamable-http", 3, "server/discover tools/list"},
		"2026-07-28 stream": {mcp.StreamableHTTPOptions{Stateless: true}, "streamable-http", 3, "server/discover tools/list"},
		"sessions":          {mcp.StreamableHTTPOptions{JSONResponse: true}, "streamable-http", 2000, "server/discover initialize notifications/initialized tools/list"},
		"sessions stream":   {mcp.StreamableHTTPOptions{}, "", 1, "server/discover initialize notifications/initialized tools/list"},
		"sse":               {mcp.StreamableHTTPOptions{}, "sse", 1, "initialize notifications/initialized tools/list"},
		"no tools":          {mcp.StreamableHTTPOptions{Stateless: true}, "", 0, "server/discover"},
	} {
		t.Run(name, func(t *testing.T) {
			s, asked := newMCP(c.tools), &methods{}
			s.AddReceivingMiddleware(asked.watch)
			get := func(*http.Request) *mcp.Server { return s }
			var handler http.Handler = mcp.NewStreamableHTTPHandler(get, &c.options)
			if c.transport == "sse" {
				handler = mcp.NewSSEHandler(get, nil)
			}
			srv := httptest.NewServer(handler)
			defer srv.Close()
			o := testProber(10*time.Second).Probe(t.Context(), Target{EntryID: "e", Kind: KindMCP, URL: srv.URL + "/mcp", Data: true, Transport: c.transport})
			k := &o.Check
			if !k.Up || k.Class != "" || k.Error != "" || k.LatencyMS <= 0 || k.Method != http.MethodPost || k.HTTPStatus/100 != 2 {
				t.Errorf("row %+v", k)
			}
			if s := o.Server; s == nil || s.Version != "2" || s.Protocol == "" || s.HasTools != (c.tools > 0) || len(s.Tools) == 0 && c.tools > 0 ||
				len(s.Tools) > c.tools || s.More != (len(s.Tools) < c.tools) {
				t.Errorf("server %+v", s)
			}
			asked.mu.Lock()
			defer asked.mu.Unlock()
			if got := strings.Join(asked.list, " "); got != c.asked {
				t.Errorf("asked for %s, want %s", got, c.asked)
			}
		})
	}
}

// TestProbeMCPRefused: what is not an MCP server, or none for everybody.
func TestProbeMCPRefused(t *testing.T) {
	old := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return newMCP(1) }, nil)
	answer := func(status int, contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		up      bool
		status  int
		class   catalog.ErrorClass
	}{
		"behind credentials": {answer(401, "application/json", `{"error":"no token"}`), true, 401, ""},
		"forbidden":          {answer(403, "text/plain", "no"), true, 403, ""},
		"a page":             {answer(200, "text/html", "<html>"), false, 200, catalog.ErrorContentType},
		"a broken answer":    {answer(200, "application/json", `{"jsonrpc":`), false, 200, catalog.ErrorHTTP},
		"another protocol":   {answer(200, "application/json", `{"hello":"world"}`), false, 200, catalog.ErrorHTTP},
		"gone":               {answer(404, "text/plain", "not here"), false, 404, catalog.ErrorHTTP},
		"busy":               {answer(429, "text/plain", ""), false, 429, catalog.ErrorRateLimited},
		"broken":             {answer(500, "text/plain", ""), false, 500, catalog.ErrorHTTP},
		"too long":           {answer(200, "application/json", `"`+strings.Repeat("x", sessionBytes)), false, 200, catalog.ErrorHTTP},
		"only the old protocol": {func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Mcp-Method") != "" || r.Header.Get("MCP-Protocol-Version") == "2026-07-28" {
				http.Error(w, "no such thing", http.StatusNotImplemented)
				return
			}
			old.ServeHTTP(w, r)
		}, true, 200, ""},
	} {
		srv := httptest.NewServer(c.handler)
		o := testProber(5*time.Second).Probe(t.Context(), Target{Kind: KindMCP, URL: srv.URL, Data: true})
		srv.Close()
		if k := &o.Check; k.Up != c.up || k.HTTPStatus != c.status || k.Class != c.class || !o.Reached || len(o.Exchanges) > requestsMax {
			t.Errorf("%s: %+v with %d requests", name, k, len(o.Exchanges))
		}
	}
}

// TestProbeMCPSilent: a server that takes the request and never answers.
func TestProbeMCPSilent(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer srv.Close()
	o := testProber(200*time.Millisecond).Probe(t.Context(), Target{Kind: KindMCP, URL: srv.URL, Data: true})
	if o.Check.Class != catalog.ErrorTimeout || !o.Reached {
		t.Errorf("%+v", o.Check)
	}
}
