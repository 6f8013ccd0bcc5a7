package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// schema is a JSON Schema as the interface description holds it.
type schema = map[string]any

// description is the part of an OpenAPI 3.1 document that tools are made of.
type description struct {
	version    string
	operations map[string]operation
	parameters map[string]parameter
	// taken are the paths of all operations.
	taken map[string]bool
}

type operation struct {
	path       string
	Parameters []parameter `json:"parameters"`
	ID         string      `json:"operationId"`
}

type parameter struct {
	Ref         string `json:"$ref"`
	Name        string `json:"name"`
	In          string `json:"in"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Schema      schema `json:"schema"`
}

func parse(body []byte) (*description, error) {
	var doc struct {
		Info struct {
			Version string `json:"version"`
		} `json:"info"`
		Paths map[string]struct {
			Get operation `json:"get"`
		} `json:"paths"`
		Components struct {
			Parameters map[string]parameter `json:"parameters"`
		} `json:"components"`
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, err
	}
	d := &description{version: doc.Info.Version, operations: map[string]operation{}, parameters: doc.Components.Parameters, taken: map[string]bool{}}
	for path, item := range doc.Paths {
		op := item.Get
		op.path = path
		d.operations[op.ID] = op
		d.taken[path] = true
	}
	return d, nil
}

// made is a tool ready to be called.
type made struct {
	tool   *sdk.Tool
	from   *tool
	path   string
	params []parameter
	input  *jsonschema.Resolved
	// members are those that entries have in the answer, taken the addresses of other operations.
	members []any
	taken   map[string]bool
}

// tool makes a tool of an operation.
func (d *description) tool(t *tool) (*made, error) {
	op, ok := d.operations[t.operation]
	if !ok {
		return nil, fmt.Errorf("tool %s: no operation %s is described", t.name, t.operation)
	}
	m := &made{path: op.path, from: t, members: d.entryMembers(), taken: d.taken}
	for _, p := range op.Parameters {
		if p.Ref != "" {
			p = d.parameters[last(p.Ref)]
		}
		if !choosesForm(p.Schema) && p.Name != fieldsParam && (t.params == nil && p.Name != "snapshot" || slices.Contains(t.params, p.Name)) {
			m.params = append(m.params, p)
		}
	}
	input := inputSchema(m.params)
	if t.fields {
		input["properties"].(schema)[fieldsParam] = schema{"type": "array", "items": schema{"type": "string"}, "description": "Members of entries to show instead, e.g. id, tags."}
	}
	var err error
	if m.input, err = resolve(input); err != nil {
		return nil, fmt.Errorf("tool %s: %w", t.name, err)
	}
	m.tool = &sdk.Tool{Name: t.name, Description: t.use, Annotations: readOnly(t.title), InputSchema: input, OutputSchema: t.output()}
	return m, nil
}

// fieldsParam chooses members of entries.
const fieldsParam = "fields"

// entryMembers are the names of the members of entries.
func (d *description) entryMembers() []any {
	for _, p := range d.operations["getEntry"].Parameters {
		if p.Ref != "" {
			p = d.parameters[last(p.Ref)]
		}
		if p.Name == fieldsParam {
			items, _ := p.Schema["items"].(schema)
			names, _ := items["enum"].([]any)
			return names
		}
	}
	return nil
}

// output is a schema of what every answer of the tool has; the interface description has
// the members.
func (t *tool) output() schema {
	if !t.rows {
		return schema{"type": "object"}
	}
	return schema{"type": "object", "properties": schema{"items": schema{"type": "array", "items": schema{"type": "object"}}}, "required": []any{"items"}}
}

// choosesForm tells whether a parameter chooses the form of the answer: a tool
// answers in JSON.
func choosesForm(s schema) bool {
	words, _ := s["enum"].([]any)
	return slices.Contains(words, any("json"))
}

// inputSchema describes the arguments: parameters of the operation, in few words, because a
// model reads them in each session.
func inputSchema(params []parameter) schema {
	properties, required := schema{}, []any{}
	for _, p := range params {
		s := maps.Clone(p.Schema)
		for _, k := range []string{"pattern", "minItems", "maxItems", "format"} {
			delete(s, k)
		}
		if items, ok := s["items"].(schema); ok {
			items = maps.Clone(items)
			delete(items, "pattern")
			delete(items, "format")
			s["items"] = items
		}
		if p.Name == "limit" {
			s["default"] = rowsDefault
		}
		switch {
		case p.Name == "at":
			s["description"] = "What the register said then: a day or an instant"
		case s["enum"] == nil && !enumerated(s):
			s["description"] = brief(p.Description)
		}
		properties[p.Name] = s
		if p.Required {
			required = append(required, p.Name)
		}
	}
	s := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// enumerated tells that the words of a list say what it is about.
func enumerated(s schema) bool {
	items, _ := s["items"].(schema)
	return items["enum"] != nil
}

// brief is the first sentence of a description, or its beginning.
func brief(s string) string {
	s, _, _ = strings.Cut(s, ". ")
	s, _, _ = strings.Cut(s, "; ")
	return shorten(strings.TrimSuffix(s, "."), 80)
}

// resolve prepares a schema for validation.
func resolve(s schema) (*jsonschema.Resolved, error) {
	b, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var js jsonschema.Schema
	if err := json.Unmarshal(b, &js); err != nil {
		return nil, err
	}
	return js.Resolve(nil)
}

// last is the last segment of a reference.
func last(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }
