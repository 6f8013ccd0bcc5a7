package discovery

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

const about = "A public register of official public-sector APIs, datasets and MCP servers. " +
	"Each entry carries an officialness score, availability checks, quality and ranking scores, and the provenance of each field. " +
	"Most fields are verdicts of the register, not copies of the publisher's data; times are the register's own clocks, ISO 8601 in UTC.\n\n" +
	"Reading needs no credentials. `HEAD` and conditional requests work everywhere, and cross-origin reads are open. " +
	"The paths also lie as files in a static tree that any web server can offer; such a server ignores query parameters, " +
	"where the service answers 422 to an unknown one.\n\n" +
	"Responses may gain members at any time: clients must accept members they do not know. " +
	"The order of members is part of the answer, because `manifest.answer_sha256` covers it. " +
	"`/api/v1` stays for at least twelve months after a successor appears, announced by the headers `Deprecation` and `Sunset`.\n\n" +
	"The program is published under Apache-2.0; the licence below is that of the catalog data."

// OpenAPI describes the interface of a register as an OpenAPI 3.1 document.
// Equal arguments give equal bytes.
func OpenAPI(site snapshot.Site, version string) ([]byte, error) {
	ops := wire.Operations()
	schemas, err := newSchemas(ops)
	if err != nil {
		return nil, fmt.Errorf("interface description: %w", err)
	}
	var tags []object
	for _, t := range wire.Tags() {
		tags = append(tags, object{{"name", t.ID}, {"description", t.Description}})
	}
	return jsonx.Marshal(object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", site.Name}, {"summary", "Official public-sector APIs, datasets and MCP servers, tested."},
			{"description", about}, {"version", version},
			{"contact", object{{"name", site.Name}, {"url", site.BaseURL}}},
			{"license", object{{"name", site.License}, {"identifier", site.License}}},
		}},
		{"servers", []object{{{"url", site.BaseURL}, {"description", "This register."}}}},
		{"security", []object{}},
		{"tags", tags},
		{"paths", paths(ops)},
		{"components", object{
			{"schemas", schemas}, {"parameters", parameters(ops)}, {"headers", headers()}, {"responses", responses(ops)},
		}},
	})
}

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
	out := object{{"operationId", op.ID}, {"tags", []string{op.Tag}}, {"summary", op.Summary}, {"description", op.Description}}
	var params []object
	for _, p := range op.Params {
		if p.In == "query" && reflect.DeepEqual(p, commonParams()[p.Name]) {
			params = append(params, ref("parameters", p.Name))
		} else {
			params = append(params, parameter(p))
		}
	}
	if params != nil {
		out = append(out, member{"parameters", params})
	}
	return append(out, member{"responses", answers(op)})
}

