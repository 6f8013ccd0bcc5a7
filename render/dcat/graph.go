package dcat

import (
	"github.com/knakk/rdf"
)

// graph collects statements and keeps those of one subject and one property
// together, each once, in the order in which they were first made.
type graph struct {
	nodes []*node
	// refs are what the tail of a document has to declare or link.
	refs []string
}

type node struct {
	id         rdf.IRI
	properties []property
}

type property struct {
	name   rdf.IRI
	values []rdf.Object
}

// node returns the node of a subject, a new one if it is new.
func (g *graph) node(id rdf.IRI, classes ...rdf.IRI) *node {
	n := g.find(id)
	if n == nil {
		n = &node{id: id, properties: make([]property, 0, 8)}
		g.nodes = append(g.nodes, n)
	}
	for _, c := range classes {
		n.add(rdfType, c)
	}
	return n
}

func (g *graph) find(id rdf.IRI) *node {
	for _, n := range g.nodes {
		if n.id == id {
			return n
		}
	}
	return nil
}

// add makes a statement; a nil value makes none.
func (n *node) add(name rdf.IRI, value rdf.Object) {
	if value == nil {
		return
	}
	for i := range n.properties {
		if p := &n.properties[i]; p.name == name {
			for _, v := range p.values {
				if v == value {
					return
				}
			}
			p.values = append(p.values, value)
			return
		}
	}
	n.properties = append(n.properties, property{name, []rdf.Object{value}})
}

// values are those of a property.
func (n *node) values(name rdf.IRI) []rdf.Object {
	for i := range n.properties {
		if n.properties[i].name == name {
			return n.properties[i].values
		}
	}
	return nil
}

// has tells whether a property has a value.
func (n *node) has(name rdf.IRI) bool { return n.values(name) != nil }

// page links a page of the web and declares it a document.
func (g *graph) page(n *node, name rdf.IRI, raw string) {
	if u := link(raw); u != nil {
		n.add(name, u)
		g.node(u.(rdf.IRI), classDocument)
	}
}

// code links a code of a list; an unknown code makes no statement.
func (g *graph) code(n *node, name rdf.IRI, list, value string) {
	if c, ok := codes().find(list, value); ok {
		n.add(name, c.iri)
		g.ref(list, value)
	}
}

// ref notes something for the tail.
func (g *graph) ref(kind, value string) {
	g.refs = append(g.refs, kind+" "+value)
}

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
