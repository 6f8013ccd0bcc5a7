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
	err := p.session(ctx, v, t, "")
	if last, ok := v.last(); err != nil && ok && t.Transport != "sse" && unlikeModern(last.Status) && ctx.Err() == nil {
		// A server of the earlier revisions may refuse the first request in a
		// way that ends the session.
		err = p.session(ctx, v, t, legacyProtocol)
	}
	f := finding{Check: catalog.Check{Method: http.MethodPost, Up: err == nil}}
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
func (p *Prober) session(ctx context.Context, v *visit, t Target, version string) error {
	said := make(chan error, 1)
	go func() { said <- p.talk(ctx, v, t, version) }()
	select {
	case err := <-said:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// talk connects, lists the first page of tools and takes its leave.
func (p *Prober) talk(ctx context.Context, v *visit, t Target, version string) error {
	client := &http.Client{Transport: v, CheckRedirect: p.client.CheckRedirect}
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: t.URL, HTTPClient: client, MaxRetries: -1,
		DisableStandaloneSSE: true, MaxEventSize: sessionBytes}
	if t.Transport == "sse" {
		transport, version = &mcp.SSEClientTransport{Endpoint: t.URL, HTTPClient: client, MaxEventSize: sessionBytes}, legacyProtocol
	}
	me := mcp.NewClient(&mcp.Implementation{Name: "assay", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := me.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	if c := session.InitializeResult().Capabilities; c == nil || c.Tools == nil {
		return nil
	}
	if _, err := session.ListTools(ctx, nil); err != nil {
		return fmt.Errorf("tools/list: %w", err)
	}
	return nil
}
