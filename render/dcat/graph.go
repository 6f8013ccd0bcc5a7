package dcat

import (
	"slices"
	"sync"
)

// graph collects statements and keeps those of one subject and one property
// together, each once, in the order in which they were first made.
type graph struct {
	nodes []*node
	// refs are what the tail of a document has to declare or link.
	refs []ref
}

type node struct {
	id         iri
	properties []property
}

type property struct {
	name   *name
	values []object
}

// ref is a word and what it refers to.
type ref struct{ kind, value string }

// graphs are those that are not in use. A build makes several for each entry,
// so their nodes and lists are used again.
var graphs = sync.Pool{New: func() any { return &graph{} }}

func newGraph() *graph { return graphs.Get().(*graph) }

// release gives the graph to whoever needs one next.
func (g *graph) release() {
	g.reset()
	graphs.Put(g)
}

func (g *graph) reset() { g.nodes, g.refs = g.nodes[:0], g.refs[:0] }

// extend makes a list longer by one. Its last element may be a used one.
func extend[T any](list []T) []T {
	if len(list) < cap(list) {
		return list[:len(list)+1]
	}
	var fresh T
	return append(list, fresh)
}

// node returns the node of a subject, a new one if it is new.
func (g *graph) node(id iri, classes ...*name) *node {
	n := g.find(id)
	if n == nil {
		n = g.newNode(id)
	}
	for _, c := range classes {
		n.add(rdfType, object{value: c.turtle})
	}
	return n
}

func (g *graph) newNode(id iri) *node {
	g.nodes = extend(g.nodes)
	last := &g.nodes[len(g.nodes)-1]
	if *last == nil {
		*last = &node{}
	}
	n := *last
	n.id, n.properties = id, n.properties[:0]
	return n
}

func (g *graph) find(id iri) *node {
	for _, n := range g.nodes {
		if n.id == id {
			return n
		}
	}
	return nil
}

// add makes a statement, unless there is nothing to say.
func (n *node) add(p *name, o object) {
	if o.value == "" {
		return
	}
	i := n.at(p)
	if i < 0 {
		i = len(n.properties)
		n.properties = extend(n.properties)
		last := &n.properties[i]
		last.name, last.values = p, last.values[:0]
	}
	if values := &n.properties[i].values; !slices.Contains(*values, o) {
		*values = append(*values, o)
	}
}

// link makes a statement about an address.
func (n *node) link(p *name, to iri) { n.add(p, object{value: string(to)}) }

// at is the place of a property, or -1.
func (n *node) at(p *name) int {
	for i := range n.properties {
		if n.properties[i].name == p {
			return i
		}
	}
	return -1
}

// values are those of a property.
func (n *node) values(p *name) []object {
	if i := n.at(p); i >= 0 {
		return n.properties[i].values
	}
	return nil
}

// has tells whether a property has a value.
func (n *node) has(p *name) bool { return n.at(p) >= 0 }

// page links a page of the web and declares it a document.
func (g *graph) page(n *node, p *name, raw string) {
	if u := link(raw); u != "" {
		n.link(p, u)
		g.node(u, classDocument)
	}
}

// code links a code of a list; an unknown code makes no statement.
func (g *graph) code(n *node, p *name, list, value string) {
	if c, ok := codes().find(list, value); ok {
		n.link(p, c.iri)
		g.ref(list, value)
	}
}

// ref notes something for the tail.
func (g *graph) ref(kind, value string) { g.refs = append(g.refs, ref{kind, value}) }

// write sends the statements to a writer.
func (g *graph) write(w writer) {
	for _, n := range g.nodes {
		n.write(w)
	}
}

func (n *node) write(w writer) {
	for i := range n.properties {
		p := &n.properties[i]
		for _, v := range p.values {
			w.add(n.id, p.name, v)
		}
	}
}
