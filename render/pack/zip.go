package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"

	"github.com/assay-register/assay/render/artifact"
)

// A document that has a gzip copy is in the file once. Its frames are runs of DEFLATE
// blocks (RFC 1951) that begin on a byte and know nothing of each other; the copy is a
// head, these frames as they lie, and an end (RFC 1952, section 2.3).

// zipHead names no file and no time, and an unknown system.
var zipHead = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

// zipEnd is the last block of DEFLATE, an empty one; a check sum and a length follow it.
var zipEnd = []byte{3, 0}

// zipFrame is the size of a frame before compression: what DEFLATE cannot make smaller
// grows a little, and still fits.
const zipFrame = FrameMax - FrameMax/256

// zipped takes down what the copy needs.
type zipped struct {
	s   *streamed
	sum hash.Hash
	crc uint32
}

// zipInto makes frames of what is written into s from which a copy can be made, and
// begins that.
func zipInto(s *streamed) *zipped {
	z := &zipped{s: s, sum: sha256.New()}
	s.out = io.MultiWriter(s.out, z.sum)
	s.sum = both{s.sum, z}
	s.max, s.compress = zipFrame, deflate
	s.put(frame{Stored, len(zipHead), len(zipHead)}, zipHead)
	return z
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

// end writes the end of the copy, and is the copy.
func (z *zipped) end(f *artifact.File) Document {
	end := binary.LittleEndian.AppendUint32(bytes.Clone(zipEnd), z.crc)
	end = binary.LittleEndian.AppendUint32(end, uint32(z.s.size))
	z.s.put(frame{Stored, len(end), len(end)}, end)
	d := Document{Route: f.Gzip, Type: artifact.Gzip, Class: f.Class, Cache: f.Cache, Size: z.s.packed, asStored: true}
	z.sum.Sum(d.Sum[:0])
	return d
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

// deflate makes a frame.
func deflate(raw []byte) (frame, []byte) {
	d := deflaters.Get().(*deflater)
	defer deflaters.Put(d)
	d.out.Reset()
	d.w.Reset(&d.out)
	if err := writeBlocks(d.w, raw); err != nil {
		panic("pack: " + err.Error()) // a buffer takes all
	}
	packed := bytes.Clone(d.out.Bytes())
	return frame{Deflate, len(packed), len(raw)}, packed
}

// writeBlocks writes whole blocks.
func writeBlocks(w *flate.Writer, raw []byte) error {
	_, err := w.Write(raw)
	return errors.Join(err, w.Flush())
}

// inflaters are idle.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// inflate returns the size bytes of a frame.
func inflate(packed []byte, size int) ([]byte, error) {
	r := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(r)
	in := bytes.NewReader(packed)
	if err := r.(flate.Resetter).Reset(in, nil); err != nil {
		return nil, err
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(r, raw); err != nil {
		return nil, fmt.Errorf("a frame of %d bytes: %w", size, err)
	}
	if n, err := r.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("a frame holds more than %d bytes", size)
	}
	return raw, nil
}
