package discovery

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/assay-register/assay/render/snapshot"
)

// OpenAPI30 is the interface description in OpenAPI 3.0.3, for generators that do not read 3.1: what
// JSON Schema 2020-12 says and OpenAPI 3.0 cannot is left out, so what it allows is never less, but for
// answers of which a request chooses members or the time: they have the shape of the whole answer here,
// because of a choice generators make a type without members.
func OpenAPI30(site snapshot.Site, version string) ([]byte, error) {
	d, err := described30()
	if err != nil {
		return nil, err
	}
	return object{
		{"components", d.components},
		{"info", object{
			{"contact", object{{"name", site.Name}, {"url", site.BaseURL}}}, {"description", about},
			{"license", object{{"name", site.License}}}, {"title", site.Name}, {"version", version},
		}},
		{"openapi", "3.0.3"},
		{"paths", d.paths},
		{"security", []object{}},
		{"servers", servers(site)},
		{"tags", tags()},
	}.append(nil)
}

var described30 = sync.OnceValues(func() (d description, err error) {
	newer, err := described31()
	if err == nil {
		d.paths, err = asOld(newer.paths)
	}
	if err == nil {
		d.components, err = asOld(newer.components)
	}
	if err != nil {
		return d, fmt.Errorf("openapi 3.0: %w", err)
	}
	return d, nil
})

func asOld(newer []byte) ([]byte, error) {
	var v any
	if err := json.Unmarshal(newer, &v); err != nil {
		return nil, err
	}
	older(v)
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// older writes the schemas in a value, and in what it holds, as OpenAPI 3.0 has them.
func older(v any) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			older(x)
		}
	case map[string]any:
		if media, ok := v["contentMediaType"].(string); ok && media != "" && v["type"] == nil {
			v["type"], v["format"] = "string", "binary"
		}
		for _, key := range []string{"propertyNames", "contentMediaType", "contentEncoding"} {
			if _, schema := v[key].(map[string]any); schema || v["type"] == "string" {
				delete(v, key)
			}
		}
		if types, ok := v["type"].([]any); ok {
			oldType(v, types)
		}
		if any, ok := v["anyOf"].([]any); ok {
			oldChoice(v, any)
			oldParts(v, any)
		}
		for key, x := range v {
			if named, ok := x.(map[string]any); ok && key == "properties" {
				for _, schema := range named { // the keys are names of members
					older(schema)
				}
				continue
			}
			older(x)
		}
		oldReference(v)
	}
}

// oldType writes a list of types: null is a member of its own, and of several others each value is one.
func oldType(v map[string]any, types []any) {
	rest := slices.DeleteFunc(slices.Clone(types), func(t any) bool { return t == "null" })
	if len(rest) < len(types) {
		v["nullable"] = true
	}
	delete(v, "type")
	if len(rest) == len(anyValue)-1 { // any value: a schema without a type, of which all generators make one
		delete(v, "items")
		delete(v, "nullable")
		return
	}
	switch len(rest) {
	case 0:
	case 1:
		v["type"] = rest[0]
	default:
		var list []any
		for _, t := range rest {
			one := map[string]any{"type": t}
			if t == "array" {
				one["items"] = map[string]any{}
			}
			list = append(list, one)
		}
		v["anyOf"] = list
		delete(v, "items")
	}
}

// oldChoice writes a choice between a schema and null as a schema that may be null.
func oldChoice(v map[string]any, list []any) {
	rest := slices.DeleteFunc(slices.Clone(list), func(x any) bool {
		m, ok := x.(map[string]any)
		return ok && m["type"] == "null"
	})
	if len(rest) == len(list) {
		return
	}
	v["nullable"] = true
	if len(rest) > 1 {
		v["anyOf"] = rest
		return
	}
	delete(v, "anyOf")
	v["allOf"] = rest
}

// oldParts writes a choice between a whole answer and a part of it as the whole.
func oldParts(v map[string]any, list []any) {
	whole, ok := reference(list[0])
	if !ok || len(list) < 2 {
		return
	}
	if part, _ := reference(list[1]); part == whole+partSuffix {
		delete(v, "anyOf")
		v["$ref"] = whole
	}
}

func reference(schema any) (string, bool) {
	m, _ := schema.(map[string]any)
	ref, ok := m["$ref"].(string)
	return ref, ok
}

// oldReference puts what stands beside a reference, which 3.0 would not read, around it. Words that narrow
// a vocabulary are one of their own: generators take the reference for the type, and then refuse them.
func oldReference(v map[string]any) {
	ref, ok := v["$ref"].(string)
	if !ok || len(v) == 1 {
		return
	}
	delete(v, "$ref")
	if _, narrowed := v["enum"]; narrowed {
		v["type"] = "string"
		return
	}
	v["allOf"] = []any{map[string]any{"$ref": ref}}
}
