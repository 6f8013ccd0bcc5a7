package snapshot

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// StreamItems is the stream that has of each entry its list item (Catalog.ReadItem).
const StreamItems = "items"

// Stream holds the fragments of one document, one for each entry in id order;
// the fragment of an entry may be empty.
type Stream struct {
	// One reads the fragment of an entry of a stream whose fragments do not lie together (artifact.Fragment,
	// Own); then it has no Data. What it returns is not to be changed.
	One  func(ordinal int) ([]byte, error)
	Data io.ReaderAt
	// Ends are where the entries' fragments end.
	Ends []int64
}

// Fragments reads the fragments of the entries from one ordinal up to, not
// including, another.
func (s *Stream) Fragments(from, to int) *io.SectionReader {
	if s == nil || from >= to {
		return io.NewSectionReader(nil, 0, 0)
	}
	start := int64(0)
	if from > 0 {
		start = s.Ends[from-1]
	}
	return io.NewSectionReader(s.Data, start, s.Ends[to-1]-start)
}

// Fragment reads that of the entry at the ordinal, into a room where it is to be copied.
func (s *Stream) Fragment(ordinal int, room []byte) ([]byte, error) {
	if s != nil && s.One != nil {
		return s.One(ordinal)
	}
	in := s.Fragments(ordinal, ordinal+1)
	room = slices.Grow(room[:0], int(in.Size()))[:in.Size()]
	_, err := in.ReadAt(room, 0)
	return room, err
}

// Has tells whether the entry at the ordinal has a fragment.
func (s *Stream) Has(ordinal int) bool {
	return s != nil && s.Fragments(ordinal, ordinal+1).Size() > 0
}

// Each calls fn for the fragment of every entry that has one, in id order; the bytes stand
// until the next call. A stream that no entry is in has none.
func (s *Stream) Each(fn func(ordinal int, b []byte) error) error {
	if s == nil || len(s.Ends) == 0 {
		return nil
	}
	in := bufio.NewReaderSize(s.Fragments(0, len(s.Ends)), 1<<16)
	var buf []byte
	at := int64(0)
	for i, end := range s.Ends {
		if end == at {
			continue
		}
		buf = slices.Grow(buf[:0], int(end-at))[:end-at]
		at = end
		if _, err := io.ReadFull(in, buf); err != nil {
			return fmt.Errorf("fragment of entry %d: %w", i, err)
		}
		if err := fn(i, buf); err != nil {
			return err
		}
	}
	return nil
}
