package mcp

import (
	"maps"
	"slices"
)

// anyValue is the definition that stands for a value of any kind.
const anyValue = "AnyValue"

// portable rewrites a schema so that clients understand it which know one type
// a schema: what may be null becomes a choice, and what may be anything names
// the kinds. Descriptions stay at the top only; those below are in the
// interface description, and a model reads the list of tools in each session.
func portable(s schema, deep bool) schema {
	out := make(schema, len(s))
	for _, k := range slices.Sorted(maps.Keys(s)) {
		switch v := s[k].(type) {
		case schema:
			switch k {
			case "properties", "$defs":
				out[k] = eachSchema(v, deep || k == "$defs")
			case "items", "additionalProperties":
				out[k] = portable(v, true)
			default:
				out[k] = v
			}
		case []any:
			out[k] = branches(k, v)
		case bool:
			out[k] = v
			if k == "items" || k == "additionalProperties" && v {
				out[k] = schema{"$ref": "#/$defs/" + anyValue}
			}
		default:
			if k != "description" || !deep {
				out[k] = v
			}
		}
	}
	return choice(out)
}

// eachSchema rewrites the members of properties or of definitions.
func eachSchema(list schema, deep bool) schema {
	out := make(schema, len(list))
	for name, v := range list {
		if s, ok := v.(schema); ok && meaning(s) {
			out[name] = portable(s, deep)
		} else {
			out[name] = schema{"$ref": "#/$defs/" + anyValue}
		}
	}
	return out
}

// meaning tells whether a schema asks for anything.
func meaning(s schema) bool {
	for k := range s {
		if k != "description" {
			return true
		}
	}
	return false
}

// branches rewrites the alternatives of a schema.
func branches(key string, list []any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
		if s, ok := v.(schema); ok && key != "enum" {
			out[i] = portable(s, true)
		}
	}
	return out
}

// choice splits a schema with several types into one for each.
func choice(s schema) schema {
	types, ok := s["type"].([]any)
	if !ok {
		return s
	}
	out, first := schema{}, maps.Clone(s)
	if d, ok := s["description"]; ok {
		out["description"] = d
		delete(first, "description")
	}
	var list []any
	for _, t := range types {
		branch := schema{"type": t}
		if t != "null" {
			branch = maps.Clone(first)
			branch["type"] = t
		}
		list = append(list, branch)
	}
	out["anyOf"] = list
	return out
}

// anyJSON is the definition of a value of any kind.
func anyJSON() schema {
	list := []any{schema{"type": "array", "items": schema{"$ref": "#/$defs/" + anyValue}}}
	for _, t := range []string{"object", "string", "number", "boolean", "null"} {
		list = append(list, schema{"type": t})
	}
	return schema{"description": "Any JSON value.", "anyOf": list}
}

// refers tells whether a schema refers to a definition.
func refers(v any, ref string) bool {
	switch v := v.(type) {
	case schema:
		for k, x := range v {
			if k == "$ref" && x == ref || refers(x, ref) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return refers(x, ref) })
	}
	return false
}
