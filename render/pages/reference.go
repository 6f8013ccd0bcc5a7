package pages

import (
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// refGroup is a group of operations on the page of the interface.
type refGroup struct {
	ID, Description string
	Operations      []refOperation
}

type refOperation struct {
	wire.Operation
	Text     []span
	Status   int
	Problems string
	Members  []refMember
}

// span is a run of a description: plain text or, in back quotes, code.
type span struct{ Plain, Code string }

type refMember struct{ Name, Type string }

// reference renders the page about the interface from the table from which the
// OpenAPI document is made, so that it can be read without a network.
func (b *snapshotView) reference(emit func(artifact.File) error) error {
	var groups []refGroup
	for _, tag := range wire.Tags() {
		g := refGroup{ID: tag.ID, Description: tag.Description}
		for _, op := range wire.Operations() {
			if op.Tag == tag.ID {
				g.Operations = append(g.Operations, newReference(op))
			}
		}
		if len(g.Operations) > 0 {
			groups = append(groups, g)
		}
	}
	body, err := b.templated(&Head{Section: "docs", Title: b.locale.str("reference.heading"), Description: b.locale.str("reference.lead"), Route: "/docs/api",
		Alternates: []Alternate{{"application/json", "/openapi.json", "OpenAPI 3.1"}}}, "reference.html", map[string]any{"Groups": groups})
	if err != nil {
		return err
	}
	return emit(page("/docs/api", body))
}

func newReference(op wire.Operation) refOperation {
	r := refOperation{Operation: op, Status: cmp.Or(op.Status, http200), Text: spans(op.Description)}
	var problems []string
	for _, p := range op.Problems {
		problems = append(problems, strconv.Itoa(p))
	}
	r.Problems = strings.Join(problems, ", ")
	if op.Response != nil {
		r.Members = members(op.Response)
	}
	return r
}

const http200 = 200

func spans(text string) []span {
	var out []span
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			out = append(out, span{Code: part})
		} else {
			out = append(out, span{Plain: part})
		}
	}
	return out
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// members lists the JSON members of a type, those of embedded types among them.
func members(t reflect.Type) []refMember {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var out []refMember
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			out = append(out, members(f.Type)...)
		case name != "" && name != "-":
			out = append(out, refMember{name, typeName(f.Type)})
		}
	}
	return out
}

// typeName says in JSON's words what a member holds.
func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return typeName(t.Elem()) + " or null"
	}
	if t.Implements(marshaler) || t.Implements(textMarshaler) {
		return "string"
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return "array of " + typeName(t.Elem())
	case reflect.Struct, reflect.Map:
		return cmp.Or(t.Name(), "object")
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Interface:
		return "any"
	}
	return "number"
}
