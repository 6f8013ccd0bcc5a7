package contract

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// element is an element of an XML document by its local name; prefixes and name
// spaces differ between versions and say nothing that clients depend on.
type element struct {
	name     string
	attrs    map[string]string
	text     string
	children []*element
}

// elementsMax bounds the elements of a document.
const elementsMax = 400_000

// Truncated is a document that ends before its end: nothing can be said of what it
// no longer has.
var errTruncated = errors.New("the document ends before its end")

// errPaged is of one page of a list.
var errPaged = errors.New("the document is one page of several")

// parse reads an XML document. No entity is resolved but the five of XML.
func parse(r io.Reader) (*element, error) {
	d := xml.NewDecoder(r)
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	root := &element{}
	open, count := []*element{root}, 0
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errTruncated, err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			if count++; count > elementsMax || len(open) > 100 {
				return nil, errors.New("the document has too many elements")
			}
			e := &element{name: t.Name.Local, attrs: map[string]string{}}
			for _, a := range t.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			top := open[len(open)-1]
			top.children = append(top.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if top := open[len(open)-1]; len(top.text) < 1000 {
				top.text += strings.TrimSpace(string(t))
			}
		}
	}
	if len(root.children) == 0 {
		return nil, errors.New("this is no XML document")
	}
	return root.children[0], nil
}

// all are the children of a name.
func (e *element) all(name string) (out []*element) {
	for _, c := range e.children {
		if c.name == name {
			out = append(out, c)
		}
	}
	return out
}

// one is the first child of a name, an empty one without.
func (e *element) one(name string) *element {
	for _, c := range e.children {
		if c.name == name {
			return c
		}
	}
	return &element{}
}

// find are the elements of a name at any depth, outermost first.
func (e *element) find(name string) (out []*element) {
	for _, c := range e.children {
		if c.name == name {
			out = append(out, c)
		}
		out = append(out, c.find(name)...)
	}
	return out
}

// texts are those of the children of some names.
func (e *element) texts(names ...string) (out []string) {
	for _, name := range names {
		for _, c := range e.all(name) {
			if c.text != "" {
				out = append(out, c.text)
			}
		}
	}
	return out
}
