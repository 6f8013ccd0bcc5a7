package build

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/s2"

	"github.com/assay-register/assay/render/pack"
)

// What records hold is compressed with S2: a record is written with each build and read by the
// next one only, and Zstandard at its fastest takes 2.5 times the time for it. The dictionary is
// the end of that of pages, which are most of a record; without it records are half as large
// again. Before the bytes stand four of the XXH64 of what they hold, as in a frame of Zstandard.

// sumSize is the size of that sum in bytes.
const sumSize = 4

// squeezing is the dictionary; it may be used in several goroutines.
var squeezing = sync.OnceValue(func() *s2.Dict {
	b := pack.Dictionary(pack.Page)
	d := s2.MakeDict(b[max(0, len(b)-s2.MaxDictSize):], nil)
	if d == nil {
		panic("build: the dictionary of pages is too short for records")
	}
	return d
})

// squeeze is b compressed.
func squeeze(b []byte) []byte {
	out := binary.LittleEndian.AppendUint32(make([]byte, 0, len(b)/3), uint32(xxhash.Sum64(b)))
	return append(out, squeezing().Encode(nil, b)...)
}

// stretch is what squeeze was given, in the room if that is enough.
func stretch(b, room []byte) ([]byte, error) {
	if len(b) < sumSize {
		return nil, fmt.Errorf("a part of %d bytes has no sum", len(b))
	}
	sum := binary.LittleEndian.Uint32(b)
	n, err := s2.DecodedLen(b[sumSize:])
	if err != nil {
		return nil, err
	}
	if n > recordMax {
		return nil, fmt.Errorf("a part of %d bytes, at most %d are read", n, recordMax)
	}
	raw, err := squeezing().Decode(room, b[sumSize:])
	if err != nil {
		return nil, err
	}
	if uint32(xxhash.Sum64(raw)) != sum {
		return nil, fmt.Errorf("a part of %d bytes has not its sum", n)
	}
	return raw, nil
}
