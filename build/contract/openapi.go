package contract

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
)

// documentMax is the longest canonical OpenAPI document that is kept, in bytes.
const documentMax = 512 << 10

// FromOpenAPI takes the contract out of an OpenAPI 3 document whose references are
// resolved.
func FromOpenAPI(doc *openapi3.T) (*Contract, error) {
	b, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("canonical OpenAPI document: %w", err)
	}
	var tree map[string]any
	if err := json.Unmarshal(b, &tree); err != nil {
		return nil, fmt.Errorf("canonical OpenAPI document: %w", err)
	}
	out := map[string]any{"openapi": "3.0.3", "info": map[string]any{"title": "", "version": ""}}
	if v, _ := tree["openapi"].(string); strings.HasPrefix(v, "3.1") {
		out["openapi"] = "3.1.0"
	}
	for _, part := range []string{"paths", "components", "security"} {
		if v, ok := tree[part]; ok {
			out[part] = plain(v, part)
		}
	}
	if paths, ok := out["paths"].(map[string]any); !ok || len(paths) == 0 {
		return nil, errors.New("the OpenAPI document has no paths")
	}
	if b, err = json.Marshal(out); err != nil {
		return nil, fmt.Errorf("canonical OpenAPI document: %w", err)
	}
	if len(b) > documentMax {
		return nil, fmt.Errorf("the canonical OpenAPI document is longer than %d bytes", documentMax)
	}
	return &Contract{Kind: OpenAPI, Document: b}, nil
}

// texted are members that no client depends on.
var texted = []string{"description", "summary", "example", "examples", "externalDocs", "tags", "title", "servers", "xml", "operationId", "$comment", "callbacks", "links"}

// names are members whose keys are the document's own, not those of OpenAPI: a
// property may be called "description".
var named = []string{"paths", "properties", "schemas", "parameters", "responses", "requestBodies", "headers", "securitySchemes", "content", "mapping", "patternProperties", "$defs", "scopes"}

// plain leaves out what no client depends on, and puts lists in order whose order
// says nothing. Descriptions of responses are mandatory: they stay, empty.
func plain(v any, name string) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		own := slices.Contains(named, name)
		for key, value := range v {
			switch {
			case !own && (slices.Contains(texted, key) || strings.HasPrefix(key, "x-") && key != "x-extensible-enum"):
			default:
				out[key] = plain(value, below2(name, key, own))
			}
		}
		if name == "response" {
			out["description"] = ""
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i], "")
		}
		if name == "required" || name == "enum" || name == "parameters" || name == "security" || name == "oneOf" || name == "anyOf" || name == "allOf" || name == "type" {
			slices.SortFunc(out, func(a, b any) int { return strings.Compare(text(a), text(b)) })
		}
		return out
	}
	return v
}

// below2 is what a member is called for plain: a response among responses.
func below2(name, key string, own bool) string {
	switch {
	case own && name == "responses":
		return "response"
	case own:
		return ""
	}
	return key
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// compareOpenAPI lets oasdiff judge the differences by its published rules. What it
// calls an error or a warning breaks clients: a warning is a change that breaks those
// that rely on it, such as a property that is no longer in an answer.
func compareOpenAPI(from, to []byte) (out []Change, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("the OpenAPI documents cannot be compared: %v", r)
		}
	}()
	a, err := loaded(from)
	if err != nil {
		return nil, err
	}
	b, err := loaded(to)
	if err != nil {
		return nil, err
	}
	d, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), a, b)
	if err != nil {
		return nil, fmt.Errorf("compare OpenAPI documents: %w", err)
	}
	locale := checker.NewDefaultLocalizer()
	seen := map[string]Change{}
	for _, c := range checker.CheckBackwardCompatibilityUntilLevel(checker.NewConfig(checker.GetAllChecks()), d, sources, checker.INFO) {
		x := Change{Severity: Compatible, Kind: c.GetId(), Field: strings.TrimSpace(c.GetOperation() + " " + c.GetPath()), Text: plainText(c.GetUncolorizedText(locale))}
		if c.GetLevel() != checker.INFO {
			x.Severity = Breaking
		}
		seen[x.Kind+" "+x.Field+" "+x.Text] = x
	}
	for _, key := range slices.Sorted(maps.Keys(seen)) {
		out = append(out, seen[key])
	}
	return out, nil
}

// textMax is the longest sentence of a change, in bytes.
const textMax = 300

func plainText(s string) string {
	if len(s) > textMax {
		s = strings.ToValidUTF8(s[:textMax], "") + "…"
	}
	return s
}

func loaded(data []byte) (*load.SpecInfo, error) {
	l := openapi3.NewLoader()
	l.Context = context.Background()
	l.IsExternalRefsAllowed = false
	doc, err := l.LoadFromData(data)
	if err != nil {
		return nil, fmt.Errorf("read the kept contract: %w", err)
	}
	return &load.SpecInfo{Spec: doc, Version: "1"}, nil
}
