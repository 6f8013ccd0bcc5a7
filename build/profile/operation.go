package profile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/build/profile/table"
	"github.com/assay-register/assay/render/catalog"
)

// Bounds of what is kept of an operation, in bytes and in number.
const (
	maxArguments  = 20
	maxArgument   = 160
	maxValues     = 12
	maxAnswer     = 1000
	maxAnswerRead = 64 << 10
)

// arguments are the parameters of an operation, those of its path before its
// own, as OpenAPI 3 says (Operation Object, "parameters"); one of the operation
// replaces that of the path.
func arguments(item *openapi3.PathItem, op *openapi3.Operation) []catalog.Argument {
	var out []catalog.Argument
	for _, ref := range append(append(openapi3.Parameters{}, item.Parameters...), op.Parameters...) {
		if ref == nil || ref.Value == nil || ref.Value.Name == "" || len(out) == maxArguments {
			continue
		}
		a := argument(ref.Value)
		at := slices.IndexFunc(out, func(b catalog.Argument) bool { return a.Name == b.Name && a.In == b.In })
		if at >= 0 {
			out[at] = a
			continue
		}
		out = append(out, a)
	}
	return out
}

func argument(p *openapi3.Parameter) catalog.Argument {
	a := catalog.Argument{Name: table.Clip(oneLine(p.Name), maxArgument), In: p.In, Required: p.Required, Description: personal.Redact(table.Clip(oneLine(p.Description), maxArgument))}
	a.Example, _ = example(p)
	if p.Schema == nil || p.Schema.Value == nil {
		return a
	}
	s := p.Schema.Value
	if s.Type != nil && len(*s.Type) > 0 {
		a.Type = (*s.Type)[0]
	}
	for _, v := range s.Enum {
		if text := fmt.Sprint(v); v != nil && len(s.Enum) <= maxValues && len(text) <= maxArgument && personal.Redact(text) == text {
			a.Values = append(a.Values, text)
		}
	}
	return a
}

// answer is an example of a successful answer of a GET in JSON, cut to a
// thousand bytes; "" for none, or one with what could be personal.
func answer(method string, op *openapi3.Operation) string {
	if method != http.MethodGet || op.Responses == nil {
		return ""
	}
	all := op.Responses.Map()
	for _, status := range slices.Sorted(maps.Keys(all)) {
		if r := all[status]; strings.HasPrefix(status, "2") && r != nil && r.Value != nil {
			for _, media := range slices.Sorted(maps.Keys(r.Value.Content)) {
				if text := exampleOf(r.Value.Content[media]); strings.Contains(media, "json") && text != "" {
					return text
				}
			}
		}
	}
	return ""
}

// exampleOf is the example of a media type, the first of several, or that of
// its schema.
func exampleOf(m *openapi3.MediaType) string {
	if m == nil {
		return ""
	}
	candidates := []any{m.Example}
	for _, name := range slices.Sorted(maps.Keys(m.Examples)) {
		if e := m.Examples[name]; e != nil && e.Value != nil {
			candidates = append(candidates, e.Value.Value)
		}
	}
	if m.Schema != nil && m.Schema.Value != nil {
		candidates = append(candidates, m.Schema.Value.Example)
	}
	for _, v := range candidates {
		if v == nil || names(v, 0) {
			continue
		}
		b, err := json.Marshal(v)
		if err != nil || len(b) > maxAnswerRead {
			continue
		}
		var lines bytes.Buffer
		if json.Indent(&lines, b, "", "  ") != nil {
			continue
		}
		if text := lines.String(); personal.Redact(text) == text {
			return table.Clip(text, maxAnswer)
		}
	}
	return ""
}

// names tells that an example has a member whose name says that it is about a
// person.
func names(v any, depth int) bool {
	if depth > 20 {
		return true
	}
	switch x := v.(type) {
	case map[string]any:
		for k, kid := range x {
			if c := personal.OfHeader(k); c.Personal() || names(kid, depth+1) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(x, func(kid any) bool { return names(kid, depth+1) })
	}
	return false
}
