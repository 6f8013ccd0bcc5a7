package contract

import "github.com/assay-register/assay/render/catalog"

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
