package discovery

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

const about = "A public register of official public-sector APIs, datasets and MCP servers. " +
	"Each entry carries an officialness score, availability checks, quality and ranking scores, and the provenance of each field. " +
	"Most fields are verdicts of the register, not copies of the publisher's data; times are the register's own clocks, ISO 8601 in UTC.\n\n" +
	"Reading needs no credentials; what does names the role that a bearer token needs. What the service answers itself is counted for each client: " +
	"`RateLimit` tells what is left, and 429 when to go on. `HEAD` and conditional requests work everywhere, and cross-origin reads are open. " +
	"The paths also lie as files in a static tree that any web server can offer; such a server ignores query parameters, " +
	"where the service answers 422 to an unknown one. The longest texts of requests are counted in bytes of UTF-8.\n\n" +
	"Responses may gain members at any time: clients must accept members they do not know. " +
	"The order of members is part of the answer, because `manifest.answer_sha256` covers it. " +
	"`/api/v1` stays for at least twelve months after a successor appears, announced by the headers `Deprecation` and `Sunset`.\n\n" +
	"The program is published under Apache-2.0; the licence below is that of the catalog data."

// OpenAPI describes the interface of a register as an OpenAPI 3.1 document.
// Equal arguments give equal bytes.
func OpenAPI(site snapshot.Site, version string) ([]byte, error) {
	d, err := described31()
	if err != nil {
		return nil, err
	}
	return object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", site.Name}, {"summary", "Official public-sector APIs, datasets and MCP servers, tested."},
			{"description", about}, {"version", version},
			{"contact", object{{"name", site.Name}, {"url", site.BaseURL}}},
			{"license", object{{"name", site.License}, {"identifier", site.License}}},
		}},
		{"servers", servers(site)},
		{"security", []object{}},
		{"tags", tags()},
		{"paths", d.paths},
		{"components", d.components},
	}.append(nil)
}

func servers(site snapshot.Site) []object {
	return []object{{{"url", site.BaseURL}, {"description", "This register."}}}
}

func tags() (out []object) {
	for _, t := range wire.Tags() {
		out = append(out, object{{"name", t.ID}, {"description", t.Description}})
	}
	return out
}

// description is what the operations say of themselves: the same for every register.
type description struct{ paths, components json.RawMessage }

// described31 is written once: it is most of the document, and slow to write.
var described31 = sync.OnceValues(func() (d description, err error) {
	ops := wire.Operations()
	schemas, err := newSchemas(ops)
	if err == nil {
		err = described(ops)
	}
	if err == nil {
		d.paths, err = paths(ops).append(nil)
	}
	if err == nil {
		d.components, err = object{
			{"schemas", schemas}, {"parameters", parameters(ops)}, {"headers", headers()}, {"responses", responses(ops)},
			{"securitySchemes", securitySchemes()},
		}.append(nil)
	}
	if err != nil {
		return d, fmt.Errorf("interface description: %w", err)
	}
	return d, nil
})

// paths keeps the order of the table; several methods of one path stand
// together.
func paths(ops []wire.Operation) object {
	var out object
	at := map[string]int{}
	for i := range ops {
		op := &ops[i]
		m := member{strings.ToLower(op.Method), operation(op)}
		if k, ok := at[op.Path]; ok {
			out[k].value = append(out[k].value.(object), m)
			continue
		}
		at[op.Path] = len(out)
		out = append(out, member{op.Path, object{m}})
	}
	return out
}

func operation(op *wire.Operation) object {
	out := object{{"operationId", op.ID}, {"tags", []string{op.Tag}}, {"summary", op.Summary}, {"description", describe(op)}}
	var params []object
	for _, p := range op.Params {
		if p.In == "query" && reflect.DeepEqual(p, commonParams()[p.Name]) {
			params = append(params, ref("parameters", parameterPrefix+p.Name))
		} else {
			params = append(params, parameter(p))
		}
	}
	if params != nil {
		out = append(out, member{"parameters", params})
	}
	if op.Body != nil {
		content := object{{wire.MediaJSON, object{{"schema", ref("schemas", op.Body.Name())}}}}
		out = append(out, member{"requestBody", object{{"required", true}, {"content", content}}})
	}
	if op.Role != "" {
		out = append(out, member{"security", []object{{{bearer, []string{}}}}})
	}
	return append(out, member{"responses", answers(op)})
}

// commonParams are the query parameters by name, each as the first operation
// has it; one that means something else elsewhere is described there.
var commonParams = sync.OnceValue(func() map[string]wire.Param {
	out := map[string]wire.Param{}
	for _, op := range wire.Operations() {
		for _, p := range op.Params {
			if _, known := out[p.Name]; !known && p.In == "query" {
				out[p.Name] = p
			}
		}
	}
	return out
})

// parameterPrefix begins the names of shared parameters: generators of code make types of
// them beside those of the schemas, and AuthType would be made twice.
const parameterPrefix = "query_"

// parameters are the query parameters, shared by the operations.
func parameters(ops []wire.Operation) object {
	var out object
	seen := map[string]bool{}
	for i := range ops {
		for _, p := range ops[i].Params {
			if p.In == "query" && !seen[p.Name] {
				seen[p.Name] = true
				out = append(out, member{parameterPrefix + p.Name, parameter(p)})
			}
		}
	}
	return out
}

func parameter(p wire.Param) object {
	out := object{{"name", p.Name}, {"in", p.In}, {"description", p.Description}}
	if p.In == "path" || p.Required {
		out = append(out, member{"required", true})
	}
	kind := string(p.Kind)
	if p.Kind == wire.KindList {
		kind = "string"
		out = append(out, member{"style", "form"}, member{"explode", false})
	}
	schema := object{{"type", kind}}
	add := func(key string, value any, given bool) {
		if given {
			schema = append(schema, member{key, value})
		}
	}
	add("enum", p.Enum, len(p.Enum) > 0)
	add("format", p.Format, p.Format != "")
	add("pattern", p.Pattern, p.Pattern != "")
	add("minimum", p.Min, p.Kind == wire.KindInteger)
	add("maximum", p.Max, p.Max != 0 && p.Kind == wire.KindInteger)
	add("default", p.Default, p.Default != nil)
	// What is neither a word of a list nor of a form still says something.
	free := len(p.Enum) == 0 && p.Format == "" && p.Pattern == "" && kind == "string"
	add("pattern", wordShape, free && (p.Kind == wire.KindList || p.Required && p.In == "query"))
	add("pattern", uuidShape, p.Format == "uuid" && p.Pattern == "")
	if p.Kind == wire.KindList {
		schema = object{{"type", "array"}, {"minItems", max(1, p.Min)}, {"maxItems", cmp.Or(p.Max, wire.ValuesMax)}, {"items", schema}}
	}
	out = append(out, member{"schema", schema})
	if p.Bare {
		out = append(out, member{"allowEmptyValue", true})
	}
	if p.Example != nil {
		out = append(out, member{"example", p.Example})
	}
	return out
}
