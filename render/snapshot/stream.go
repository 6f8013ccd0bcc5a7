package snapshot

import (
	"fmt"

	"github.com/assay-register/assay/render/artifact"
)

// StreamItems is the stream that has of each entry its list item (Catalog.ReadItem).
const StreamItems = "items"

// Stream holds the fragments of one document, one for each entry in id order. A nil one has none.
type Stream struct {
	// Size is that of the fragment of the entry at an ordinal in bytes, 0 where the entry has none.
	Size func(ordinal int) int
	// Read reads a fragment that is there, into a room where it fits. It may lie elsewhere, so what
	// it returns is not to be changed.
	Read func(ordinal int, room []byte) ([]byte, error)
}

// Fragment is that of the entry at the ordinal, nil where it has none.
func (s *Stream) Fragment(ordinal int, room []byte) ([]byte, error) {
	if !s.Has(ordinal) {
		return nil, nil
	}
	return s.Read(ordinal, room)
}

// Has tells whether the entry at the ordinal has a fragment.
func (s *Stream) Has(ordinal int) bool { return s != nil && s.Size(ordinal) > 0 }

// Each calls fn for the fragment of every entry that has one, from one ordinal up to, not including,
// another; the bytes stand until the next call.
func (s *Stream) Each(from, to int, fn func(ordinal int, b []byte) error) error {
	var b []byte
	for i := from; i < to; i++ {
		if !s.Has(i) {
			continue
		}
		var err error
		if b, err = s.Read(i, b); err != nil {
			return fmt.Errorf("fragment of entry %d: %w", i, err)
		}
		if err := fn(i, b); err != nil {
			return err
		}
	}
	return nil
}

// Fragments are those of entries in memory: of each stream by ordinal.
type Fragments map[string]map[int][]byte

// Add takes those of the entry at an ordinal; several of one stream follow each other.
func (f Fragments) Add(ordinal int, list []artifact.Fragment) {
	for i := range list {
		p := &list[i]
		if f[p.Stream] == nil {
			f[p.Stream] = map[int][]byte{}
		}
		f[p.Stream][ordinal] = append(f[p.Stream][ordinal], p.Body...)
	}
}

// Stream is one of them.
func (f Fragments) Stream(name string) *Stream {
	list := f[name]
	return &Stream{
		Size: func(ordinal int) int { return len(list[ordinal]) },
		Read: func(ordinal int, room []byte) ([]byte, error) { return append(room[:0], list[ordinal]...), nil },
	}
}

// Streams are all of them.
func (f Fragments) Streams() map[string]*Stream {
	streams := make(map[string]*Stream, len(f))
	for name := range f {
		streams[name] = f.Stream(name)
	}
	return streams
}
