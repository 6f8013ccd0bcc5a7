package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/assay-register/assay/render/artifact"
)

// errTable says that a table is not what a writer makes.
var errTable = errors.New("the table of a group is broken")

// table encodes what a group says of its documents: key, frames and documents,
// each list after its length, as varints and strings after their length.
func (g *Group) table() []byte {
	b := text(nil, g.Key)
	b = binary.AppendUvarint(b, uint64(len(g.frames)))
	for _, f := range g.frames {
		b = binary.AppendUvarint(append(b, byte(f.kind)), uint64(f.packed))
		b = binary.AppendUvarint(b, uint64(f.size))
	}
	b = binary.AppendUvarint(b, uint64(len(g.Documents)))
	for i := range g.Documents {
		b = g.Documents[i].encode(b)
	}
	return b
}

func text(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func (d *Document) encode(b []byte) []byte {
	b = text(text(text(text(b, d.Route), d.Alias), d.Type), string(d.Class))
	b = append(b, byte(d.Cache))
	for _, n := range []int64{d.Size, int64(d.first), int64(d.offset)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = append(b, d.Sum[:]...)
	if d.Manifest == ([32]byte{}) {
		return append(b, 0)
	}
	return append(append(b, 1), d.Manifest[:]...)
}

// parser reads a table; after the first error it reads zeros.
type parser struct {
	rest []byte
	err  error
}

func (p *parser) bytes(n uint64) []byte {
	if n > uint64(len(p.rest)) {
		p.rest, p.err = nil, errTable
		return nil
	}
	b := p.rest[:n]
	p.rest = p.rest[n:]
	return b
}

func (p *parser) number(bound uint64) uint64 {
	v, n := binary.Uvarint(p.rest)
	if n <= 0 || v > bound {
		p.rest, p.err = nil, errTable
		return 0
	}
	p.rest = p.rest[n:]
	return v
}

func (p *parser) octet() byte {
	if b := p.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (p *parser) text() string { return string(p.bytes(p.number(tableMax))) }

// parseTable reads a table and checks that what it says fits together and fills
// the span bytes of frames before it.
func parseTable(b []byte, span int64) (*Group, error) {
	p, g := &parser{rest: b}, &Group{}
	g.Key = p.text()
	// A frame takes at least 3 bytes of a table, a document more.
	total := int64(0)
	for range p.number(uint64(len(b) / 3)) {
		f := frame{Kind(p.octet()), int(p.number(FrameMax)), int(p.number(FrameMax))}
		if f.kind >= kinds || f.kind == Table || f.size == 0 || f.packed == 0 {
			p.err = errTable
		}
		if p.err != nil {
			return nil, p.err
		}
		total += int64(f.packed)
		g.frames = append(g.frames, f)
	}
	for range p.number(documentsMax) {
		d := p.document()
		if p.err == nil && !g.holds(&d) {
			p.err = fmt.Errorf("%w: %q lies outside of its frames", errTable, d.Route)
		}
		if p.err != nil {
			return nil, p.err
		}
		g.Documents = append(g.Documents, d)
	}
	if p.err == nil && (len(p.rest) > 0 || total != span) {
		p.err = errTable
	}
	return g, p.err
}

func (p *parser) document() (d Document) {
	d.Route, d.Alias, d.Type, d.Class = p.text(), p.text(), p.text(), artifact.Class(p.text())
	d.Cache = artifact.Cache(p.octet())
	d.Size, d.first, d.offset = int64(p.number(math.MaxInt64)), int(p.number(tableMax)), int(p.number(FrameMax))
	copy(d.Sum[:], p.bytes(uint64(len(d.Sum))))
	if p.octet() != 0 {
		copy(d.Manifest[:], p.bytes(uint64(len(d.Manifest))))
	}
	return d
}

// holds tells whether the frames from a document's first one have its bytes.
func (g *Group) holds(d *Document) bool {
	if d.Size == 0 {
		return true
	}
	if d.first >= len(g.frames) || d.offset >= g.frames[d.first].size {
		return false
	}
	rest := d.Size + int64(d.offset)
	for _, f := range g.frames[d.first:] {
		if rest -= int64(f.size); rest <= 0 {
			return true
		}
	}
	return false
}
