package pack

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"runtime"

	"github.com/assay-register/assay/render/artifact"
)

// Streamed is a document that is too large to hold, compressed, with its gzip copy if it
// has one. Its frames lie in a file of their own until they are appended to another one.
type Streamed struct {
	*Group
	packed int64
}

// Refers tells whether its frames refer to other groups of the file.
func (s *Streamed) Refers() bool { return s.refers() }

// Stream compresses the document that f.Stream writes into out. Its hash and size, and
// those of the copy at f.Gzip, are taken from there. Several goroutines may call it.
func (c *Compressor) Stream(out io.Writer, key string, f *artifact.File) (*Streamed, error) {
	return c.StreamIn(out, key, f, FrameMax, nil)
}

// StreamIn is Stream with smaller frames, in bytes, for a document that is read a little
// here and there, and with references to what it quotes where sources has that.
func (c *Compressor) StreamIn(out io.Writer, key string, f *artifact.File, size int, sources Sources) (*Streamed, error) {
	kind := KindOf(f.Route, f.Type)
	if size >= FrameMax {
		// A dictionary is nothing beside a frame of that size, and without one the
		// frames are what a client reads (Content.Zstd).
		kind = Plain
	}
	s := &streamed{out: out, sum: sha256.New(), max: min(size, FrameMax), sources: sources,
		compress: func(raw []byte, copies []quoted) (frame, []byte) {
			if worth(raw, copies) {
				return c.delta(raw, copies)
			}
			return c.frame(kind, raw, artifact.Buffer(len(raw)/2))
		}}
	if f.Sums != nil {
		s.sum = known{}
	}
	g := &Group{Key: key}
	if f.Gzip != "" {
		s.zip = newZipped()
		s.sum, s.max = both{s.sum, s.zip}, zipFrame
	}
	err := f.Stream(s)
	s.flush()
	if err != nil {
		return nil, fmt.Errorf("document %s: %w", f.Route, err)
	}
	d := Document{Route: f.Route, Alias: f.Alias, Type: f.Type, Class: f.Class, Cache: f.Cache, Size: s.size}
	if f.Sums != nil {
		d.Sum, d.Manifest = f.Sums.Body, f.Sums.Manifest
	} else {
		s.sum.Sum(d.Sum[:0])
	}
	g.Documents = []Document{d}
	if s.zip != nil {
		g.Documents = append(g.Documents, s.zip.end(s, f))
	}
	g.frames = s.frames
	return &Streamed{g, s.packed}, errors.Join(s.err, g.seal(c))
}

// AppendStreamed adds a document whose frames are the next bytes of in.
func (w *Writer) AppendStreamed(s *Streamed, in io.Reader) error {
	w.copyKept()
	n, err := io.Copy(framesOf{w}, io.LimitReader(in, s.packed))
	if err == nil && n != s.packed {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		w.err = errors.Join(w.err, fmt.Errorf("group %s: %w", s.Key, err))
		return w.err
	}
	return w.close(s.Group)
}

// framesOf takes the frames of a writer.
type framesOf struct{ w *Writer }

// Write implements io.Writer.
func (f framesOf) Write(p []byte) (int, error) {
	f.w.put(p)
	return len(p), f.w.err
}

// streamed cuts a document into frames, of which several are compressed at the same time.
type streamed struct {
	out      io.Writer
	compress func(raw []byte, copies []quoted) (frame, []byte)
	sources  Sources
	// zip is what the gzip copy needs, nil for none.
	zip *zipped
	// max is the size of a frame before compression.
	max int
	buf []byte
	// copies are what buf has from elsewhere.
	copies []quoted
	size   int64
	sum    hash.Hash
	packed int64
	frames []frame
	// waiting are the frames that are not written yet, in their order.
	waiting []chan compressed
	err     error
}

// compressed is a frame with its bytes, and what it was made of.
type compressed struct {
	frame
	data, raw, zip []byte
}

// known is the hash of a document whose hash is known.
type known struct{ hash.Hash }

// Write implements io.Writer.
func (known) Write(p []byte) (int, error) { return len(p), nil }

// Quote implements artifact.Quoter.
func (s *streamed) Quote(stream string, ordinal, from int, b []byte) error {
	source, ok := Source{}, false
	if s.sources != nil {
		source, ok = s.sources(stream, ordinal)
	}
	source = source.behind(from)
	for len(b) > 0 && s.err == nil {
		n := min(len(b), s.max-len(s.buf))
		if ok && n >= copyMin {
			s.copies = append(s.copies, quoted{len(s.buf), n, source})
		}
		s.Write(b[:n])
		b, source = b[n:], source.behind(n)
	}
	return s.err
}

// Write implements io.Writer.
func (s *streamed) Write(p []byte) (int, error) {
	s.sum.Write(p)
	s.size += int64(len(p))
	for rest := p; len(rest) > 0; {
		if s.buf == nil {
			s.buf = artifact.Buffer(s.max)
		}
		n := min(len(rest), s.max-len(s.buf))
		s.buf, rest = append(s.buf, rest[:n]...), rest[n:]
		if len(s.buf) == s.max {
			s.cut()
		}
	}
	return len(p), s.err
}

// cut has what was written since the last cut compressed.
func (s *streamed) cut() {
	if len(s.buf) == 0 {
		return
	}
	if len(s.waiting) == runtime.GOMAXPROCS(0) {
		s.next()
	}
	raw, copies, done := s.buf, s.copies, make(chan compressed, 1)
	go func() {
		c := compressed{raw: raw}
		c.frame, c.data = s.compress(raw, copies)
		if s.zip != nil {
			c.zip = deflate(raw)
		}
		done <- c
	}()
	s.waiting, s.buf, s.copies = append(s.waiting, done), nil, nil
}

// next writes the first of the frames that wait.
func (s *streamed) next() {
	f := <-s.waiting[0]
	s.waiting = s.waiting[1:]
	s.put(f.frame, f.data)
	if s.zip != nil {
		s.zip.part(f.zip)
	}
	for _, b := range [][]byte{f.raw, f.data, f.zip} {
		artifact.Free(b)
	}
}

// put writes a frame.
func (s *streamed) put(f frame, data []byte) {
	s.frames, s.packed = append(s.frames, f), s.packed+int64(len(data))
	if s.err == nil {
		_, s.err = s.out.Write(data)
	}
}

// flush writes all that was written to s.
func (s *streamed) flush() {
	s.cut()
	for len(s.waiting) > 0 {
		s.next()
	}
}
