package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
)

// ErrForm says that bytes are no snapshot file of this version, or a damaged one.
var ErrForm = errors.New("not a whole snapshot file of this version: build it again")

// collisionsMax bounds the records of one key that are looked at.
const collisionsMax = 64

// Reader reads a file where it lies. It holds the directory only; several
// goroutines may use it.
type Reader struct {
	r   io.ReaderAt
	end int64
	// Directory is that of the file.
	Directory Directory
}

// Found is a document and the group that holds it.
type Found struct {
	Document *Document
	group    *Group
	start    int64
}

// Open reads the directory of a file of size bytes.
func Open(r io.ReaderAt, size int64) (*Reader, error) {
	if size < int64(len(magic)+footSize) {
		return nil, ErrForm
	}
	foot, head := make([]byte, footSize), make([]byte, len(magic))
	if err := readAt(r, foot, size-int64(footSize)); err != nil {
		return nil, err
	}
	if err := readAt(r, head, 0); err != nil {
		return nil, err
	}
	at, n := int64(binary.BigEndian.Uint64(foot)), int64(binary.BigEndian.Uint32(foot[8:]))
	if string(head) != magic || string(foot[12:]) != magic || n > directoryMax || at < int64(len(magic)) || at != size-int64(footSize)-n {
		return nil, ErrForm
	}
	b := make([]byte, n)
	if err := readAt(r, b, at); err != nil {
		return nil, err
	}
	x := &Reader{r: r, end: at}
	if err := json.Unmarshal(b, &x.Directory); err != nil {
		return nil, fmt.Errorf("%w: its directory: %w", ErrForm, err)
	}
	return x, x.check()
}

// readAt fills b; an early end is a fault of the form.
func readAt(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return ErrForm
	}
	return err
}

func (x *Reader) check() error {
	d := &x.Directory
	spans := []Span{d.Places, d.Routes, d.Hashes}
	for _, s := range d.Sections {
		spans = append(spans, s.Span)
	}
	for _, s := range spans {
		if s.Offset < int64(len(magic)) || s.Length < 0 || s.Offset > x.end || s.Length > x.end-s.Offset {
			return fmt.Errorf("%w: a part lies outside of it", ErrForm)
		}
	}
	if d.Groups < 0 || d.Places.Length/placeSize != int64(d.Groups) || d.Places.Length%placeSize+d.Routes.Length%recordSize+d.Hashes.Length%recordSize != 0 {
		return fmt.Errorf("%w: a part has a wrong length", ErrForm)
	}
	return nil
}

// place is where a group's frames begin and where its table lies.
func (x *Reader) place(number int) (start int64, table Span, err error) {
	if number < 0 || number >= x.Directory.Groups {
		return 0, table, fmt.Errorf("%w: there is no group %d", ErrForm, number)
	}
	b := make([]byte, 2*placeSize)
	own, from := b[placeSize:], x.Directory.Places.Offset+int64(number)*placeSize
	if start = int64(len(magic)); number == 0 {
		err = readAt(x.r, own, from)
	} else {
		err = readAt(x.r, b, from-placeSize)
		start = int64(binary.BigEndian.Uint64(b)) + int64(binary.BigEndian.Uint32(b[8:]))
	}
	table = Span{int64(binary.BigEndian.Uint64(own)), int64(binary.BigEndian.Uint32(own[8:]))}
	if err == nil && (start < int64(len(magic)) || table.Offset < start || table.Length > tableMax || table.Offset > x.Directory.Places.Offset-table.Length) {
		err = fmt.Errorf("%w: group %d lies outside of it", ErrForm, number)
	}
	return start, table, err
}

// group reads the table of a group, not its frames.
func (x *Reader) group(number int) (*Group, int64, error) {
	start, at, err := x.place(number)
	if err != nil {
		return nil, 0, err
	}
	packed := make([]byte, at.Length)
	if err := readAt(x.r, packed, at.Offset); err != nil {
		return nil, 0, err
	}
	raw, err := tables().DecodeAll(packed, nil)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: group %d: %w", ErrForm, number, err)
	}
	g, err := parseTable(raw, at.Offset-start)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: group %d: %w", ErrForm, number, err)
	}
	g.packed = packed
	return g, start, nil
}

// Route finds a document by one of its routes, nil if there is none.
func (x *Reader) Route(route string) (*Found, error) {
	return x.find(x.Directory.Routes, routeSum(route), func(d *Document) bool { return d.Route == route || d.Alias == route })
}

