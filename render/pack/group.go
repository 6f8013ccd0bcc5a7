package pack

import (
	"crypto/sha256"
	"fmt"

	"github.com/assay-register/assay/render/artifact"
)

// Bounds of the form, in bytes unless told otherwise.
const (
	// FrameMax bounds a frame before compression; a longer document has several.
	FrameMax = 1 << 20
	// tinyMax is the size from which a document has a frame of its own.
	tinyMax = 2 << 10
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
}

// Size is what the group takes in a file without its places, in bytes.
func (g *Group) Size() int { return len(g.data) + len(g.packed) }

// Compress makes a group of files that have bodies. Several goroutines may make
// groups at the same time; the order of the files is that in the group.
func Compress(key string, files []artifact.File) (*Group, error) {
	if len(files) > documentsMax {
		return nil, fmt.Errorf("group %s has %d documents, at most %d fit", key, len(files), documentsMax)
	}
	g := &Group{Key: key}
	seen := map[[sha256.Size]byte]int{}
	var tiny []byte
	var waiting []int
	for i := range files {
		f := &files[i]
		if f.Stream != nil {
			return nil, fmt.Errorf("document %s is streamed: it is a group of its own", f.Route)
		}
		d := describe(f)
		if at, ok := seen[d.Sum]; ok {
			d.first, d.offset = g.Documents[at].first, g.Documents[at].offset
			if g.Documents[at].Size < tinyMax {
				waiting = append(waiting, i)
			}
			g.Documents = append(g.Documents, d)
			continue
		}
		seen[d.Sum] = i
		if d.Size < tinyMax {
			d.offset = len(tiny)
			tiny = append(tiny, f.Body...)
			waiting = append(waiting, i)
		} else {
			d.first = len(g.frames)
			g.add(KindOf(f.Route, f.Type), f.Body)
		}
		g.Documents = append(g.Documents, d)
	}
	for _, i := range waiting {
		d := &g.Documents[i]
		d.first, d.offset = len(g.frames)+d.offset/FrameMax, d.offset%FrameMax
	}
	g.add(Tiny, tiny)
	return g, g.seal()
}

// seal makes the table of a group that is complete.
func (g *Group) seal() error {
	raw := g.table()
	if len(raw) > tableMax {
		return fmt.Errorf("group %s: its table has %d bytes, at most %d fit", g.Key, len(raw), tableMax)
	}
	g.packed = encoders()[Table].EncodeAll(raw, nil)
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

// add appends the frames of some bytes.
func (g *Group) add(k Kind, raw []byte) {
	for len(raw) > 0 {
		n := min(len(raw), FrameMax)
		kind, packed := encode(k, raw[:n])
		g.frames = append(g.frames, frame{kind, len(packed), n})
		g.data = append(g.data, packed...)
		raw = raw[n:]
	}
}

// IsTiny tells whether a document of so many bytes shares its frame.
func IsTiny(size int) bool { return size < tinyMax }
