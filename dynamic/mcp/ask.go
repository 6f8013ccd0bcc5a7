package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/dynamic/inside"
	"github.com/assay-register/assay/render/wire"
)

// redirectsMax is how far another name of an entry is away from it at most.
const redirectsMax = 2

// asker asks the operations inside the process.
type asker struct {
	api *inside.API
	// base is the path of the register on its host, as links begin; site is its address.
	base, site string
}

// call answers a tool by its operation. What the caller got wrong is a result
// with advice, so that a model can correct itself (MCP "Tools", error handling).
func (a *asker) call(m *made) sdk.ToolHandler {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		args := map[string]any{}
		if len(r.Params.Arguments) > 0 {
			if err := json.Unmarshal(r.Params.Arguments, &args); err != nil {
				return advice("The arguments are no JSON object."), nil //nolint:nilerr // the advice tells it
			}
		}
		if err := m.input.Validate(args); err != nil {
			return advice("The arguments do not fit the tool's input schema: " + err.Error()), nil //nolint:nilerr // the advice tells it
		}
		fields := chosen(args)
		if text := m.unknown(fields); text != "" {
			return advice(text), nil
		}
		target, wrong := m.target(args)
		if wrong != "" {
			return advice(wrong), nil
		}
		got, err := a.get(ctx, target)
		if errors.Is(err, inside.ErrTooLong) {
			return advice(tooLong), nil
		}
		if err != nil {
			return nil, err
		}
		if p := got.Problem(); p != nil {
			return advice(problem(p)), nil
		}
		body, err := m.from.shorter(got.Body, fields, a.page)
		if err != nil {
			return nil, err
		}
		return result(body), nil
	}
}

func result(body []byte) *sdk.CallToolResult {
	return &sdk.CallToolResult{StructuredContent: json.RawMessage(body), Content: []sdk.Content{&sdk.TextContent{Text: string(body)}}}
}

// chosen takes the members that are asked for out of the arguments.
func chosen(args map[string]any) (fields []string) {
	list, _ := args[fieldsParam].([]any)
	for _, f := range list {
		if s, ok := f.(string); ok {
			fields = append(fields, s)
		}
	}
	return fields
}

// page is the address of an entry's page.
func (a *asker) page(slug string) string { return a.site + "/entry/" + slug }

// rowsDefault is how many entries a list has for an agent.
const rowsDefault = 10

func advice(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// unknown tells of a member that entries do not have, "" if there is none.
func (m *made) unknown(fields []string) string {
	for _, f := range fields {
		if !slices.Contains(m.members, any(f)) {
			return fmt.Sprintf("Entries have no member %q. They have: %s.", f, text(m.members))
		}
	}
	return ""
}

// target is the address of the operation with the arguments as parameters, or what is wrong with them: a name
// that makes the address of something else is no name of one.
func (m *made) target(args map[string]any) (target, wrong string) {
	path, query := m.path, url.Values{}
	for _, p := range m.params {
		v, ok := args[p.Name]
		switch {
		case !ok && p.Name == "limit":
			query.Set("limit", strconv.Itoa(rowsDefault))
		case !ok:
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(text(v)))
			if text(v) == "" || m.taken[path] {
				return "", fmt.Sprintf("Nothing is called %q here: %s is an id, or a name that another answer gave.", text(v), p.Name)
			}
		default:
			query.Set(p.Name, text(v))
		}
	}
	if len(query) == 0 {
		return path, ""
	}
	return path + "?" + query.Encode(), ""
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

// answerMax bounds what an agent is told at once, in bytes: the service holds an
// answer several times while it is written as text and as an object. A page of
// a hundred results has a fifth of it.
const answerMax = 2 << 20

// tooLong is the advice in place of an answer beyond answerMax.
var tooLong = fmt.Sprintf("The answer is larger than %d MiB. Ask for less: a smaller limit, fewer entries, a narrower query.", answerMax>>20)

// get asks for a path below the base and follows it to its other name.
func (a *asker) get(ctx context.Context, target string) (*inside.Answer, error) {
	ctx, done := patient(ctx)
	defer done()
	for range redirectsMax + 1 {
		got, err := a.api.Get(ctx, a.base+target)
		if err != nil {
			return nil, err
		}
		location := got.Header.Get("Location")
		if got.Status != http.StatusPermanentRedirect || location == "" {
			return got, nil
		}
		target = strings.TrimPrefix(location, a.base)
	}
	return nil, fmt.Errorf("ask %s: too many names for one thing", target)
}

// problem is the text of an error answer (RFC 9457).
func problem(p *wire.Problem) string {
	lines := []string{strings.TrimSpace(p.Title + ". " + p.Detail)}
	for _, e := range p.Errors {
		lines = append(lines, "- "+e.Location+": "+e.Message)
	}
	return strings.Join(lines, "\n")
}
