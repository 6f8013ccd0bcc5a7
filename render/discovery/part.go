package discovery

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-register/assay/render/wire"
)

// partSuffix ends the names of the schemas of answers with some members of entries.
const partSuffix = "Part"

// chosenOf is the schema of whose members an operation answers those that a request chooses, ""
// for an operation that answers whole.
func chosenOf(op *wire.Operation) string {
	switch {
	case !takes(op, wire.Fields):
		return ""
	case op.Response == reflect.TypeFor[wire.Entry]():
		return "Entry"
	}
	return "Item"
}

func takes(op *wire.Operation, name string) bool {
	return slices.ContainsFunc(op.Params, func(p wire.Param) bool { return p.In == "query" && p.Name == name })
}

// answered is the schema of the body of a success: of several shapes where a request can choose
// members, or ask for the past in the place of an answer that has none.
func answered(op *wire.Operation) object {
	whole := ref("schemas", op.Response.Name())
	if chosenOf(op) == "" {
		return whole
	}
	shapes := []object{whole, ref("schemas", op.Response.Name()+partSuffix)}
	if op.Response == reflect.TypeFor[wire.Entry]() && takes(op, "at") {
		shapes = append(shapes, ref("schemas", reflect.TypeFor[wire.RestatedEntry]().Name()))
	}
	return object{{"anyOf", shapes}}
}

// part makes the schema of a component that holds, at some depth, one of which members are chosen.
// It tells whether the component does.
func (g *generator) part(name, chosen string) bool {
	whole := g.out[name]
	switch {
	case whole == nil:
		return false
	case g.out[name+partSuffix] != nil:
		return true
	}
	s := *whole
	s.Description = "As " + name + ", with the members of entries that `fields` names."
	if name == chosen {
		s.Required = slices.DeleteFunc(slices.Clone(s.Required), func(member string) bool { return member != "manifest" })
		g.out[name+partSuffix] = &s
		return true
	}
	s.Properties = maps.Clone(s.Properties)
	found := false
	for member, p := range s.Properties {
		if narrowed := g.partOf(p, chosen); narrowed != nil {
			s.Properties[member], found = narrowed, true
		}
	}
	if found {
		g.out[name+partSuffix] = &s
	}
	return found
}

// partOf is a member that refers to a part, alone or in a list; nil for one that refers to none.
func (g *generator) partOf(p *jsonschema.Schema, chosen string) *jsonschema.Schema {
	narrowed := *p
	if p.Items != nil {
		if narrowed.Items = g.partOf(p.Items, chosen); narrowed.Items == nil {
			return nil
		}
		return &narrowed
	}
	name, ok := strings.CutPrefix(p.Ref, refTo("").Ref)
	if !ok || !g.part(name, chosen) {
		return nil
	}
	narrowed.Ref += partSuffix
	return &narrowed
}
