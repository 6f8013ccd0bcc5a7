package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrForm says that bytes are no snapshot file of this version, or a damaged one. What
// wraps it tells where.
var ErrForm = errors.New("not a whole snapshot file of this version: build it again")

// broken tells what is wrong with the bytes from an offset of the file.
func broken(at int64, what string) error {
	return fmt.Errorf("%w: byte %d: %s", ErrForm, at, what)
}

// early makes an early end a fault of the form.
func early(at int64, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return broken(at, "the file ends too early")
	}
	return err
}

// Reader reads a file where it lies. It holds the directory and what was read last, some
// 20 MB and never above 40; several goroutines may use it.
type Reader struct {
	r   io.ReaderAt
	end int64
	// Directory is that of the file.
	Directory Directory

	former bool
	recent recent
}

// Found is a document and the group that holds it.
type Found struct {
	Document *Document
	group    *Group
	start    int64
}

// Key is that of the group.
func (f *Found) Key() string { return f.group.Key }

// Open reads the directory of a file of size bytes.
func Open(r io.ReaderAt, size int64) (*Reader, error) {
	head := make([]byte, len(lesserMagic))
	if n, _ := r.ReadAt(head, 0); n == len(head) && string(head) == lesserMagic {
		return openAs(lesserMagic, r, size)
	}
	return openAs(magic, r, size)
}

func openAs(magic string, r io.ReaderAt, size int64) (*Reader, error) {
	x := &Reader{r: r, end: size, former: magic == formerMagic}
	if size < int64(len(magic)+footSize) {
		return nil, broken(size, "the file ends too early")
	}
	foot, head := make([]byte, footSize), make([]byte, len(magic))
	if err := errors.Join(x.readAt(foot, size-int64(footSize)), x.readAt(head, 0)); err != nil {
		return nil, err
	}
	at, n := int64(binary.BigEndian.Uint64(foot)), int64(binary.BigEndian.Uint32(foot[8:]))
	if string(head) != magic {
		return nil, broken(0, "it does not begin as such a file does")
	}
	if string(foot[12:]) != magic || n > directoryMax || at < int64(len(magic)) || at != size-int64(footSize)-n {
		return nil, broken(size-int64(footSize), "it does not end as such a file does")
	}
	b := make([]byte, n)
	if err := x.readAt(b, at); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(b, &x.Directory); err != nil {
		return nil, broken(at, "the directory: "+err.Error())
	}
	x.end = at
	return x, x.check()
}

// readAt fills b; an early end is a fault of the form.
func (x *Reader) readAt(b []byte, at int64) error {
	n, err := x.r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	return early(at+int64(n), err)
}

func (x *Reader) check() error {
	d := &x.Directory
	spans := []Span{d.Places, d.Routes.Span, d.Hashes.Span}
	for _, s := range d.Sections {
		spans = append(spans, s.Span)
	}
	for _, s := range spans {
		if s.Offset < int64(len(magic)) || s.Length < 0 || s.Offset > x.end || s.Length > x.end-s.Offset {
			return broken(x.end, fmt.Sprintf("the directory: %d bytes from %d lie outside of the file", s.Length, s.Offset))
		}
	}
	if d.Groups < 0 || d.Places.Length/placeSize != int64(d.Groups) || d.Places.Length%placeSize != 0 || !d.Routes.fits() || !d.Hashes.fits() {
		return broken(x.end, "the directory: a part has a wrong length")
	}
	return nil
}

// place is where a group's frames begin and where its table lies.
func (x *Reader) place(number int) (start int64, table Span, err error) {
	if number < 0 || number >= x.Directory.Groups {
		return 0, table, broken(x.Directory.Places.Offset, fmt.Sprintf("there is no group %d", number))
	}
	b := make([]byte, 2*placeSize)
	own, from := b[placeSize:], x.Directory.Places.Offset+int64(number)*placeSize
	if start = int64(len(magic)); number == 0 {
		err = x.readAt(own, from)
	} else {
		err = x.readAt(b, from-placeSize)
		start = int64(binary.BigEndian.Uint64(b)) + int64(binary.BigEndian.Uint32(b[8:]))
	}
	if err != nil {
		return 0, table, err
	}
	table, err = x.placed(own, from, start)
	return start, table, err
}

// placed reads the place of a table whose frames begin at start.
func (x *Reader) placed(b []byte, from, start int64) (Span, error) {
	table := Span{int64(binary.BigEndian.Uint64(b)), int64(binary.BigEndian.Uint32(b[8:]))}
	if start < int64(len(magic)) || table.Offset < start || table.Length > tableMax || table.Offset > x.Directory.Places.Offset-table.Length {
		return table, broken(from, "a group lies outside of the file")
	}
	return table, nil
}

// group reads the table of a group, not its frames.
func (x *Reader) group(number int) (*Group, int64, error) {
	if g, start := x.recent.group(number); g != nil {
		return g, start, nil
	}
	start, at, err := x.place(number)
	if err != nil {
		return nil, 0, err
	}
	packed := make([]byte, at.Length)
	if err := x.readAt(packed, at.Offset); err != nil {
		return nil, 0, err
	}
	g, err := x.unseal(packed, at.Offset-start)
	if err != nil {
		return nil, 0, broken(at.Offset, fmt.Sprintf("group %d: %v", number, err))
	}
	x.recent.keepGroup(number, g, start)
	return g, start, nil
}

// Route finds a document by one of its routes, nil if there is none.
func (x *Reader) Route(route string) (*Found, error) {
	return x.find(&x.Directory.Routes, routeSum(route), func(d *Document) bool { return d.Route == route || d.Alias == route })
}

