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
	// group is that of the document; its frames begin at start.
	group *Group
	start int64

	mu sync.Mutex
	// steps are those of the delta that was read last, at stepsAt.
	steps   []step
	stepsAt int64
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
	c := &Content{x: x, name: f.Document.Route, size: f.Document.Size, group: f.group, start: f.start}
	at, from := f.start, -int64(f.Document.offset)
	for i, fr := range f.group.frames {
		if i >= f.Document.first && from < c.size {
			c.frames, c.at, c.from = append(c.frames, fr), append(c.at, at), append(c.from, from)
			from += int64(fr.size)
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
		if f.kind != Plain {
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
		end := min(c.from[i]+int64(c.frames[i].size), c.size)
		part := p[n:][:min(int64(len(p)-n), end-off)]
		if err := c.read(i, int(off-c.from[i]), part); err != nil {
			return n, fmt.Errorf("%s: %w", c.name, err)
		}
		n, off = n+len(part), off+int64(len(part))
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// read fills p with what a frame holds from an offset on. Of a delta only that is put together.
func (c *Content) read(i, from int, p []byte) error {
	if c.frames[i].kind == Delta {
		return c.follow(c.frames[i], c.at[i], from, p)
	}
	raw := c.remembered(i)
	if raw == nil {
		var err error
		if raw, err = c.raw(c.frames[i], c.at[i]); err != nil {
			return err
		}
		c.remember(i, raw)
	}
	copy(p, raw[from:])
	return nil
}

// raw is what a frame of the group holds.
func (c *Content) raw(f frame, at int64) ([]byte, error) {
	switch f.kind {
	case Gzip:
		return c.zip(f, at)
	case Delta:
		b := make([]byte, f.size)
		return b, c.follow(f, at, 0, b)
	}
	return c.x.frame(f, at)
}

// follow fills p with what a delta holds from an offset on.
func (c *Content) follow(f frame, at int64, from int, p []byte) error {
	list, err := c.delta(f, at)
	if err != nil {
		return err
	}
	for i := sort.Search(len(list), func(i int) bool { return list[i].at+list[i].n > from }); len(p) > 0; i++ {
		s := &list[i]
		skip := from - s.at
		part := p[:min(len(p), s.n-skip)]
		if s.added != nil {
			copy(part, s.added[skip:])
		} else if err := c.x.copied(s, skip, part); err != nil {
			return broken(at, err.Error())
		}
		from, p = from+len(part), p[len(part):]
	}
	return nil
}

// delta reads the steps of one, and remembers the last.
func (c *Content) delta(f frame, at int64) ([]step, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.steps != nil && c.stepsAt == at {
		return c.steps, nil
	}
	packed, err := c.x.stored(f, at)
	if err != nil {
		return nil, err
	}
	list, err := steps(packed, f.size)
	if err != nil {
		return nil, broken(at, err.Error())
	}
	c.steps, c.stepsAt = list, at
	return list, nil
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
