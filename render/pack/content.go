package pack

import (
	"crypto/sha256"
	"fmt"
	"io"
	"sort"
	"sync"
)

// rememberMax bounds the frames that a Content keeps decoded, in bytes.
const rememberMax = 2 << 20

// matchesMax bounds the documents of one hash that are listed.
const matchesMax = 20

// Content reads a document at any place. Several goroutines may use it.
type Content struct {
	x      *Reader
	name   string
	size   int64
	frames []frame
	// at are the places of the frames in the file, from the offsets of what they
	// hold in the document; the first may begin before it.
	at, from []int64
	// asStored is that of the document.
	asStored bool

	mu sync.Mutex
	// recent are decoded frames, the last used last.
	recent []decoded
	held   int
}

type decoded struct {
	number int
	raw    []byte
}

// Open prepares to read a document.
func (x *Reader) Open(f *Found) *Content {
	c := &Content{x: x, name: f.Document.Route, size: f.Document.Size, asStored: f.Document.asStored}
	at, from := f.start, -int64(f.Document.offset)
	for i, fr := range f.group.frames {
		if i >= f.Document.first && from < c.size {
			c.frames, c.at, c.from = append(c.frames, fr), append(c.at, at), append(c.from, from)
			from += int64(f.Document.bytes(fr))
		}
		at += int64(fr.packed)
	}
	return c
}

// Zstd is the compressed document as a client reads it that takes the content coding
// zstd (RFC 8878: frames may follow each other), nil where its frames are none or
// hold other documents too.
func (c *Content) Zstd() *io.SectionReader {
	held, packed := int64(0), int64(0)
	for _, f := range c.frames {
		if f.kind != Plain || c.asStored {
			return nil
		}
		held, packed = held+int64(f.size), packed+int64(f.packed)
	}
	if held != c.size || held == 0 {
		return nil
	}
	return io.NewSectionReader(c.x.r, c.at[0], packed)
}

// Size is that of the document in bytes.
func (c *Content) Size() int64 { return c.size }

// ReadAt implements io.ReaderAt.
func (c *Content) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("%s: offset %d", c.name, off)
	}
	for n < len(p) && off < c.size {
		i := sort.Search(len(c.from), func(i int) bool { return c.from[i] > off }) - 1
		raw, err := c.frame(i)
		if err != nil {
			return n, fmt.Errorf("%s: %w", c.name, err)
		}
		part := raw[off-c.from[i]:]
		part = part[:min(int64(len(part)), c.size-off)]
		k := copy(p[n:], part)
		n, off = n+k, off+int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (c *Content) frame(i int) ([]byte, error) {
	if raw := c.remembered(i); raw != nil {
		return raw, nil
	}
	read := c.x.frame
	if c.asStored {
		read = c.x.stored
	}
	raw, err := read(c.frames[i], c.at[i])
	if err == nil {
		c.remember(i, raw)
	}
	return raw, err
}

func (c *Content) remembered(number int) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, d := range c.recent {
		if d.number == number {
			c.recent = append(append(c.recent[:i:i], c.recent[i+1:]...), d)
			return d.raw
		}
	}
	return nil
}

func (c *Content) remember(number int, raw []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recent, c.held = append(c.recent, decoded{number, raw}), c.held+len(raw)
	for c.held > rememberMax && len(c.recent) > 1 {
		c.held -= len(c.recent[0].raw)
		c.recent = append([]decoded(nil), c.recent[1:]...)
	}
}

// Hashes lists the documents whose bytes have a hash, or whose manifest names
// it, at most matchesMax.
func (x *Reader) Hashes(sum [sha256.Size]byte) (list []*Found, err error) {
	err = x.records(&x.Directory.Hashes, sum, func(number, document int) (bool, error) {
		f, err := x.at(number, document)
		if err == nil && (f.Document.Sum == sum || f.Document.Manifest == sum) {
			list = append(list, f)
		}
		return len(list) == matchesMax, err
	})
	return list, err
}
