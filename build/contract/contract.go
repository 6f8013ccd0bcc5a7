// Package contract keeps what a client of a source depends on in a canonical form,
// and tells of two such forms what changed and whether it breaks the client:
// operations, parameters and types of an OpenAPI document; columns and types of
// data; layers, feature types and reference systems of OGC services; tools and their
// arguments of MCP servers; dataflows and dimensions of SDMX; entity sets and
// properties of OData. What a client does not depend on (texts, examples, dates,
// order, servers) is not in it, so that a source that writes itself down in another
// way has the same contract. Of OpenAPI, oasdiff judges the differences; no library
// compares the others.
package contract

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// The kinds of contracts.
const (
	OpenAPI = "openapi"
	Data    = "data"
	OGC     = "ogc"
	MCP     = "mcp"
	SDMX    = "sdmx"
	OData   = "odata"
)

// Contract is what a client depends on.
type Contract struct {
	Kind string `json:"kind"`
	// Items are the parts by name, in the order of their paths.
	Items []Item `json:"items,omitempty"`
	// Document is an OpenAPI document with what clients depend on alone.
	Document json.RawMessage `json:"document,omitempty"`
}

// Item is one part: a column, a layer, a tool, an argument.
type Item struct {
	// Kind is column, form, layer, feature-type, default-crs, coverage, collection, operation,
	// tool, argument, dataflow, dimension, attribute, measure, entity-set, property,
	// key, function or parameter.
	Kind string `json:"kind"`
	// Path names it, with what it is a part of before it: "search/query".
	Path string `json:"path"`
	Type string `json:"type,omitempty"`
	// Required is an argument that a call must give, a property that is never
	// empty, or a column that no record of a sample lacked.
	Required bool `json:"required,omitempty"`
	// Place is its position, from one, where clients depend on it.
	Place int `json:"place,omitempty"`
	// Values are the reference systems, formats or codes that it offers, sorted.
	Values []string `json:"values,omitempty"`
}

// itemsMax bounds the parts of a contract, valuesMax the values of one.
const itemsMax, valuesMax = 20_000, 2_000

// canonical sorts the items, each once, and their values.
func (c *Contract) canonical() *Contract {
	for i := range c.Items {
		slices.Sort(c.Items[i].Values)
		c.Items[i].Values = slices.Compact(c.Items[i].Values)
		c.Items[i].Values = c.Items[i].Values[:min(len(c.Items[i].Values), valuesMax)]
	}
	slices.SortStableFunc(c.Items, func(a, b Item) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind)) })
	c.Items = slices.CompactFunc(c.Items, func(a, b Item) bool { return a.Path == b.Path && a.Kind == b.Kind })
	return c
}

// checked is a contract with something in it and not too much.
func (c *Contract) checked() (*Contract, error) {
	switch c.canonical(); {
	case len(c.Items) == 0:
		return nil, fmt.Errorf("the %s description names nothing that clients depend on", c.Kind)
	case len(c.Items) > itemsMax:
		return nil, fmt.Errorf("the %s description has more than %d parts", c.Kind, itemsMax)
	}
	return c, nil
}

// Sum is the hash of a contract: two that are equal are the same contract.
func (c *Contract) Sum() string {
	b, err := json.Marshal(c)
	if err != nil {
		return "" // its members are texts
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
