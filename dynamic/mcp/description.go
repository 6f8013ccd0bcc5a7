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
	schemas    map[string]schema
}

type operation struct {
	path       string
	Parameters []parameter `json:"parameters"`
	Responses  map[string]struct {
		Content map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
	ID string `json:"operationId"`
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
			Schemas    map[string]schema    `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, err
	}
	d := &description{version: doc.Info.Version, operations: map[string]operation{},
		parameters: doc.Components.Parameters, schemas: doc.Components.Schemas}
	for path, item := range doc.Paths {
		op := item.Get
		op.path = path
		d.operations[op.ID] = op
	}
	return d, nil
}

// made is a tool ready to be called.
type made struct {
	tool   *sdk.Tool
	path   string
	params []parameter
	input  *jsonschema.Resolved
}

// tool makes a tool of an operation.
func (d *description) tool(t *tool) (*made, error) {
	op, ok := d.operations[t.operation]
	if !ok {
		return nil, fmt.Errorf("tool %s: no operation %s is described", t.name, t.operation)
	}
	m := &made{path: op.path}
	for _, p := range op.Parameters {
		if p.Ref != "" {
			p = d.parameters[last(p.Ref)]
		}
		if !choosesForm(p.Schema) {
			m.params = append(m.params, p)
		}
	}
	input := inputSchema(m.params)
	var err error
	if m.input, err = resolve(input); err != nil {
		return nil, fmt.Errorf("tool %s: %w", t.name, err)
	}
	output, err := d.outputSchema(op.Responses["200"].Content["application/json"].Schema)
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", t.name, err)
	}
	m.tool = &sdk.Tool{Name: t.name, Title: t.title, Description: t.use, Annotations: readOnly(t.title), InputSchema: input, OutputSchema: output}
	return m, nil
}

// choosesForm tells whether a parameter chooses the form of the answer: a tool
// answers in JSON.
func choosesForm(s schema) bool {
	words, _ := s["enum"].([]any)
	return slices.Contains(words, any("json"))
}

// inputSchema describes the arguments: the operation's parameters.
func inputSchema(params []parameter) schema {
	properties, required := schema{}, []any{}
	for _, p := range params {
		s := maps.Clone(p.Schema)
		s["description"] = p.Description
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

// outputSchema is the schema of an answer with all that it refers to.
func (d *description) outputSchema(root schema) (schema, error) {
	defs := schema{}
	body, err := d.inline(root, defs)
	if err != nil {
		return nil, err
	}
	if ref, ok := body["$ref"].(string); ok {
		body = maps.Clone(defs[last(ref)].(schema))
	}
	if body["type"] != "object" {
		return nil, fmt.Errorf("the answer is no object but %v", body["type"])
	}
	if len(defs) > 0 {
		body["$defs"] = defs
	}
	body = portable(body, false)
	if refers(body, "#/$defs/"+anyValue) {
		defs, _ := body["$defs"].(schema)
		if defs == nil {
			defs = schema{}
		}
		defs[anyValue] = anyJSON()
		body["$defs"] = defs
	}
	return body, nil
}

// inline copies a schema with its references turned to $defs, which it fills.
func (d *description) inline(s schema, defs schema) (schema, error) {
	out := make(schema, len(s))
	for _, k := range slices.Sorted(maps.Keys(s)) {
		v, err := d.inlineValue(k, s[k], defs)
		if err != nil {
			return nil, err
		}
		out[k] = v
	}
	return out, nil
}

func (d *description) inlineValue(key string, v any, defs schema) (any, error) {
	switch v := v.(type) {
	case schema:
		return d.inline(v, defs)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = d.inlineValue("", v[i], defs); err != nil {
				return nil, err
			}
		}
		return out, nil
	case string:
		if key != "$ref" {
			return v, nil
		}
		name := last(v)
		if err := d.define(name, defs); err != nil {
			return nil, err
		}
		return "#/$defs/" + name, nil
	}
	return v, nil
}

// define puts a component into defs, once.
func (d *description) define(name string, defs schema) error {
	if _, ok := defs[name]; ok {
		return nil
	}
	component, ok := d.schemas[name]
	if !ok {
		return fmt.Errorf("component %s is not described", name)
	}
	defs[name] = schema{} // stops a component that contains itself
	body, err := d.inline(component, defs)
	defs[name] = body
	return err
}

// last is the last segment of a reference.
func last(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }
