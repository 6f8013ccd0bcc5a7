package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/flate"

	"github.com/assay-register/assay/render/artifact"
)

// The gzip copy of a document is not in the file but for a head and an end (RFC 1952,
// section 2.3): between them lies each frame of the document as a run of DEFLATE blocks
// (RFC 1951), which begins on a byte and knows nothing of the others, and is made when it
// is read. So the bytes depend on the program that reads: TestBytesOfTheForm holds them to the
// version of the form.

// zipHead names no file and no time, and an unknown system.
var zipHead = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

// zipEnd is the last block of DEFLATE, an empty one; a check sum and a length follow it.
var zipEnd = []byte{3, 0}

// zipFrame is the size of a frame of a document that has a copy: what DEFLATE cannot make
// smaller grows a little, and is a frame of the copy, too.
const zipFrame = FrameMax - FrameMax/256

// zipped takes down what the copy needs.
type zipped struct {
	sum  hash.Hash
	crc  uint32
	size int64
	// parts are the sizes of its frames but for head and end.
	parts []int
}

func newZipped() *zipped {
	z := &zipped{sum: sha256.New(), size: int64(len(zipHead))}
	z.sum.Write(zipHead)
	return z
}

// part takes what the next frame of the document becomes.
func (z *zipped) part(b []byte) {
	z.sum.Write(b)
	z.parts, z.size = append(z.parts, len(b)), z.size+int64(len(b))
}

// end writes the frames of the copy behind those of the document, and is the copy.
func (z *zipped) end(s *streamed, f *artifact.File) Document {
	d := Document{Route: f.Gzip, Type: artifact.Gzip, Class: f.Class, Cache: f.Cache, first: len(s.frames)}
	s.put(frame{Stored, len(zipHead), len(zipHead)}, zipHead)
	for i, n := range z.parts {
		number := binary.AppendUvarint(nil, uint64(i))
		s.put(frame{Gzip, len(number), n}, number)
	}
	end := binary.LittleEndian.AppendUint32(bytes.Clone(zipEnd), z.crc)
	end = binary.LittleEndian.AppendUint32(end, uint32(s.size))
	s.put(frame{Stored, len(end), len(end)}, end)
	z.sum.Write(end)
	d.Size = z.size + int64(len(end))
	z.sum.Sum(d.Sum[:0])
	return d
}

// both sums up the document and its check sum.
type both struct {
	hash.Hash
	z *zipped
}

// Write implements io.Writer.
func (b both) Write(p []byte) (int, error) {
	b.z.crc = crc32.Update(b.z.crc, crc32.IEEETable, p)
	return b.Hash.Write(p)
}

// deflaters are idle, each with the buffer that it writes to.
var deflaters = sync.Pool{New: func() any {
	d := &deflater{}
	d.w, _ = flate.NewWriter(&d.out, artifact.GzipLevel) // the level is valid
	return d
}}

type deflater struct {
	out bytes.Buffer
	w   *flate.Writer
}

// deflate is what a frame becomes in the copy.
func deflate(raw []byte) []byte {
	d := deflaters.Get().(*deflater)
	defer deflaters.Put(d)
	d.out.Reset()
	d.w.Reset(&d.out)
	_, err := d.w.Write(raw)
	if err := errors.Join(err, d.w.Flush()); err != nil {
		panic("pack: " + err.Error()) // a buffer takes all
	}
	return append(artifact.Buffer(d.out.Len()), d.out.Bytes()...)
}

// zip makes a frame of a gzip copy from the frame of the group that it names.
func (c *Content) zip(f frame, at int64) ([]byte, error) {
	packed, err := c.x.stored(f, at)
	if err != nil {
		return nil, err
	}
	number, n := binary.Uvarint(packed)
	if n != len(packed) || number >= uint64(len(c.group.frames)) || c.group.frames[number].kind == Gzip {
		return nil, broken(at, "a frame of a gzip copy names none")
	}
	from := c.start
	for _, before := range c.group.frames[:number] {
		from += int64(before.packed)
	}
	raw, err := c.raw(c.group.frames[number], from)
	if err != nil {
		return nil, err
	}
	b := deflate(raw)
	if len(b) != f.size {
		return nil, broken(at, fmt.Sprintf("a frame of a gzip copy has %d bytes, not %d", len(b), f.size))
	}
	return b, nil
}
