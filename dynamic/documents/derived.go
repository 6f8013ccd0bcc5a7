package documents

import (
	"fmt"
	"io"
)

// Derived is a kind of document that no file has, because it says the same as one that
// a file has, in another form: it is made when it is asked for.
type Derived struct {
	// Operation is the id in the interface description, "" for none.
	Operation string
	// Ext follows the name of an entry, "/id/{id}", of which it is such a form; pages of the
	// entry lead to it. "" for a kind that they do not lead to.
	Ext string
	// From is the route of the document that the one of a route is made of, "" for a route
	// of another kind.
	From func(route string) string
	// Type is its media type with parameters.
	Type string
	// Make makes it. nil without an error says that there is none.
	Make func(source []byte) ([]byte, error)
	// None says which entries have none, as a sentence; "" for a kind that all have.
	None string
}

// derive looks for what the document of a route can be made of, nil for nothing.
func (d site) derive(route string) (*place, error) {
	for i := range d.derived {
		from := d.derived[i].From(route)
		if from == "" {
			continue
		}
		p, err := d.lies(from)
		if p != nil {
			p.derived = &d.derived[i]
		}
		return p, err
	}
	return nil, nil
}

// content reads the document of a place, made where it is derived; nil for one that
// cannot be made.
func (p *place) content() ([]byte, error) {
	in := p.file.Open(p.found)
	if in.Size() > readMax {
		return nil, fmt.Errorf("%s has %d bytes, at most %d are read", p.route, in.Size(), readMax)
	}
	b, err := io.ReadAll(whole(in))
	if err == nil && p.derived != nil {
		b, err = p.derived.Make(b)
	}
	return b, err
}
