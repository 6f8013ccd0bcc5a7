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
	"github.com/assay-register/assay/templates/info"
)

// reference renders the page about the interface from the table from which the
// OpenAPI document is made, so that it can be read without a network.
func (b *snapshotView) reference(emit func(artifact.File) error) error {
	var x info.Reference
	for _, tag := range wire.Tags() {
		g := info.ReferenceGroup{ID: tag.ID, Description: tag.Description}
		for _, op := range wire.Operations() {
			if op.Tag == tag.ID {
				g.Operations = append(g.Operations, newReference(op))
			}
		}
		if len(g.Operations) > 0 {
			x.Groups = append(x.Groups, g)
		}
	}
	for _, lang := range languages {
		t := locales()[lang]
		body, err := b.component(&Head{Lang: lang, Section: "docs", Title: t.str("reference.heading"), Description: t.str("reference.lead"), Route: "/docs/api", Translated: true,
			Alternates: []Alternate{{"application/json", "/openapi.json", "OpenAPI 3.1"}}}, x.Page(b.sites[lang]))
		if err != nil {
			return err
		}
		if err := emit(page(localRoute(lang, "/docs/api"), body)); err != nil {
			return err
		}
	}
	return nil
}

func newReference(op wire.Operation) info.ReferenceOperation {
	r := info.ReferenceOperation{ID: op.ID, Method: op.Method, Path: op.Path, Summary: op.Summary, Role: string(op.Role), Media: op.Media, Status: cmp.Or(op.Status, http200), Text: spans(op.Description)}
	for _, p := range op.Params {
		r.Params = append(r.Params, info.ReferenceParam{Name: p.Name, In: string(p.In), Kind: string(p.Kind), Description: p.Description})
	}
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

func spans(text string) []info.Run {
	var out []info.Run
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			out = append(out, info.Run{Code: part})
		} else {
			out = append(out, info.Run{Plain: part})
		}
	}
	return out
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// members lists the JSON members of a type, those of embedded types among them.
func members(t reflect.Type) []info.ReferenceMember {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var out []info.ReferenceMember
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			out = append(out, members(f.Type)...)
		case name != "" && name != "-":
			out = append(out, info.ReferenceMember{Name: name, Type: typeName(f.Type)})
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
