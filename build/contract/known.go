package contract

import (
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// FromProfile takes the contract out of a sample of data: its columns and their
// types. What only a sample can be the cause of, an empty value or a recognised
// concept, is not in it.
func FromProfile(p *catalog.Profile) (*Contract, error) {
	c := &Contract{Kind: Data}
	for i := range p.Fields {
		f := &p.Fields[i]
		typ := f.Type
		if f.Items != "" {
			typ += " of " + f.Items
		}
		c.Items = append(c.Items, Item{Kind: "column", Path: strings.ReplaceAll(f.Name, "/", "~1"), Type: typ})
	}
	return c.checked()
}

// FromTools takes the contract out of what an MCP server lists (tools/list). The
// order of tools and of arguments says nothing.
func FromTools(tools []catalog.MCPTool) (*Contract, error) {
	c := &Contract{Kind: MCP}
	for i := range tools {
		t := &tools[i]
		c.Items = append(c.Items, Item{Kind: "tool", Path: t.Name})
		for j := range t.Arguments {
			a := &t.Arguments[j]
			c.Items = append(c.Items, Item{Kind: "argument", Path: t.Name + "/" + a.Name, Type: a.Type, Required: a.Required, Values: append([]string(nil), a.Values...)})
		}
	}
	return c.checked()
}
