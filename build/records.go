package build

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// recordsFile lies in the hidden folder: what the build of the present file made of each
// entry, in the order of ids, so that the next one renders only those that changed.
//
//	the magic word, a line feed, the name of the file, a line feed
//	for each entry: its id, what it depends on besides its rows (claim), the rest compressed;
//	before each of the three its length
//
// It is not part of a site: without it, or where it cannot be read, all is rendered anew.
const recordsFile = "records"

const recordsMagic = "assay records 2\n"

// recordMax bounds a part of a record in bytes.
const recordMax = 64 << 20

// errRecords says that the records cannot be read; a build then does without them.
var errRecords = errors.New("what the last build made of entries cannot be read")

// records are those of the last build, if it left any, and those of this one.
type records struct {
	// name is that of this build's, "" for none.
	name string
	out  *os.File
	to   *bufio.Writer
	// squeezer compresses them, in several goroutines.
	squeezer *zstd.Encoder
	// from are those of the last build; changed are the entries whose rows were written since.
	in      *os.File
	from    *bufio.Reader
	changed map[string]bool
	refs    references
	// id and next are the record that was read last.
	id   string
	next []byte
}

// create begins the records of a build under a name that no other has.
func (r *records) create(path, name string) (err error) {
	r.name = name
	r.squeezer, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(squeezeWindow))
	if err != nil {
		return err
	}
	if r.out, err = os.Create(path); err != nil {
		return err
	}
	r.to = bufio.NewWriterSize(r.out, 1<<20)
	_, err = r.to.WriteString(recordsMagic + name + "\n")
	return err
}

// open begins to read the records of the last build, if those in place are its own.
func (r *records) open(path, name string, changed []string) error {
	in, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) || name == "" {
		return nil
	}
	if err != nil {
		return err
	}
	from := bufio.NewReaderSize(in, 1<<20)
	want := recordsMagic + name + "\n"
	head := make([]byte, len(want))
	if _, err := io.ReadFull(from, head); err != nil || string(head) != want {
		return in.Close()
	}
	r.in, r.from, r.changed = in, from, make(map[string]bool, len(changed))
	for _, id := range changed {
		r.changed[id] = true
	}
	return nil
}

// present puts the records of this build in place of those of the last one.
func (r *records) present(path string) error {
	if err := errors.Join(r.to.Flush(), r.out.Close()); err != nil {
		return err
	}
	name := r.out.Name()
	r.out = nil
	return os.Rename(name, path)
}

func (r *records) close() {
	for _, f := range []*os.File{r.in, r.out} {
		if f != nil {
			f.Close()
		}
	}
	r.in, r.out, r.squeezer = nil, nil, nil
}

// add writes the record of the next entry, none for nil.
func (r *records) add(id string, record []byte) error {
	if r.to == nil || record == nil {
		return nil
	}
	r.to.Write(binary.AppendUvarint(r.to.AvailableBuffer(), uint64(len(id))))
	r.to.WriteString(id)
	r.to.Write(binary.AppendUvarint(r.to.AvailableBuffer(), uint64(len(record))))
	_, err := r.to.Write(record)
	return err
}

// of is the record of an entry that is what a build would make of it now, nil where that
// is not known. Entries are asked for in the order of their ids.
func (r *records) of(id string, frame *snapshot.Frame) ([]byte, error) {
	for r.from != nil && r.id < id {
		if err := r.read(); err != nil {
			return nil, fmt.Errorf("%w: %w", errRecords, err)
		}
	}
	if r.from == nil || r.id != id || r.changed[id] {
		return nil, nil
	}
	c, _, err := readClaim(r.next)
	if err != nil {
		return nil, fmt.Errorf("%w: entry %s: %w", errRecords, id, err)
	}
	if !r.refs.hold(&c, id, frame) {
		return nil, nil
	}
	return r.next, nil
}

// read goes on to the next record; there is none behind the last one.
func (r *records) read() error {
	id, err := readPart(r.from)
	if errors.Is(err, io.EOF) {
		r.from = nil
		return nil
	}
	if err != nil {
		return err
	}
	r.id = string(id)
	if r.next, err = readPart(r.from); errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func readPart(in *bufio.Reader) ([]byte, error) {
	n, err := binary.ReadUvarint(in)
	if err != nil {
		return nil, err
	}
	if n > recordMax {
		return nil, fmt.Errorf("a part of %d bytes", n)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(in, b); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return b, nil
}

// claim is what an entry was judged by besides its own rows.
type claim struct {
	Institution, Licence, Source string
	// Refs is a hash of the rows of these three, Name one of the folded name, Seen what
	// others of the frame say of the entry.
	Refs, Name, Seen uint64
}

func (c *claim) append(b []byte) ([]byte, error) {
	head, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	return append(binary.AppendUvarint(b, uint64(len(head))), head...), nil
}

// readClaim splits a record into its claim and the rest, which is compressed.
func readClaim(record []byte) (c claim, rest []byte, err error) {
	n, k := binary.Uvarint(record)
	if k <= 0 || n > uint64(len(record)-k) {
		return c, nil, io.ErrUnexpectedEOF
	}
	head := record[k:][:n]
	return c, record[k+int(n):], json.Unmarshal(head, &c)
}

// references remembers the hashes of the rows of the tables that entries are judged by.
type references struct{ institutions, licences, sources map[string]uint64 }

func newReferences(f *snapshot.Frame) (references, error) {
	var r references
	var err error
	if r.institutions, err = hashRows(f.Institutions); err != nil {
		return r, err
	}
	if r.licences, err = hashRows(f.Licences); err != nil {
		return r, err
	}
	r.sources, err = hashRows(f.Sources)
	return r, err
}

func hashRows[T any](rows map[string]*T) (map[string]uint64, error) {
	sums := make(map[string]uint64, len(rows))
	for id, row := range rows {
		b, err := json.Marshal(row)
		if err != nil {
			return nil, err
		}
		sums[id] = xxhash.Sum64(b)
	}
	return sums, nil
}

func (r *references) sum(c *claim) uint64 {
	var b []byte
	for _, n := range []uint64{r.institutions[c.Institution], r.licences[c.Licence], r.sources[c.Source]} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return xxhash.Sum64(b)
}

// claimOf is that of an entry, with the curators' edits laid over it.
func (r *references) claimOf(e *catalog.Entry, folded string, frame *snapshot.Frame) claim {
	c := claim{Institution: e.InstitutionID, Licence: e.LicenseID, Source: e.SourceID, Name: snapshot.NameHash(folded)}
	c.Refs, c.Seen = r.sum(&c), frame.Sighting(c.Name, e.ID)
	return c
}

// hold tells whether an entry is judged by the same as when its claim was made.
func (r *references) hold(c *claim, id string, frame *snapshot.Frame) bool {
	return c.Refs == r.sum(c) && c.Seen == frame.Sighting(c.Name, id)
}

// stretch is safe for concurrent use. A frame has a sum of its content.
var stretch, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(recordMax))

// squeezeWindow is how far back a record repeats itself, in bytes.
const squeezeWindow = 1 << 20

// squeeze appends the frame of a record to another's bytes. Several goroutines may
// call it.
func (r *records) squeeze(b, to []byte) []byte {
	room := artifact.Buffer(len(b) / 2)
	packed := r.squeezer.EncodeAll(b, room)
	to = append(to, packed...)
	artifact.Free(packed)
	return to
}
