package pack

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/rdfxml"
)

// A document that is put together from others, such as an export of the lines of all
// entries, has its bytes only where the others have none: its frames are deltas, runs of
// ADD and COPY as in VCDIFF (RFC 3284, section 5), but with the places of other documents of
// the same file. Each step is the number of bytes that are added and these, then what is
// copied: the difference of the group's number to that of the step before, the number of
// the document in it, the offset and the length. What is added behind the last copy ends a delta. It
// is compressed without a dictionary. A copy may be of what the nodes of JSON-LD from the offset on become as RDF/XML
// (package rdfxml): then the number of the document has one more bit, and behind the length stands how many bytes of
// that come before. As with gzip copies, the bytes depend on the program that reads.

// Source is where the bytes of a fragment lie in the file: the numbers of the group and of
// the document in it, and the offset in that.
type Source struct {
	Group, Document int
	Offset          int64
	// RDFXML tells that they are what the nodes there become as RDF/XML, without the first Skip bytes.
	RDFXML bool
	Skip   int
}

// behind is the source of what follows n bytes.
func (s Source) behind(n int) Source {
	if s.RDFXML {
		s.Skip += n
	} else {
		s.Offset += int64(n)
	}
	return s
}

// turned is the bit of a document of which RDF/XML is copied.
const turned = groupKey + 1

// RoutesOf is the source of what a list of all documents says of those of a group (Group.Routes).
func RoutesOf(group int) Source { return Source{Group: group, Document: groupKey} }

// Sources finds the fragment of an entry in a stream (artifact.Quote); false where no document has it.
type Sources func(stream string, ordinal int) (Source, bool)

// copyMin is the least that is copied from another document, in bytes: a reference takes
// some ten.
const copyMin = 64

// quoted is a copy in a frame: n bytes from its byte at on.
type quoted struct {
	at, n int
	from  Source
}

// worth tells whether a frame becomes a delta: most of it is copied.
func worth(raw []byte, copies []quoted) bool {
	n := 0
	for _, q := range copies {
		n += q.n
	}
	return n > len(raw)/2
}

// delta makes the frame that holds raw by references.
func (c *Compressor) delta(raw []byte, copies []quoted) (frame, []byte) {
	b := artifact.Buffer(len(copies) * 16)
	at, group := 0, 0
	for _, q := range copies {
		b = add(b, raw[at:q.at])
		b = binary.AppendVarint(b, int64(q.from.Group-group))
		document := q.from.Document
		if q.from.RDFXML {
			document |= turned
		}
		b = binary.AppendUvarint(b, uint64(document))
		b = binary.AppendUvarint(b, uint64(q.from.Offset))
		b = binary.AppendUvarint(b, uint64(q.n))
		if q.from.RDFXML {
			b = binary.AppendUvarint(b, uint64(q.from.Skip))
		}
		at, group = q.at+q.n, q.from.Group
	}
	b = add(b, raw[at:])
	packed := c.encode(Plain, b, nil)
	artifact.Free(b)
	return frame{Delta, len(packed), len(raw)}, packed
}

func add(b, raw []byte) []byte { return append(binary.AppendUvarint(b, uint64(len(raw))), raw...) }

// step is a part of a delta: bytes that are added, or a copy.
type step struct {
	// at is where it begins in the frame, n its length.
	at, n int
	added []byte
	from  Source
}

// deltaMax bounds a delta, decoded, in bytes: one that copies the least all over.
const deltaMax = 2 * FrameMax

var deltas = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(deltaMax))
	if err != nil {
		panic("pack: " + err.Error())
	}
	return d
})

// steps reads a delta of size bytes.
func steps(packed []byte, size int) ([]step, error) {
	b, err := deltas().DecodeAll(packed, nil)
	if err != nil {
		return nil, err
	}
	var list []step
	p, at, group := &parser{rest: b}, 0, int64(0)
	put := func(s step) {
		if s.n > 0 {
			s.at = at
			list, at = append(list, s), at+s.n
		}
	}
	for {
		added := p.bytes(p.number(FrameMax))
		put(step{n: len(added), added: added})
		if p.err != nil || len(p.rest) == 0 {
			break
		}
		group += p.signed()
		document := int(p.number(turned | groupKey))
		s := step{from: Source{Group: int(group), Document: document &^ turned, RDFXML: document&turned != 0, Offset: int64(p.number(1 << 62))}, n: int(p.number(FrameMax))}
		if s.from.RDFXML {
			s.from.Skip = int(p.number(groupMax))
		}
		if s.n == 0 || at > size {
			p.rest, p.err = nil, errTable
		}
		put(s)
	}
	if p.err != nil || at != size {
		return nil, fmt.Errorf("a delta is not what a writer makes")
	}
	return list, nil
}

// copied reads what a step copies, from a byte of it on.
func (x *Reader) copied(s *step, skip int, to []byte) error {
	if s.from.Group < 0 || s.from.Group >= x.Directory.Groups {
		return fmt.Errorf("a delta copies from group %d, which there is not", s.from.Group)
	}
	if s.from.Document == groupKey {
		return x.copiedRoutes(s, skip, to)
	}
	f, err := x.at(s.from.Group, s.from.Document)
	if err != nil {
		return err
	}
	if f.group.refers() {
		return fmt.Errorf("a delta copies from %s, which is one itself", f.Document.Route)
	}
	if s.from.RDFXML {
		err = x.turn(f, s.from.behind(skip), to)
	} else {
		_, err = io.ReadFull(io.NewSectionReader(x.Open(f), s.from.Offset+int64(skip), int64(len(to))), to)
	}
	if err != nil {
		return fmt.Errorf("%s from %d: %w", f.Document.Route, s.from.Offset, err)
	}
	return nil
}

// turn fills to with what a document of JSON-LD becomes as RDF/XML.
func (x *Reader) turn(f *Found, from Source, to []byte) error {
	if f.Document.Size > groupMax || from.Offset > f.Document.Size {
		return fmt.Errorf("it has %d bytes", f.Document.Size)
	}
	doc := artifact.Buffer(int(f.Document.Size))[:f.Document.Size]
	defer artifact.Free(doc)
	if _, err := io.ReadFull(io.NewSectionReader(x.Open(f), 0, f.Document.Size), doc); err != nil {
		return err
	}
	w, err := rdfxml.New(doc)
	if err != nil {
		return err
	}
	defer func() { artifact.Free(w.Out) }()
	if err := w.Some(doc[from.Offset:], from.Skip+len(to)); err != nil {
		return err
	}
	if len(w.Out) < from.Skip+len(to) {
		return fmt.Errorf("as RDF/XML it has %d bytes, not %d", len(w.Out), from.Skip+len(to))
	}
	copy(to, w.Out[from.Skip:])
	return nil
}

// copiedRoutes is copied where the source is RoutesOf.
func (x *Reader) copiedRoutes(s *step, skip int, to []byte) error {
	g, _, err := x.group(s.from.Group)
	if err != nil {
		return err
	}
	b, at := g.Routes(nil), s.from.Offset+int64(skip)
	if at > int64(len(b)) || copy(to, b[at:]) < len(to) {
		return fmt.Errorf("a delta copies %d bytes from %d of the routes of %s, which are %d bytes", len(to), at, g.Key, len(b))
	}
	return nil
}

// refers tells whether frames of the group refer to other groups.
func (g *Group) refers() bool {
	for _, f := range g.frames {
		if f.kind == Delta {
			return true
		}
	}
	return false
}
