package format

import (
	"strings"

	"github.com/assay-register/assay/build/profile/table"
)

// node is a value of JSON or an element of XML whose members keep their order.
type node struct {
	shape shape
	// cell is the value of a leaf.
	cell table.Cell
	keys []string
	kids []*node
	// cut tells that the end of the sample fell into the value.
	cut bool
}

type shape uint8

const (
	leaf shape = iota
	object
	array
)

// depths bound what hostile files may nest: maxDepth is read, maxPath is
// flattened.
const (
	maxDepth = 64
	maxPath  = 8
	// maxNodes bounds the memory of a document to some tens of MiB.
	maxNodes = 400_000
)

func (n *node) get(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return n.kids[i]
		}
	}
	return nil
}

// records adds the member of each path of n to the builder as one record.
func record(n *node) []table.Field {
	f := &flattener{index: map[string]int{}}
	f.walk("", n, 0)
	return f.fields
}

type flattener struct {
	fields []table.Field
	index  map[string]int
}

// walk names what it finds by paths: a.b for a member, a[].b for what the
// members of a list have in common.
func (f *flattener) walk(path string, n *node, depth int) {
	switch {
	case n.shape == leaf:
		f.add(path, n.cell)
	case depth > maxPath:
		f.add(path, table.Cell{Kind: table.Object})
	case n.shape == object:
		if point, ok := geometry(n); ok {
			f.add(path, point)
			return
		}
		keyed := mapLike(n)
		for i, k := range n.keys {
			if keyed {
				k = "*"
			}
			f.walk(join(path, k), n.kids[i], depth+1)
		}
	default:
		f.list(path, n, depth)
	}
}

// list keeps scalars as the items of one cell. Objects in a list give one list
// for each of their paths.
func (f *flattener) list(path string, n *node, depth int) {
	items := table.Cell{Kind: table.List}
	for _, kid := range n.kids {
		if kid.shape == leaf {
			items.Items = append(items.Items, kid.cell)
			continue
		}
		inner := &flattener{index: map[string]int{}}
		inner.walk(path+"[]", kid, depth+1)
		for _, field := range inner.fields {
			f.append(field)
		}
	}
	if len(items.Items) > 0 || len(n.kids) == 0 {
		f.add(path, items)
	}
}

func (f *flattener) append(field table.Field) {
	cells := []table.Cell{field.Cell}
	if field.Cell.Kind == table.List {
		cells = field.Cell.Items
	}
	i, ok := f.index[field.Name]
	if !ok {
		f.add(field.Name, table.Cell{Kind: table.List, Items: cells})
		return
	}
	f.fields[i].Cell.Items = append(f.fields[i].Cell.Items, cells...)
}

func (f *flattener) add(path string, c table.Cell) {
	if path == "" {
		path = "value"
	}
	if i, ok := f.index[path]; ok {
		old := &f.fields[i].Cell
		if old.Kind != table.List {
			*old = table.Cell{Kind: table.List, Items: []table.Cell{*old}}
		}
		if c.Kind == table.List {
			old.Items = append(old.Items, c.Items...)
		} else {
			old.Items = append(old.Items, c)
		}
		return
	}
	f.index[path] = len(f.fields)
	f.fields = append(f.fields, table.Field{Name: path, Cell: c})
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// manyKeys is from how many members on an object whose members are all objects
// is a map: its keys are data, not names of columns.
const manyKeys = 12

func mapLike(n *node) bool {
	if len(n.kids) < manyKeys {
		digits := len(n.keys) > 0
		for _, k := range n.keys {
			digits = digits && strings.Trim(k, "0123456789-") == ""
		}
		return digits
	}
	for _, k := range n.kids {
		if k.shape != object {
			return false
		}
	}
	return true
}

// geometry recognises a GeoJSON geometry (RFC 7946, section 3.1). Only a point
// keeps its position.
func geometry(n *node) (table.Cell, bool) {
	kind, at := n.get("type"), n.get("coordinates")
	if kind == nil || kind.shape != leaf || at == nil && n.get("geometries") == nil {
		return table.Cell{}, false
	}
	switch kind.cell.Text {
	case "Point":
		if at != nil && len(at.kids) >= 2 && at.kids[0].cell.Kind == table.Number && at.kids[1].cell.Kind == table.Number {
			return table.Cell{Kind: table.Geometry, Text: "Point (" + at.kids[0].cell.Text + " " + at.kids[1].cell.Text + ")"}, true
		}
		return table.Cell{Kind: table.Geometry, Text: "Point"}, true
	case "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection":
		return table.Cell{Kind: table.Geometry, Text: kind.cell.Text}, true
	}
	return table.Cell{}, false
}
