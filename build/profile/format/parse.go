package format

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/assay-register/assay/build/profile/table"
)

// errCut ends the reading of a document at the end of the sample or at the
// limit of nodes; what was read until then stands.
var errCut = errors.New("cut")

// parser reads JSON into nodes.
type parser struct {
	ctx   context.Context
	dec   *json.Decoder
	nodes int
	// full tells that the limit of nodes was met.
	full bool
}

func newParser(ctx context.Context, text []byte) *parser {
	p := &parser{ctx: ctx, dec: json.NewDecoder(bytes.NewReader(text))}
	p.dec.UseNumber()
	return p
}

// value reads the next value. With errCut the node is what there was of it.
func (p *parser) value(depth int) (*node, error) {
	if p.nodes++; p.nodes > maxNodes {
		p.full = true
		return nil, errCut
	}
	if p.nodes%4096 == 0 && p.ctx.Err() != nil {
		return nil, p.ctx.Err()
	}
	tok, err := p.token()
	if err != nil {
		return nil, err
	}
	switch v := tok.(type) {
	case json.Delim:
		if depth >= maxDepth {
			return nil, fmt.Errorf("byte %d: values are nested deeper than %d; flatten them", p.dec.InputOffset(), maxDepth)
		}
		if v == '{' {
			return p.members(&node{shape: object}, depth)
		}
		return p.elements(&node{shape: array}, depth)
	case string:
		return &node{cell: table.Cell{Kind: table.String, Text: v}}, nil
	case json.Number:
		return &node{cell: table.Cell{Kind: table.Number, Text: v.String()}}, nil
	case bool:
		return &node{cell: table.Cell{Kind: table.Bool, Text: fmt.Sprint(v)}}, nil
	}
	return &node{}, nil
}

func (p *parser) token() (json.Token, error) {
	tok, err := p.dec.Token()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errCut
	}
	if err != nil {
		// The error of the library may quote the text, which may be personal.
		return nil, fmt.Errorf("byte %d: the text is no valid JSON", p.dec.InputOffset())
	}
	return tok, nil
}

func (p *parser) members(n *node, depth int) (*node, error) {
	for p.dec.More() {
		tok, err := p.token()
		if err != nil {
			return n.broken(err)
		}
		key, _ := tok.(string)
		kid, err := p.value(depth + 1)
		if kid != nil {
			n.keys, n.kids = append(n.keys, key), append(n.kids, kid)
		}
		if err != nil {
			return n.broken(err)
		}
	}
	return n.close(p)
}

func (p *parser) elements(n *node, depth int) (*node, error) {
	for p.dec.More() {
		kid, err := p.value(depth + 1)
		if kid != nil {
			n.kids = append(n.kids, kid)
		}
		if err != nil {
			return n.broken(err)
		}
	}
	return n.close(p)
}

func (n *node) close(p *parser) (*node, error) {
	if _, err := p.token(); err != nil {
		return n.broken(err)
	}
	return n, nil
}

func (n *node) broken(err error) (*node, error) {
	n.cut = true
	return n, err
}
