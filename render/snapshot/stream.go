package snapshot

import "io"

// StreamItems is the stream that has of each entry its list item (Catalog.ReadItem).
const StreamItems = "items"

// Stream holds the fragments of one document, one for each entry in id order;
// the fragment of an entry may be empty.
type Stream struct {
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

// Has tells whether the entry at the ordinal has a fragment.
func (s *Stream) Has(ordinal int) bool {
	return s != nil && s.Fragments(ordinal, ordinal+1).Size() > 0
}
