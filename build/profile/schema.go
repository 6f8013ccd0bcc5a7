package profile

import (
	"slices"
	"sort"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/assay-register/assay/build/profile/infer"
	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/build/profile/table"
	"github.com/assay-register/assay/render/catalog"
)

// walker collects the leaves of response schemas as fields.
type walker struct {
	fields  []catalog.ProfileField
	seen    map[string]bool
	schemas int
	steps   int
	// stack are the schemas that are being walked: one that refers to itself
	// is not entered again.
	stack []*openapi3.Schema
	left  bool
}

// Bounds of a walk through schemas that may refer to themselves.
const (
	maxSchemaDepth = 8
	maxSchemaSteps = 50_000
)

// responses walks the first successful JSON response.
func (w *walker) responses(op *openapi3.Operation) {
	if op.Responses == nil {
		return
	}
	all := op.Responses.Map()
	codes := make([]string, 0, len(all))
	for code := range all {
		if strings.HasPrefix(code, "2") || code == "default" {
			codes = append(codes, code)
		}
	}
	sort.Strings(codes)
	for _, code := range codes {
		ref := all[code]
		if ref == nil || ref.Value == nil {
			continue
		}
		if s := jsonSchema(ref.Value.Content); s != nil {
			w.schemas++
			w.walk("", s, 0)
			return
		}
	}
}

func jsonSchema(content openapi3.Content) *openapi3.SchemaRef {
	types := make([]string, 0, len(content))
	for t := range content {
		types = append(types, t)
	}
	sort.Strings(types)
	slices.SortStableFunc(types, func(a, b string) int {
		return boolInt(strings.Contains(b, "json")) - boolInt(strings.Contains(a, "json"))
	})
	for _, t := range types {
		if m := content[t]; m != nil && m.Schema != nil {
			return m.Schema
		}
	}
	return nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// walk follows objects and lists to their leaves, named as in a sample of the
// answer: a.b for members, a[].b for members of a list.
func (w *walker) walk(path string, ref *openapi3.SchemaRef, depth int) {
	w.steps++
	if ref == nil || ref.Value == nil || depth > maxSchemaDepth || w.steps > maxSchemaSteps {
		return
	}
	s := ref.Value
	if slices.Contains(w.stack, s) {
		return
	}
	w.stack = append(w.stack, s)
	defer func() { w.stack = w.stack[:len(w.stack)-1] }()
	w.enter(path, s, depth)
}

func (w *walker) enter(path string, s *openapi3.Schema, depth int) {
	for _, list := range []openapi3.SchemaRefs{s.AllOf, s.OneOf, s.AnyOf} {
		for _, part := range list {
			w.walk(path, part, depth+1)
		}
	}
	if len(s.Properties) > 0 {
		names := make([]string, 0, len(s.Properties))
		for name := range s.Properties {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			w.walk(join(path, name), s.Properties[name], depth+1)
		}
		return
	}
	if s.Items != nil && s.Items.Value != nil {
		if item := s.Items.Value; len(item.Properties)+len(item.AllOf)+len(item.OneOf)+len(item.AnyOf) > 0 {
			w.walk(path+"[]", s.Items, depth+1)
			return
		}
	}
	if path != "" && (s.Type != nil || s.Format != "" || len(s.Enum) > 0) {
		w.leaf(strings.TrimPrefix(path, "[]."), s)
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (w *walker) leaf(path string, s *openapi3.Schema) {
	path = table.Clip(path, table.DefaultLimits.Name)
	if w.seen[path] || personal.Private(path) {
		return
	}
	if len(w.fields) >= maxFields {
		w.left = true
		return
	}
	w.seen[path] = true
	f := catalog.ProfileField{Name: path, Type: string(schemaType(s)), Nullable: s.Nullable || s.Type != nil && s.Type.Includes("null"),
		Label: personal.Redact(table.Clip(s.Title, 200)), Description: personal.Redact(table.Clip(oneLine(s.Description), 500))}
	if f.Type == string(infer.Array) && s.Items != nil && s.Items.Value != nil {
		f.Items = string(schemaType(s.Items.Value))
	}
	w.fields = append(w.fields, f)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// formats are the values of "format" (OpenAPI format registry) that say more
// than the type.
var formats = map[string]infer.Type{"date": infer.Date, "date-time": infer.DateTime, "time": infer.Time, "uuid": infer.ID, "uri": infer.URL, "url": infer.URL,
	"uri-reference": infer.URL, "iri": infer.URL, "email": infer.Email, "idn-email": infer.Email, "int32": infer.Integer, "int64": infer.Integer}

func schemaType(s *openapi3.Schema) infer.Type {
	if t, ok := formats[s.Format]; ok {
		return t
	}
	if s.Type == nil {
		return infer.String
	}
	for _, t := range s.Type.Slice() {
		switch t {
		case "integer":
			return infer.Integer
		case "number":
			return infer.Decimal
		case "boolean":
			return infer.Boolean
		case "array":
			return infer.Array
		case "object":
			return infer.Object
		case "string":
			return infer.String
		}
	}
	return infer.Unknown
}
