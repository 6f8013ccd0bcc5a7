package contract

import (
	"bytes"
	"strings"
)

// FromOData takes the contract out of the metadata document of an OData service (CSDL
// XML, versions 2 to 4.01): entity sets with the properties and keys of their types,
// and the functions and actions that are offered.
func FromOData(data []byte) (*Contract, error) {
	root, err := parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	o := &odata{c: &Contract{Kind: OData}, types: map[string]*element{}, functions: map[string]*element{}}
	for _, s := range root.find("Schema") {
		for _, t := range append(s.all("EntityType"), s.all("ComplexType")...) {
			o.types[s.attrs["Namespace"]+"."+t.attrs["Name"]] = t
			if alias := s.attrs["Alias"]; alias != "" {
				o.types[alias+"."+t.attrs["Name"]] = t
			}
		}
		for _, f := range append(s.all("Function"), s.all("Action")...) {
			o.functions[s.attrs["Namespace"]+"."+f.attrs["Name"]] = f
		}
	}
	for _, container := range root.find("EntityContainer") {
		for _, kind := range []string{"EntitySet", "Singleton"} {
			for _, set := range container.all(kind) {
				o.set(set.attrs["Name"], set.attrs["EntityType"]+set.attrs["Type"])
			}
		}
		for _, f := range container.all("FunctionImport") {
			o.function(f, f.attrs["Function"])
		}
		for _, f := range container.all("ActionImport") {
			o.function(f, f.attrs["Action"])
		}
	}
	return o.c.checked()
}

type odata struct {
	c         *Contract
	types     map[string]*element
	functions map[string]*element
}

// depthMax bounds how many base types a type has.
const depthMax = 20

func (o *odata) set(name, typ string) {
	if name == "" {
		return
	}
	o.c.Items = append(o.c.Items, Item{Kind: "entity-set", Path: name})
	for depth := 0; depth < depthMax; depth++ {
		t := o.types[typ]
		if t == nil {
			return
		}
		for i, ref := range t.one("Key").all("PropertyRef") {
			o.c.Items = append(o.c.Items, Item{Kind: "key", Path: name + "/" + ref.attrs["Name"], Place: i + 1})
		}
		for _, p := range t.all("Property") {
			o.c.Items = append(o.c.Items, Item{Kind: "property", Path: name + "/" + p.attrs["Name"], Type: p.attrs["Type"], Required: p.attrs["Nullable"] == "false"})
		}
		for _, p := range t.all("NavigationProperty") {
			target := p.attrs["Type"]
			if target == "" {
				target = p.attrs["ToRole"]
			}
			o.c.Items = append(o.c.Items, Item{Kind: "property", Path: name + "/" + p.attrs["Name"], Type: target})
		}
		if typ = t.attrs["BaseType"]; typ == "" {
			return
		}
	}
}

// function: version 4 names it, versions 2 and 3 describe it where they offer it.
func (o *odata) function(f *element, named string) {
	name := f.attrs["Name"]
	if name == "" {
		return
	}
	o.c.Items = append(o.c.Items, Item{Kind: "function", Path: name, Type: f.attrs["ReturnType"]})
	described := f
	if found := o.functions[named]; found != nil {
		described = found
		o.c.Items[len(o.c.Items)-1].Type = found.one("ReturnType").attrs["Type"]
	}
	for _, p := range described.all("Parameter") {
		// What is nullable may be left out (OData 4.01, part 1, section 11.5.4).
		required := !strings.EqualFold(p.attrs["Nullable"], "true") && p.attrs["Mode"] != "Out"
		o.c.Items = append(o.c.Items, Item{Kind: "parameter", Path: name + "/" + p.attrs["Name"], Type: p.attrs["Type"], Required: required})
	}
}
