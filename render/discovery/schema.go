package discovery

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-register/assay/render/wire"
)

// newSchemas makes a component of every struct and vocabulary that an
// operation's answer reaches.
func newSchemas(ops []wire.Operation) (object, error) {
	g := generator{refs: map[reflect.Type]*jsonschema.Schema{}, sealed: map[reflect.Type]bool{}, out: map[string]*jsonschema.Schema{}}
	for _, v := range vocabularies() {
		g.refs[v.typ] = refTo(v.name)
	}
	roots := []reflect.Type{reflect.TypeFor[wire.Manifest](), reflect.TypeFor[wire.Problem]()}
	for i := range ops {
		if t := ops[i].Response; t != nil {
			roots = append(roots, t)
			g.sealed[t] = ops[i].Sealed
		}
		if t := ops[i].ErrorResponse; t != nil {
			roots = append(roots, t)
		}
	}
	var structs []reflect.Type
	for _, t := range roots {
		structs = g.reach(t, structs)
	}
	answered := len(structs)
	for i := range ops {
		if t := ops[i].Body; t != nil {
			structs = g.reach(t, structs)
		}
	}
	g.asked = structs[answered:]
	g.refs[reflect.TypeFor[json.RawMessage]()] = &jsonschema.Schema{} // any value
	g.refs[provenanceMap] = &jsonschema.Schema{Type: "object", AdditionalProperties: refTo("FieldProvenance")}
	g.refs[changesMap] = &jsonschema.Schema{Type: "object", AdditionalProperties: refTo("FieldDelta")}
	for _, t := range structs {
		if err := g.component(t); err != nil {
			return nil, err
		}
	}
	for i := range ops {
		if chosen := chosenOf(&ops[i]); chosen != "" {
			g.part(ops[i].Response.Name(), chosen)
		}
	}
	for _, v := range vocabularies() {
		if g.used[v.name] {
			g.out[v.name] = v.schema()
		}
	}
	all := make(object, 0, len(g.out))
	for _, name := range slices.Sorted(maps.Keys(g.out)) {
		all = append(all, member{name, g.out[name]})
	}
	return all, nil
}

// Types that are objects with a member for each of an open set of names.
var (
	provenanceMap = reflect.TypeFor[wire.ProvenanceMap]()
	changesMap    = reflect.TypeFor[wire.Changes]()
)

type generator struct {
	refs   map[reflect.Type]*jsonschema.Schema
	sealed map[reflect.Type]bool
	out    map[string]*jsonschema.Schema
	used   map[string]bool
	// asked are the types that only requests have: a member that nobody knows
	// is an error there.
	asked []reflect.Type
}

func refTo(name string) *jsonschema.Schema {
	return &jsonschema.Schema{Ref: "#/components/schemas/" + name}
}

// reach collects the structs that become components: t and what its members
// hold. Embedded structs are part of the struct that embeds them.
func (g *generator) reach(t reflect.Type, found []reflect.Type) []reflect.Type {
	for t != changesMap && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) {
		t = t.Elem()
	}
	if t == changesMap {
		return g.reach(reflect.TypeFor[wire.FieldDelta](), found)
	}
	if t == provenanceMap {
		return g.reach(reflect.TypeFor[wire.FieldProvenance](), found)
	}
	if t.Kind() != reflect.Struct || g.refs[t] != nil {
		return found
	}
	g.refs[t] = refTo(t.Name())
	found = append(found, t)
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous {
			found = g.reach(f.Type, found)
		}
	}
	return found
}

func (g *generator) component(t reflect.Type) error {
	name := t.Name()
	if g.out[name] != nil {
		return fmt.Errorf("two types are called %s", name)
	}
	known := maps.Clone(g.refs)
	delete(known, t)
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous { // its members are those of the struct that embeds it
			delete(known, f.Type)
		}
	}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		return err
	}
	if g.sealed[t] {
		s.Properties["manifest"] = refTo("Manifest")
		s.PropertyOrder = append(s.PropertyOrder, "manifest")
		s.Required = append(s.Required, "manifest")
	}
	s.Description = structDescriptions[name]
	s.AdditionalProperties = nil // open: answers may gain members
	if slices.Contains(g.asked, t) {
		s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	for _, p := range s.PropertyOrder {
		s.Properties[p] = g.finish(name, p, s.Properties[p])
		if r, ok := requestRules[name+"."+p]; ok {
			r.apply(s.Properties[p])
		}
	}
	g.out[name] = s
	return nil
}

// anyValue are all types of JSON.
var anyValue = []string{"object", "array", "string", "number", "boolean", "null"}

// finish gives a member its format, bounds and description, and writes null
// the way OpenAPI tools expect it.
func (g *generator) finish(owner, name string, s *jsonschema.Schema) *jsonschema.Schema {
	if reflect.DeepEqual(s, &jsonschema.Schema{}) { // any value
		return &jsonschema.Schema{Types: anyValue, Items: &jsonschema.Schema{Description: "Any JSON value."}, Description: cmp.Or(memberDescriptions[owner+"."+name], memberDescriptions[name])}
	}
	null := slices.Contains(s.Types, "null")
	if len(s.Types) > 0 {
		s.Type, s.Types = s.Types[len(s.Types)-1], nil
	}
	switch {
	case s.Type == "array":
		null = false // lists are empty, never null
		s.Items = g.finish(owner, name+"[]", s.Items)
	case s.Ref != "":
		s.Type = ""
	default:
		narrow(owner, name, s)
	}
	s.Description = cmp.Or(memberDescriptions[owner+"."+name], memberDescriptions[name])
	g.use(s)
	switch {
	case null && s.Ref != "":
		return &jsonschema.Schema{Description: s.Description, AnyOf: []*jsonschema.Schema{{Ref: s.Ref}, {Type: "null"}}}
	case null:
		s.Types, s.Type = []string{s.Type, "null"}, ""
	}
	return s
}

func (g *generator) use(s *jsonschema.Schema) {
	if g.used == nil {
		g.used = map[string]bool{}
	}
	if s.Ref != "" {
		g.used[s.Ref[len("#/components/schemas/"):]] = true
	}
}
