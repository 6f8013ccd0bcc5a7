package xmltree

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
)

const xmlSpace = "http://www.w3.org/XML/1998/namespace"

// Write writes n as a document of its own, with all namespaces declared at its
// root. The order of texts among elements is not kept, which RDF/XML and
// metadata do not need.
func Write(w io.Writer, n *Node) error {
	prefixes := map[string]string{xmlSpace: "xml"}
	spaces := map[string]bool{}
	n.Each(func(n *Node) {
		spaces[n.Space] = true
		for _, a := range n.Attrs {
			spaces[a.Name.Space] = true
		}
	})
	delete(spaces, "")
	delete(spaces, xmlSpace)
	delete(spaces, "xml")
	p := &printer{w: w, prefixes: prefixes}
	var declared []xml.Attr
	for i, space := range slices.Sorted(maps.Keys(spaces)) {
		prefixes[space] = fmt.Sprintf("n%d", i)
		declared = append(declared, xml.Attr{Name: xml.Name{Local: "xmlns:" + prefixes[space]}, Value: space})
	}
	p.element(n, declared)
	return p.err
}

// Bytes is what Write writes.
func Bytes(n *Node) []byte {
	var b bytes.Buffer
	if Write(&b, n) != nil { // a buffer takes everything
		return nil
	}
	return b.Bytes()
}

type printer struct {
	w        io.Writer
	prefixes map[string]string
	err      error
}

func (p *printer) text(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, s)
	}
}

func (p *printer) escaped(s string) {
	if p.err == nil {
		p.err = xml.EscapeText(p.w, []byte(s))
	}
}

func (p *printer) name(n xml.Name) string {
	if n.Space == "xml" {
		return "xml:" + n.Local
	}
	if prefix := p.prefixes[n.Space]; prefix != "" {
		return prefix + ":" + n.Local
	}
	return n.Local
}

func (p *printer) element(n *Node, declared []xml.Attr) {
	name := p.name(xml.Name{Space: n.Space, Local: n.Name})
	p.text("<" + name)
	for _, a := range append(declared, n.Attrs...) {
		p.text(" " + p.name(a.Name) + `="`)
		p.escaped(a.Value)
		p.text(`"`)
	}
	p.text(">")
	p.escaped(n.Text)
	for _, c := range n.Children {
		p.element(c, nil)
	}
	p.text("</" + name + ">")
}
