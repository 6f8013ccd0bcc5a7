package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/render/wire"
)

// Bounds of an answer: what the register answers to one question is smaller,
// and another name of an entry is at most two redirects away from it.
const (
	answerMax    = 8 << 20
	redirectsMax = 2
)

// asker asks the operations inside the process.
type asker struct {
	api http.Handler
	// base is the path of the register on its host, as links begin.
	base string
}

// call answers a tool by its operation. What the caller got wrong is a result
// with advice, so that a model can correct itself (MCP "Tools", error handling).
func (a *asker) call(m *made) sdk.ToolHandler {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		args := map[string]any{}
		if len(r.Params.Arguments) > 0 {
			if err := json.Unmarshal(r.Params.Arguments, &args); err != nil {
				return advice("The arguments are no JSON object."), nil
			}
		}
		if err := m.input.Validate(args); err != nil {
			return advice("The arguments do not fit the tool's input schema: " + err.Error()), nil
		}
		got, err := a.get(ctx, m.target(args))
		if err != nil {
			return nil, err
		}
		if got.status != http.StatusOK {
			return advice(got.problem()), nil
		}
		return &sdk.CallToolResult{StructuredContent: json.RawMessage(got.body.Bytes()),
			Content: []sdk.Content{&sdk.TextContent{Text: got.body.String()}}}, nil
	}
}

func advice(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// target is the address of the operation with the arguments as parameters.
func (m *made) target(args map[string]any) string {
	path, query := m.path, url.Values{}
	for _, p := range m.params {
		v, ok := args[p.Name]
		switch {
		case !ok:
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(text(v)))
		default:
			query.Set(p.Name, text(v))
		}
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// text is a value of JSON as a parameter has it; several values are separated
// by commas.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case []any:
		list := make([]string, len(v))
		for i := range v {
			list[i] = text(v[i])
		}
		return strings.Join(list, ",")
	}
	return fmt.Sprint(v)
}

// get asks for a path below the base and follows it to its other name.
func (a *asker) get(ctx context.Context, target string) (*answer, error) {
	for range redirectsMax + 1 {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+target, http.NoBody)
		if err != nil {
			return nil, fmt.Errorf("ask %s: %w", target, err)
		}
		r.RequestURI = r.URL.RequestURI()
		got := &answer{header: http.Header{}}
		a.api.ServeHTTP(got, r)
		if got.tooLong {
			return nil, errors.New("the answer is too long")
		}
		location := got.header.Get("Location")
		if got.status != http.StatusPermanentRedirect || location == "" {
			return got, nil
		}
		target = strings.TrimPrefix(location, a.base)
	}
	return nil, fmt.Errorf("ask %s: too many names for one thing", target)
}

// answer holds an answer of the API.
type answer struct {
	header  http.Header
	status  int
	body    bytes.Buffer
	tooLong bool
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.body.Len()+len(b) > answerMax {
		a.tooLong = true
		return 0, errors.New("the answer is too long")
	}
	return a.body.Write(b)
}

// problem is the text of an error answer (RFC 9457).
func (a *answer) problem() string {
	var p wire.Problem
	if err := json.Unmarshal(a.body.Bytes(), &p); err != nil || p.Detail == "" && p.Title == "" {
		return fmt.Sprintf("The register answered with status %d.", a.status)
	}
	lines := []string{strings.TrimSpace(p.Title + ". " + p.Detail)}
	for _, e := range p.Errors {
		lines = append(lines, "- "+e.Location+": "+e.Message)
	}
	return strings.Join(lines, "\n")
}
