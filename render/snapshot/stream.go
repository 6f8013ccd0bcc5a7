package snapshot

import (
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/s2"
)

// Stream holds the pieces of one document, one for each entry in id order;
// the piece of an entry may be empty.
type Stream struct {
	Data io.ReaderAt
	// Ends are where the entries' pieces end.
	Ends []int64
	// Packed tells that each piece is an S2 block: they are read by Piece only.
	Packed bool
}

// Pack is a piece as a packed stream holds it, in the given room.
func Pack(room, piece []byte) []byte { return s2.Encode(room[:cap(room)], piece) }

// PackedMax is how much room a piece of n bytes may need when it is packed.
func PackedMax(n int) int { return s2.MaxEncodedLen(n) }

// Piece reads the piece of the entry at the ordinal, in the given room if that
// is large enough; packed is room for what lies in the stream.
func (s *Stream) Piece(room, packed []byte, ordinal int) (piece, used []byte, err error) {
	section := s.Pieces(ordinal, ordinal+1)
	size := int(section.Size())
	if size == 0 {
		return room[:0], packed, nil
	}
	if !s.Packed {
		piece = slices.Grow(room[:0], size)[:size]
		_, err = section.ReadAt(piece, 0)
		return piece, packed, err
	}
	packed = slices.Grow(packed[:0], size)[:size]
	if _, err := section.ReadAt(packed, 0); err != nil {
		return nil, packed, err
	}
	n, err := s2.DecodedLen(packed)
	if err != nil {
		return nil, packed, fmt.Errorf("packed piece: %w", err)
	}
	piece, err = s2.Decode(slices.Grow(room[:0], n)[:n], packed)
	return piece, packed, err
}

// Pieces reads the pieces of the entries from one ordinal up to, not
// including, another.
func (s *Stream) Pieces(from, to int) *io.SectionReader {
	if s == nil || from >= to {
		return io.NewSectionReader(nil, 0, 0)
	}
	start := int64(0)
	if from > 0 {
		start = s.Ends[from-1]
	}
	return io.NewSectionReader(s.Data, start, s.Ends[to-1]-start)
}

// Has tells whether the entry at the ordinal has a piece.
func (s *Stream) Has(ordinal int) bool {
	return s != nil && s.Pieces(ordinal, ordinal+1).Size() > 0
}
