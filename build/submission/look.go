package submission

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/openapidoc"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// bodyMax is how much of an answer is read, in bytes; descriptions of APIs
// reach megabytes.
const bodyMax = 8 << 20

// look is the look at one address.
type look struct {
	checker    *Checker
	in         source.Input
	submission *catalog.Submission
	fetch      source.Fetch
	// findings are what a moderator should know, in order.
	findings []string
}

func (l *look) find(format string, args ...any) {
	if len(l.findings) < 20 {
		l.findings = append(l.findings, fmt.Sprintf(format, args...))
	}
}

// answer is what an address answered with.
type answer struct {
	url, media string
	body       []byte
	// whole tells that the body is not cut.
	whole bool
}

func (l *look) get(ctx context.Context, address, accept string) (*answer, error) {
	resp, err := l.fetch(ctx, source.Request{URL: address, Accept: accept})
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, bodyMax+1))
	if err != nil {
		return nil, err
	}
	a := &answer{url: resp.URL, media: mediaType(resp.Header.Get("Content-Type")), body: body, whole: len(body) <= bodyMax}
	if !a.whole {
		a.body = body[:bodyMax]
	}
	return a, nil
}

func mediaType(header string) string {
	media, _, _ := strings.Cut(header, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// draft finds out what is at the address.
func (l *look) draft(ctx context.Context) (source.Draft, error) {
	s := l.submission
	if s.Type == catalog.TypeMCPServer || s.Type == "" && mcpPath(s.URL) {
		d, ok := l.mcp(ctx)
		switch {
		case ok:
			return d, nil
		case s.Type == catalog.TypeMCPServer:
			return d, &source.FetchError{URL: fetch.Public(s.URL), Code: fetch.CodeConnection, Attempts: 1, Err: errHandshake}
		}
	}
	a, err := l.get(ctx, s.URL, "")
	var failed *source.FetchError
	if errors.As(err, &failed) && (failed.Status == http.StatusUnauthorized || failed.Status == http.StatusForbidden) {
		l.find("the address asks for credentials (status %d)", failed.Status)
		return l.stated(&answer{url: s.URL}, kindOf(s, catalog.TypeAPI)), nil
	}
	if err != nil {
		return source.Draft{}, err
	}
	if a.url != s.URL {
		l.find("the address leads to %s", a.url)
	}
	kind := detect(a)
	if kind == "html" {
		return l.page(ctx, a)
	}
	if tooDeep(a.body) {
		return source.Draft{}, errDepth
	}
	if kind != "" {
		if d, ok, err := l.read(ctx, kind, a); ok || err != nil {
			return d, err
		}
	}
	return l.stated(a, kindOf(s, catalog.TypeDataset)), nil
}

// errHandshake is an MCP server that does not speak.
var errHandshake = errors.New("no MCP handshake")

// kindOf is the type that the submitter states, else another one.
func kindOf(s *catalog.Submission, other catalog.EntryType) catalog.EntryType {
	if s.Type != "" {
		return s.Type
	}
	return other
}

// mcpPath tells whether an address looks like that of an MCP server.
func mcpPath(address string) bool {
	address, _, _ = strings.Cut(address, "?")
	last := strings.ToLower(path.Base(address))
	return last == "mcp" || last == "sse"
}

// mcp speaks to an MCP server.
func (l *look) mcp(ctx context.Context) (source.Draft, bool) {
	s := l.submission
	transport := "streamable-http"
	if strings.HasSuffix(strings.TrimRight(s.URL, "/"), "/sse") {
		transport = "sse"
	}
	e := catalog.Entry{Type: catalog.TypeMCPServer, MCP: &catalog.MCPDetails{EndpointURL: s.URL, Transport: transport}}
	up := false
	if target, ok := verify.TargetOf(&e); ok {
		found := l.checker.Prober.Probe(ctx, target).Check
		up = found.Up
		if up {
			l.find("an MCP server answers the handshake")
		} else {
			l.find("no MCP handshake: %s %s", found.Class, found.Error)
		}
	}
	d := l.stated(&answer{url: s.URL}, catalog.TypeMCPServer)
	d.Entry.MCP = e.MCP
	d.Rows = append(d.Rows, catalog.FieldRow{Field: "mcp.endpoint_url", Basis: catalog.BasisObserved, SourceID: l.in.Source.ID, SourceURL: s.URL, ObservedAt: l.in.Now})
	return d, up
}

// errEnough ends a connector that has delivered enough.
var errEnough = errors.New("enough drafts")

// read lets a connector of the harvest read the answer. It is false when the
// connector makes nothing of it.
func (l *look) read(ctx context.Context, kind string, a *answer) (d source.Draft, ok bool, err error) {
	connector, known := harvest.Connectors()[kind]
	if !known || !a.whole {
		return d, false, nil
	}
	in := l.in
	in.Name, in.Source.Kind, in.Source.URL = a.url, kind, a.url
	in.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(a.body)), nil }
	var drafts []source.Draft
	deep := false
	err = connector.Run(ctx, in, func(d source.Draft) error {
		if drafts = append(drafts, d); len(drafts) > 1 {
			return errEnough
		}
		return nil
	}, func(x source.Rejection) error {
		deep = deep || x.Reason == openapidoc.ErrTooDeep.Error()
		l.find("%s: %s", x.Code, x.Reason)
		return nil
	})
	switch {
	case len(drafts) > 1:
		return d, false, unfit("the address lists several sources: propose them one by one, or ask the register to harvest the catalogue")
	case len(drafts) == 1:
		l.find("read as %s", kind)
		d = drafts[0]
		l.complete(&d)
		return d, true, nil
	case deep:
		return d, false, errDepth
	case ctx.Err() != nil:
		return d, false, ctx.Err()
	case err != nil:
		l.find("not readable as %s: %v", kind, err)
	}
	return d, false, nil
}
