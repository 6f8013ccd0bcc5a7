package containers

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/assay-register/assay/render/pack"
)

// Keys of the containers that know keys and values only: a group by its number, the
// place of a document by its route and by its hash.

func groupKey(number uint32) []byte { return binary.BigEndian.AppendUint32([]byte{'g'}, number) }

func place(number uint32, document int) []byte {
	return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint32(nil, number), uint16(document))
}

// pairs are what a group is kept as.
func pairs(number uint32, g *pack.Group, put func(key, value []byte) error) error {
	b, err := g.MarshalBinary()
	if err == nil {
		err = put(groupKey(number), b)
	}
	for i := range g.Documents {
		d := &g.Documents[i]
		for _, route := range []string{d.Route, d.Alias} {
			if route != "" && err == nil {
				err = put([]byte("r"+route), place(number, i))
			}
		}
		if err == nil {
			err = put(append(append([]byte{'h'}, d.Sum[:8]...), place(number, i)...), nil)
		}
	}
	return err
}

// readPair writes the document of a route with what get finds.
func readPair(route string, get func([]byte) ([]byte, error), out io.Writer) error {
	at, err := get([]byte("r" + route))
	if err != nil || len(at) != 6 {
		return fmt.Errorf("%s: %x, %w", route, at, err)
	}
	b, err := get(groupKey(binary.BigEndian.Uint32(at)))
	if err != nil {
		return err
	}
	var g pack.Group
	if err := g.UnmarshalBinary(b); err != nil {
		return err
	}
	return g.Write(out, int(binary.BigEndian.Uint16(at[4:])))
}
