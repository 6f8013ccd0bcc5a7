package format

import (
	"context"
	"encoding/xml"
	"errors"
	"strings"

	"github.com/assay-register/assay/build/profile/table"
)

// elements reads the elements at one path, one after the other.
type elements struct {
	dec   *xml.Decoder
	ctx   context.Context
	path  []string
	nodes int
}

// next returns the next element at the path, io.EOF after the last.
func (r *elements) next(path string) (*node, error) {
	for {
		tok, err := r.token()
		if err != nil {
			return nil, err
		}
		switch v := tok.(type) {
		case xml.StartElement:
			if strings.Join(append(r.path, v.Name.Local), "/") == path {
				return r.element(v, 0)
			}
			if len(r.path) > maxDepth {
				return nil, errors.New("elements are nested too deep")
			}
			r.path = append(r.path, v.Name.Local)
		case xml.EndElement:
			if len(r.path) > 0 {
				r.path = r.path[:len(r.path)-1]
			}
		}
	}
}

func (r *elements) token() (xml.Token, error) {
	if r.nodes++; r.nodes%4096 == 0 && r.ctx.Err() != nil {
		return nil, r.ctx.Err()
	}
	return r.dec.Token()
}

// element reads one element: a leaf if it has neither attributes nor children.
// Text beside them becomes the member "#text".
func (r *elements) element(e xml.StartElement, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errors.New("elements are nested too deep")
	}
	n := &node{shape: object}
	for _, a := range e.Attr {
		if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
			n.put("@"+a.Name.Local, leafOf(a.Value))
		}
	}
	var text strings.Builder
	for {
		tok, err := r.token()
		if err != nil {
			return nil, err
		}
		switch v := tok.(type) {
		case xml.CharData:
			text.Write(v[:min(len(v), max(0, table.DefaultLimits.Cell-text.Len()))])
		case xml.StartElement:
			kid, err := r.element(v, depth+1)
			if err != nil {
				return nil, err
			}
			n.put(v.Name.Local, kid)
		case xml.EndElement:
			return n.ended(text.String()), nil
		}
	}
}

func (n *node) put(key string, kid *node) {
	n.keys, n.kids = append(n.keys, key), append(n.kids, kid)
}

func (n *node) ended(text string) *node {
	text = strings.TrimSpace(text)
	if len(n.kids) == 0 {
		return leafOf(text)
	}
	if text != "" {
		n.put("#text", leafOf(text))
	}
	return n
}

func leafOf(text string) *node {
	if text = strings.TrimSpace(text); text == "" {
		return &node{}
	}
	return &node{cell: table.Cell{Kind: table.Text, Text: text}}
}