// answers lists the responses by ascending status: JavaScript puts
// integer-like keys first in that order, so the document survives it.
func answers(op *wire.Operation) object {
	var body any = object{{"type", "object"}}
	if op.Response != nil {
		body = ref("schemas", op.Response.Name())
	} else if !strings.HasSuffix(op.Media, "json") {
		body = object{{"type", "string"}}
	}
	names := []string{"Assay-Snapshot", "Cache-Control"}
	if op.Cache != wire.CacheNever {
		names = append(names, "ETag")
	}
	if slices.Contains([]string{"listEntries", "pinnedEntries", "getDCATTurtle", "getDCATJSONLD"}, op.ID) {
		names = append(names, "Link")
	}
	sent := make(object, len(names))
	for i, n := range names {
		sent[i] = member{n, ref("headers", n)}
	}
	described := "The answer."
	if op.Media == wire.MediaNDJSON {
		described = "One JSON object of the given shape per line."
	}
	out := object{{"200", object{
		{"description", described}, {"headers", sent}, {"content", object{{op.Media, object{{"schema", body}}}}},
	}}}
	if op.Cache != wire.CacheNever {
		out = append(out, member{"304", ref("responses", "NotModified")})
	}
	if op.Redirects {
		out = append(out, member{"308", ref("responses", "Moved")})
	}
	for i := range statuses {
		if slices.Contains(op.Problems, statuses[i].code) {
			out = append(out, member{strconv.Itoa(statuses[i].code), ref("responses", statuses[i].component())})
		}
	}
	return append(out, member{"default", ref("responses", "Problem")})
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

// parameters are the query parameters, shared by the operations.
func parameters(ops []wire.Operation) object {
	var out object
	seen := map[string]bool{}
	for i := range ops {
		for _, p := range ops[i].Params {
			if p.In == "query" && !seen[p.Name] {
				seen[p.Name] = true
				out = append(out, member{p.Name, parameter(p)})
			}
		}
	}
	return out
}

func parameter(p wire.Param) object {
	out := object{{"name", p.Name}, {"in", p.In}, {"description", p.Description}}
	if p.In == "path" {
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
	add("minimum", p.Min, p.Min != 0)
	add("maximum", p.Max, p.Max != 0)
	add("default", p.Default, p.Default != nil)
	if p.Kind == wire.KindList {
		schema = object{{"type", "array"}, {"items", schema}}
	}
	out = append(out, member{"schema", schema})
	if p.Example != nil {
		out = append(out, member{"example", p.Example})
	}
	return out
}

func headers() object {
	header := func(name, description, example string) member {
		return member{name, object{{"description", description}, {"schema", object{{"type", "string"}}}, {"example", example}}}
	}
	return object{
		header("Assay-Snapshot", "The snapshot that the answer was made from.", "20261121-0a1b2c3d4e5f"),
		header("Cache-Control", "How long a copy stays valid.", wire.CacheShort),
		header("ETag", "Strong validator of the bytes.", `"9b74c9897bac770f"`),
		header("Link", "Neighbouring pages: first, prev, next and last (RFC 8288).", `</s/20261121-0a1b2c3d4e5f/api/v1/entries/pages/2>; rel="next"`),
		header("Location", "The present address.", "/api/v1/entries/open-weather-observations"),
		header("Retry-After", "Seconds to wait.", "30"),
	}
}

// status is one error status: its title in HTTP, and when it is sent.
type status struct {
	code        int
	title, when string
}

var statuses = []status{
	{400, "Bad Request", "The request is malformed."},
	{404, "Not Found", "Nothing of this name is public."},
	{410, "Gone", "It was public once: the entry was removed, or the snapshot has expired (problem type `snapshot-expired`)."},
	{422, "Unprocessable Entity", "A parameter is unknown or its value invalid; `errors` names each one and the values it may have."},
	{503, "Service Unavailable", "The service has no snapshot to answer from."},
}

var anyOther = status{500, "Internal Server Error", "Any other error."}

// component is the title as one word.
func (s *status) component() string { return strings.ReplaceAll(s.title, " ", "") }

func responses(ops []wire.Operation) object {
	out := object{
		{"NotModified", object{{"description", "The copy that `If-None-Match` names is still valid."}, {"headers", object{{"ETag", ref("headers", "ETag")}}}}},
		{"Moved", object{{"description", "The resource has another name."}, {"headers", object{{"Location", ref("headers", "Location")}}}}},
		{"Problem", problem(&anyOther)},
	}
	for i := range statuses {
		if used(ops, statuses[i].code) {
			out = append(out, member{statuses[i].component(), problem(&statuses[i])})
		}
	}
	return out
}

func used(ops []wire.Operation, code int) bool {
	return slices.ContainsFunc(ops, func(op wire.Operation) bool { return slices.Contains(op.Problems, code) })
}

func problem(s *status) object {
	example := wire.Problem{Type: "about:blank", Title: s.title, Status: s.code, Detail: s.when, Instance: "/api/v1/entries"}
	out := object{{"description", s.when}}
	switch s.code {
	case 422:
		example.Errors = []wire.ProblemError{{Location: "query.limit", Message: "use a number from 1 to 100", Value: "1000"}}
	case 503:
		out = append(out, member{"headers", object{{"Retry-After", ref("headers", "Retry-After")}}})
	}
	return append(out, member{"content", object{{wire.MediaProblem, object{{"schema", ref("schemas", "Problem")}, {"example", example}}}}})
}