// Hash finds the first document with this SHA-256, its own or the one that its
// manifest names, nil if there is none.
func (x *Reader) Hash(sum [sha256.Size]byte) (*Found, error) {
	return x.find(&x.Directory.Hashes, sum, func(d *Document) bool { return d.Sum == sum || d.Manifest == sum })
}

func (x *Reader) find(in *Index, sum [sha256.Size]byte, is func(*Document) bool) (found *Found, err error) {
	err = x.records(in, sum, func(number, document int) (bool, error) {
		if document == groupKey {
			return false, nil
		}
		f, err := x.at(number, document)
		if err == nil && is(f.Document) {
			found = f
		}
		return found != nil, err
	})
	return found, err
}

// at is a document by the numbers of its group and in it.
func (x *Reader) at(number, document int) (*Found, error) {
	g, start, err := x.group(number)
	if err != nil {
		return nil, err
	}
	if document >= len(g.Documents) {
		return nil, broken(start, fmt.Sprintf("group %d has no document %d", number, document))
	}
	return &Found{&g.Documents[document], g, start}, nil
}

// Number is that of the group with a key; false where there is none.
func (x *Reader) Number(key string) (number int, found bool, err error) {
	err = x.records(&x.Directory.Routes, groupSum(key), func(n, document int) (bool, error) {
		if document != groupKey {
			return false, nil
		}
		g, _, err := x.group(n)
		number, found = n, err == nil && g.Key == key
		return found, err
	})
	return number, found, err
}

// Group reads a group with its compressed bytes, nil if there is none of the key. What
// is only to be copied into another file costs less with Writer.Keep.
func (x *Reader) Group(key string) (*Group, error) {
	number, ok, err := x.Number(key)
	if err != nil || !ok {
		return nil, err
	}
	return x.full(number)
}

// Documents lists those of the group with a key, none where there is no such group.
func (x *Reader) Documents(key string) (number int, list []Document, err error) {
	number, ok, err := x.Number(key)
	if err != nil || !ok {
		return 0, nil, err
	}
	g, _, err := x.group(number)
	if err != nil {
		return 0, nil, err
	}
	return number, g.Documents, nil
}

// In lists the documents of a group by its number, which must be that of the key.
func (x *Reader) In(number int, key string) ([]Document, error) {
	g, _, err := x.group(number)
	if err == nil && g.Key != key {
		err = fmt.Errorf("group %d is %s, not %s", number, g.Key, key)
	}
	if err != nil {
		return nil, err
	}
	return g.Documents, nil
}

// EachGroup calls fn for every group, with its compressed bytes, in the order of the file.
func (x *Reader) EachGroup(fn func(*Group) error) error {
	for number := range x.Directory.Groups {
		g, err := x.full(number)
		if err == nil {
			err = fn(g)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// full is a group with its compressed bytes.
func (x *Reader) full(number int) (*Group, error) {
	table, start, err := x.group(number)
	if err != nil {
		return nil, err
	}
	g, n := *table, 0
	for _, f := range g.frames {
		n += f.packed
	}
	if n > groupMax {
		return nil, fmt.Errorf("group %s has %d bytes, at most %d are copied", g.Key, n, groupMax)
	}
	g.data = make([]byte, n)
	return &g, x.readAt(g.data, start)
}

// Each calls fn for every document in the order of the file.
func (x *Reader) Each(fn func(*Found) error) error {
	for number := range x.Directory.Groups {
		g, start, err := x.group(number)
		if err != nil {
			return err
		}
		for i := range g.Documents {
			if err := fn(&Found{&g.Documents[i], g, start}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Write writes length bytes of a document from an offset, a frame at a time.
// What lies outside of the document is an error.
func (x *Reader) Write(out io.Writer, f *Found, offset, length int64) error {
	d := f.Document
	if offset < 0 || length < 0 || offset > d.Size || length > d.Size-offset {
		return fmt.Errorf("%s has %d bytes, not %d from %d", d.Route, d.Size, length, offset)
	}
	_, err := io.Copy(out, io.NewSectionReader(x.Open(f), offset, length))
	return err
}

// frame reads and decodes a frame. What it returns is not to be changed.
func (x *Reader) frame(f frame, at int64) ([]byte, error) {
	if raw := x.recent.frame(at); raw != nil {
		return raw, nil
	}
	packed, err := x.stored(f, at)
	if err != nil {
		return nil, err
	}
	err = x.foreign(f.kind)
	var raw []byte
	if err == nil {
		raw, err = decode(f.kind, packed, f.size)
	}
	if err != nil {
		return nil, broken(at, err.Error())
	}
	x.recent.keepFrame(at, raw)
	return raw, nil
}

// stored reads a frame as it lies.
func (x *Reader) stored(f frame, at int64) ([]byte, error) {
	packed := make([]byte, f.packed)
	return packed, x.readAt(packed, at)
}

// Verify writes a whole document and tells whether its bytes have its hash.
func (x *Reader) Verify(out io.Writer, f *Found) error {
	sum := sha256.New()
	if err := x.Write(io.MultiWriter(out, sum), f, 0, f.Document.Size); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), f.Document.Sum[:]) {
		return broken(f.start, f.Document.Route+" has not its hash")
	}
	return nil
}

// Section reads a section by its name, nil if there is none.
func (x *Reader) Section(name string) *io.SectionReader {
	for _, s := range x.Directory.Sections {
		if s.Name == name {
			return io.NewSectionReader(x.r, s.Offset, s.Length)
		}
	}
	return nil
}
