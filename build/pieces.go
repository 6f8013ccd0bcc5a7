package build

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// piece is a fragment that documents of several entries read: its sizes in bytes as it is, and as it
// is kept.
type piece struct {
	Stream       string
	Size, Packed int
	// Quoted tells that documents quote it. Then it lies in the snapshot file, too (fragmentsOf), but reading it
	// there would decode all that is said of the entry.
	Quoted bool
}

// takePieces takes the fragments that are left, each compressed by itself: whoever writes a document about
// all entries reads one stream only.
func (f *frozen) takePieces() (told []byte, err error) {
	for i := range f.fragments {
		p := &f.fragments[i]
		if slices.ContainsFunc(f.pieces, func(x piece) bool { return x.Stream == p.Stream }) {
			return nil, fmt.Errorf("two fragments for the stream %s", p.Stream)
		}
		made := piece{Stream: p.Stream, Size: len(p.Body), Quoted: p.Quoted}
		if made.Size > 0 {
			packed := squeeze(p.Body)
			told, made.Packed = append(told, packed...), len(packed)
		}
		f.pieces = append(f.pieces, made)
		p.Free()
	}
	f.fragments = nil
	return told, nil
}

// pieces knows where in the bodies the fragments of the entries lie, by ordinal: some 80 bytes an entry.
type pieces struct {
	from   io.ReaderAt
	places []place
	// tables are of each entry the number of the stream and the two sizes of each piece, in their order.
	tables []byte
	// numbers are those of the streams of pieces, ownNames the streams of what only the entry's own documents read.
	numbers  map[string]uint64
	ownNames map[string]bool
	// recent are those parts of own streams that were read last.
	recent [64]atomic.Pointer[ownPart]
}

// place is where the fragments of an entry begin, where their table ends, and the size of the last part.
type place struct {
	at    int64
	table uint32
	own   uint32
}

func (t *pieces) entries() int { return len(t.places) }

func (t *pieces) add(at *body, f *frozen) {
	if t.numbers == nil {
		t.numbers, t.ownNames = map[string]uint64{}, map[string]bool{}
	}
	for i := range f.pieces {
		p := &f.pieces[i]
		number, known := t.numbers[p.Stream]
		if !known {
			number = uint64(len(t.numbers))
			t.numbers[p.Stream] = number
		}
		for _, n := range []uint64{number, uint64(p.Size), uint64(p.Packed)} {
			t.tables = binary.AppendUvarint(t.tables, n)
		}
	}
	for _, name := range f.own {
		t.ownNames[name] = true
	}
	t.places = append(t.places, place{at.at + at.head, uint32(len(t.tables)), uint32(at.own)})
}

// find is where the piece of an entry in a stream lies, all zero where it has none; without a stream, where its pieces end.
func (t *pieces) find(ordinal int, stream uint64) (at int64, size, packed int) {
	from := uint32(0)
	if ordinal > 0 {
		from = t.places[ordinal-1].table
	}
	at = t.places[ordinal].at
	for p := (thawing{rest: t.tables[from:t.places[ordinal].table]}); len(p.rest) > 0; at += int64(packed) {
		number := p.number()
		if size, packed = int(p.number()), int(p.number()); number == stream {
			return at, size, packed
		}
	}
	return at, 0, 0
}

// noStream is the number of none.
const noStream = 1 << 32

// stream is that of a number.
func (t *pieces) stream(number uint64) *snapshot.Stream {
	return &snapshot.Stream{
		Size: func(ordinal int) int {
			_, size, _ := t.find(ordinal, number)
			return size
		},
		Read: func(ordinal int, room []byte) ([]byte, error) {
			at, _, packed := t.find(ordinal, number)
			return t.read(at, packed, room)
		},
	}
}

// read reads what was squeezed into some bytes.
func (t *pieces) read(at int64, packed int, room []byte) ([]byte, error) {
	in := artifact.Buffer(packed)[:packed]
	defer artifact.Free(in)
	if _, err := t.from.ReadAt(in, at); err != nil {
		return nil, err
	}
	b, err := stretch(in, room)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRecords, err)
	}
	return b, nil
}

// ownPart is the last part of what is kept of an entry, read: texts by the name of their stream.
type ownPart struct {
	ordinal int
	texts   map[string][]byte
}

// ownStream is one of those that only the entry's own documents read, mostly all of them one after the other.
func (t *pieces) ownStream(name string) *snapshot.Stream {
	return &snapshot.Stream{
		Size: func(ordinal int) int { return int(t.places[ordinal].own) },
		Read: func(ordinal int, _ []byte) ([]byte, error) {
			part, err := t.ownPart(ordinal)
			if err != nil {
				return nil, err
			}
			return part.texts[name], nil
		},
	}
}

func (t *pieces) ownPart(ordinal int) (*ownPart, error) {
	slot := &t.recent[ordinal%len(t.recent)]
	if part := slot.Load(); part != nil && part.ordinal == ordinal {
		return part, nil
	}
	at, _, _ := t.find(ordinal, noStream)
	b, err := t.read(at, int(t.places[ordinal].own), nil)
	if err != nil {
		return nil, err
	}
	part, p := ownPart{ordinal, map[string][]byte{}}, thawing{rest: b}
	for len(p.rest) > 0 {
		name := string(p.part())
		part.texts[name] = p.part()
	}
	slot.Store(&part)
	return &part, nil
}
