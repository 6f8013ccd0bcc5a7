package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/assay-register/assay/render/artifact"
)

// Bounds of the form, in bytes unless told otherwise.
const (
	// FrameMax bounds a frame before compression; a longer document has several.
	FrameMax = 1 << 20
	// sharedMax bounds a frame that holds several documents, so that reading one of
	// them decodes little else: what is said of an entry, mostly half of it. languagesMax bounds one that
	// holds a page in several languages, which say nearly the same and are large where the page is a list.
	sharedMax    = 256 << 10
	languagesMax = 512 << 10
	// tableMax bounds a table, compressed or not.
	tableMax = 16 << 20
	// documentsMax bounds the documents of a group, in number.
	documentsMax = 1<<16 - 1
	// groupMax bounds the frames of a group that is copied.
	groupMax = 256 << 20
)

// Document is one document of a group.
type Document struct {
	// Route and Alias are its names, Alias "" for none.
	Route, Alias string
	// Type is the media type with its parameters.
	Type  string
	Class artifact.Class
	Cache artifact.Cache
	// Size is that of the document in bytes.
	Size int64
	// Sum is the SHA-256 of the document, Manifest the one that its manifest
	// names, zero for a document without.
	Sum, Manifest [sha256.Size]byte

	// first is the frame in which it begins, at the byte offset.
	first, offset int
	// same is one more than the number of the document before that has its bytes, 0
	// for none.
	same int
}

// frame is where some bytes of a group lie.
type frame struct {
	kind Kind
	// packed and size are its bytes in the file and before compression.
	packed, size int
}

// Group is what changes together, compressed. It is not to be changed.
type Group struct {
	Key       string
	Documents []Document
	frames    []frame
	// data are the frames one after the other, packed is the compressed table.
	data, packed []byte
	// weight is what a table that was read takes in full, in bytes.
	weight int
}

// Size is what the group takes in a file without its places, in bytes.
func (g *Group) Size() int { return len(g.data) + len(g.packed) }

// Equal tells whether two groups are the same bytes.
func (g *Group) Equal(other *Group) bool {
	return g.Key == other.Key && bytes.Equal(g.packed, other.packed) && bytes.Equal(g.data, other.data)
}

// whole is what a frame is to hold; pooled tells that raw was lent (artifact.Buffer).
type whole struct {
	kind   Kind
	raw    []byte
	pooled bool
}

// join appends a document to what the frame is to hold. The first one belongs to
// somebody else.
func (w *whole) join(body []byte) {
	if !w.pooled {
		w.raw, w.pooled = append(artifact.Buffer(sharedMax), w.raw...), true
	}
	w.raw = append(w.raw, body...)
}

// free gives the room back.
func (w *whole) free() {
	if w.pooled {
		artifact.Free(w.raw)
	}
}

// arrange tells which documents lie in which frames. Those of a kind follow each
// other; equal ones are one.
func arrange(key string, files []artifact.File) (*Group, []whole, error) {
	if len(files) > documentsMax {
		return nil, nil, fmt.Errorf("group %s has %d documents, at most %d fit", key, len(files), documentsMax)
	}
	g, frames := &Group{Key: key, Documents: make([]Document, len(files))}, []whole(nil)
	same := map[[sha256.Size]byte]int{}
	for i := range files {
		if files[i].Stream != nil {
			return nil, nil, fmt.Errorf("document %s is streamed: it is a group of its own", files[i].Route)
		}
		d := describe(&files[i])
		if first, ok := same[d.Sum]; ok {
			d.same = first + 1
		} else {
			same[d.Sum] = i
		}
		g.Documents[i] = d
	}
	for k := Stored + 1; k < kinds; k++ {
		frames = g.place(frames, k, files)
	}
	for i := range g.Documents {
		if d := &g.Documents[i]; d.same > 0 {
			d.first, d.offset = g.Documents[d.same-1].first, g.Documents[d.same-1].offset
		}
	}
	return g, frames, nil
}

// place puts the documents of a kind into frames behind those that are there.
func (g *Group) place(frames []whole, k Kind, files []artifact.File) []whole {
	open, most := -1, sharedMax
	for i := range files {
		d, body := &g.Documents[i], files[i].Body
		if d.same > 0 || len(body) == 0 || KindOf(d.Route, d.Type) != k {
			continue
		}
		if files[i].Page != "" {
			most = languagesMax
		}
		if open >= 0 && len(frames[open].raw)+len(body) <= most {
			d.first, d.offset = open, len(frames[open].raw)
			frames[open].join(body)
			continue
		}
		d.first = len(frames)
		for len(body) > FrameMax {
			frames, body = append(frames, whole{kind: k, raw: body[:FrameMax]}), body[FrameMax:]
		}
		frames, open = append(frames, whole{kind: k, raw: body}), -1
		if d.first == len(frames)-1 {
			open = d.first
		}
	}
	return frames
}

// seal makes the table of a group that is complete.
func (g *Group) seal(c *Compressor) error {
	raw, sums := g.table()
	if len(raw)+len(sums) > tableMax {
		return fmt.Errorf("group %s: its table has %d bytes, at most %d fit", g.Key, len(raw)+len(sums), tableMax)
	}
	packed := c.encode(Table, raw, nil)
	g.packed = append(append(binary.AppendUvarint(nil, uint64(len(packed))), packed...), sums...)
	return nil
}

func describe(f *artifact.File) Document {
	d := Document{Route: f.Route, Alias: f.Alias, Type: f.Type, Class: f.Class, Cache: f.Cache, Size: int64(len(f.Body))}
	if f.Sums != nil {
		d.Sum, d.Manifest = f.Sums.Body, f.Sums.Manifest
	} else {
		d.Sum = sha256.Sum256(f.Body)
	}
	return d
}

// fill compresses the frames of a group one after the other.
func (g *Group) fill(c *Compressor, frames []whole) {
	data := artifact.Buffer(sharedMax)
	for i := range frames {
		var f frame
		f, data = c.frame(frames[i].kind, frames[i].raw, data)
		g.frames = append(g.frames, f)
		frames[i].free()
	}
	g.data = bytes.Clone(data)
	artifact.Free(data)
}
