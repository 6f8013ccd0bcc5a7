package verify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/render/catalog"
)

// legacyProtocol is the newest revision of MCP that begins with initialize.
const legacyProtocol = "2025-11-25"

// handshake speaks to an MCP server as a client does: server/discover, else
// initialize, then tools/list.
func (p *Prober) handshake(ctx context.Context, v *visit, t Target) finding {
	server, err := p.session(ctx, v, t, "")
	if last, ok := v.last(); err != nil && ok && t.Transport != "sse" && unlikeModern(last.Status) && ctx.Err() == nil {
		// A server of the earlier revisions may refuse the first request in a
		// way that ends the session.
		server, err = p.session(ctx, v, t, legacyProtocol)
	}
	f := finding{server: server, Check: catalog.Check{Method: http.MethodPost, Up: err == nil}}
	var resting errResting
	if errors.As(err, &resting) {
		f.deferred = resting.until
	}
	deciding := Exchange{}
	for _, ex := range v.exchanges() {
		f.LatencyMS += int(ex.Duration.Milliseconds())
		if ex.Method == http.MethodPost && ex.Status != http.StatusAccepted || deciding.URL == "" {
			deciding = ex
		}
	}
	f.LatencyMS = max(f.LatencyMS, 1)
	f.HTTPStatus, f.ContentType, f.Bytes = deciding.Status, short(deciding.ContentType), deciding.Bytes
	if err == nil {
		return f
	}
	f.answered = deciding.Status != 0
	if !f.answered || ctx.Err() != nil {
		f.LatencyMS = 0
		f.Class, f.Error = classify(ctx, err, p.Longest().String())
		f.silent = silent(err, f.Class)
		return f
	}
	j := judge(true, &answer{status: deciding.Status, header: http.Header{"Content-Type": {deciding.ContentType}}})
	if j.up && !j.auth {
		j = verdict{class: catalog.ErrorHTTP, text: "the protocol handshake failed: " + handshakeError(err)}
	}
	f.Up, f.RequiresAuth, f.Class, f.Error = j.up, j.auth, j.class, j.text
	return f
}

// unlikeModern tells whether a status may be that of a server that does not
// know server/discover.
func unlikeModern(status int) bool {
	return status >= 400 && status != http.StatusUnauthorized && status != http.StatusForbidden &&
		status != http.StatusTooManyRequests && status != http.StatusUnavailableForLegalReasons
}

// handshakeError is the library's error without what it stands for.
func handshakeError(err error) string {
	return short(strings.TrimPrefix(err.Error(), "calling "))
}

// session speaks to the server and comes back when the probe's time is over,
// even where the library still waits to say goodbye: its requests end with the
// context.
func (p *Prober) session(ctx context.Context, v *visit, t Target, version string) (*Server, error) {
	type answer struct {
		server *Server
		err    error
	}
	said := make(chan answer, 1)
	go func() {
		s, err := p.talk(ctx, v, t, version)
		said <- answer{s, err}
	}()
	select {
	case a := <-said:
		return a.server, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Server is what an MCP server says about itself. Its texts are as they came.
type Server struct {
	// Version is the server's own, Protocol the revision that was agreed on.
	Version, Protocol string
	// HasTools tells that the server offers tools, More that Tools are only the
	// first page of them.
	HasTools, More bool
	Tools          []catalog.MCPTool
}

// talk connects, lists the first page of tools and takes its leave.
func (p *Prober) talk(ctx context.Context, v *visit, t Target, version string) (*Server, error) {
	client := &http.Client{Transport: v, CheckRedirect: p.client.CheckRedirect}
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: t.URL, HTTPClient: client, MaxRetries: -1,
		DisableStandaloneSSE: true, MaxEventSize: sessionBytes}
	if t.Transport == "sse" {
		transport, version = &mcp.SSEClientTransport{Endpoint: t.URL, HTTPClient: client, MaxEventSize: sessionBytes}, legacyProtocol
	}
	me := mcp.NewClient(&mcp.Implementation{Name: "assay", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := me.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return nil, err
	}
	defer func() { _ = session.Close() }()
	hello := session.InitializeResult()
	server := &Server{Protocol: hello.ProtocolVersion}
	if hello.ServerInfo != nil {
		server.Version = hello.ServerInfo.Version
	}
	if hello.Capabilities == nil || hello.Capabilities.Tools == nil {
		return server, nil
	}
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("tools/list: %w", err)
	}
	server.HasTools, server.More = true, list.NextCursor != ""
	for _, tool := range list.Tools {
		if tool != nil {
			server.Tools = append(server.Tools, catalog.MCPTool{Name: tool.Name, Title: toolTitle(tool), Description: tool.Description,
				ReadOnly: tool.Annotations != nil && tool.Annotations.ReadOnlyHint, Arguments: toolArguments(tool.InputSchema)})
		}
	}
	return server, nil
}

// toolTitle is the title for people, which earlier revisions keep among the
// annotations.
func toolTitle(t *mcp.Tool) string {
	if t.Title == "" && t.Annotations != nil {
		return t.Annotations.Title
	}
	return t.Title
}