// Hash finds the first document with this SHA-256, its own or the one that its
// manifest names, nil if there is none.
func (x *Reader) Hash(sum [sha256.Size]byte) (*Found, error) {
	return x.find(x.Directory.Hashes, sum, func(d *Document) bool { return d.Sum == sum || d.Manifest == sum })
}

func (x *Reader) find(in Span, sum [sha256.Size]byte, is func(*Document) bool) (found *Found, err error) {
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
		return nil, fmt.Errorf("%w: group %d has no document %d", ErrForm, number, document)
	}
	return &Found{&g.Documents[document], g, start}, nil
}

// records calls fn for the records of a key until it says that it is done.
func (x *Reader) records(in Span, sum [sha256.Size]byte, fn func(group, document int) (bool, error)) error {
	count := int(in.Length / recordSize)
	var fault error
	var r record
	read := func(i int) []byte {
		if err := readAt(x.r, r[:], in.Offset+int64(i)*recordSize); err != nil {
			fault = err
		}
		return r[:keySize]
	}
	low, high := around(count, sum, func(i int) int { return bytes.Compare(read(i), sum[:keySize]) })
	first := low + sort.Search(high-low, func(i int) bool { return fault != nil || bytes.Compare(read(low+i), sum[:keySize]) >= 0 })
	for i := first; fault == nil && i < min(count, first+collisionsMax); i++ {
		if !bytes.Equal(read(i), sum[:keySize]) || fault != nil {
			break
		}
		done, err := fn(int(binary.BigEndian.Uint32(r[keySize:])), int(binary.BigEndian.Uint16(r[keySize+4:])))
		if err != nil || done {
			return err
		}
	}
	return fault
}

// around narrows the search for a key to the neighbourhood where it should be,
// or gives all where it is not there.
func around(count int, sum [sha256.Size]byte, compare func(i int) int) (low, high int) {
	const reach = 512
	at := int(float64(binary.BigEndian.Uint32(sum[:])) / (1 << 32) * float64(count))
	low, high = max(0, at-reach), min(count, at+reach)
	if low > 0 && compare(low) >= 0 || high < count && compare(high) < 0 {
		return 0, count
	}
	return low, high
}

// Group reads a group with its compressed bytes, to be copied into another file,
// nil if there is none of the key.
func (x *Reader) Group(key string) (found *Group, err error) {
	err = x.records(x.Directory.Routes, groupSum(key), func(number, document int) (bool, error) {
		if document != groupKey {
			return false, nil
		}
		g, start, err := x.group(number)
		if err != nil || g.Key != key {
			return false, err
		}
		found = g
		return true, x.fill(g, start)
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// EachGroup calls fn for every group, with its compressed bytes, in the order of the file.
func (x *Reader) EachGroup(fn func(*Group) error) error {
	for number := range x.Directory.Groups {
		g, start, err := x.group(number)
		if err == nil {
			err = x.fill(g, start)
		}
		if err == nil {
			err = fn(g)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fill reads the compressed bytes of a group.
func (x *Reader) fill(g *Group, start int64) error {
	n := 0
	for _, f := range g.frames {
		n += f.packed
	}
	if n > groupMax {
		return fmt.Errorf("group %s has %d bytes, at most %d are copied", g.Key, n, groupMax)
	}
	g.data = make([]byte, n)
	return readAt(x.r, g.data, start)
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
	skip, at := int64(d.offset)+offset, f.start
	for i, fr := range f.group.frames {
		if length == 0 {
			break
		}
		here := at
		at += int64(fr.packed)
		if i < d.first {
			continue
		}
		if skip >= int64(fr.size) {
			skip -= int64(fr.size)
			continue
		}
		raw, err := x.frame(fr, here)
		if err != nil {
			return fmt.Errorf("%s: %w", d.Route, err)
		}
		part := raw[skip:min(int64(len(raw)), skip+length)]
		if _, err := out.Write(part); err != nil {
			return err
		}
		skip, length = 0, length-int64(len(part))
	}
	return nil
}

func (x *Reader) frame(f frame, at int64) ([]byte, error) {
	packed := make([]byte, f.packed)
	if err := readAt(x.r, packed, at); err != nil {
		return nil, err
	}
	raw, err := decode(f.kind, packed, f.size)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	return raw, nil
}

// Verify writes a whole document and tells whether its bytes have its hash.
func (x *Reader) Verify(out io.Writer, f *Found) error {
	sum := sha256.New()
	if err := x.Write(io.MultiWriter(out, sum), f, 0, f.Document.Size); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), f.Document.Sum[:]) {
		return fmt.Errorf("%w: %s has not its hash", ErrForm, f.Document.Route)
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
