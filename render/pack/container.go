package pack

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// MarshalBinary gives a group to another container than a file of this form: how long
// the frames are, the frames, the table.
func (g *Group) MarshalBinary() ([]byte, error) {
	b := binary.AppendUvarint(make([]byte, 0, binary.MaxVarintLen64+g.Size()), uint64(len(g.data)))
	return append(append(b, g.data...), g.packed...), nil
}

// UnmarshalBinary reads what MarshalBinary gave, and keeps it.
func (g *Group) UnmarshalBinary(b []byte) error {
	p := &parser{rest: b}
	data := p.bytes(p.number(groupMax))
	if p.err != nil {
		return fmt.Errorf("%w: %w", ErrForm, p.err)
	}
	read, err := unseal(tables(), p.rest, int64(len(data)))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrForm, err)
	}
	*g, g.data = *read, data
	return nil
}

// Write writes a document of a group that has its compressed bytes.
func (g *Group) Write(out io.Writer, document int) error {
	if document < 0 || document >= len(g.Documents) {
		return fmt.Errorf("group %s has no document %d", g.Key, document)
	}
	x, d := &Reader{r: bytes.NewReader(g.data), end: int64(len(g.data))}, &g.Documents[document]
	return x.Write(out, &Found{d, g, 0}, 0, d.Size)
}
