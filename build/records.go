package build

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// recordsFile lies in the hidden folder: what the build of the present file made of each
// entry, in the order of ids, so that the next one renders only those that changed.
//
//	the magic word, a line feed, the name of the file, a line feed
//	the types of what is kept (types), its length before it
//	for each entry: its id and what it depends on besides its rows (claim), before each its length,
//	the four numbers of the place of what a build needs of it (body), and that of its group in the
//	present file
//	the hash of all before, in big-endian digits
//
// Fragments lie there each by itself, or together where only the entry's own documents read them
// (artifact.Fragment, Own): a build reads them from there when it makes the documents.
//
// It is not part of a site: without it, or where it cannot be read, all is rendered anew.
const recordsFile = "records"

const recordsMagic = "assay records 11\n"

// recordMax bounds a part of a record in bytes.
const recordMax = 64 << 20

// errRecords says that the records cannot be read; a build then does without them.
var errRecords = errors.New("what the last build made of entries cannot be read")

// records are those of the last build, if it left any, and those of this one.
type records struct {
	// name is that of this build's, "" for those that are not kept.
	name   string
	out    *os.File
	to     *bufio.Writer
	sum    *xxhash.Digest
	bodies bodies
	pieces pieces
	types  types
	// from are those of the last build; changed are the entries whose rows were written since.
	in      *os.File
	from    *bufio.Reader
	changed map[string]bool
	refs    references
	// id and next are the record that was read last.
	id   string
	next record
}

// create begins the records of a build under a name that no other has.
func (r *records) create(path func(string) string, name string) (err error) {
	r.name = name
	if r.out, err = os.Create(path(recordsFile)); err != nil {
		return err
	}
	r.sum = xxhash.New()
	r.to = bufio.NewWriterSize(io.MultiWriter(r.out, r.sum), 1<<18)
	types, err := r.types.begin()
	if err != nil {
		return err
	}
	_, err = r.to.Write(appendPart([]byte(recordsMagic+name+"\n"), types))
	return errors.Join(err, r.bodies.create(path(bodiesFile), name))
}

// open begins to read the records of the last build, if those in place are its own and whole.
func (r *records) open(path func(string) string, was *built, changed []string) error {
	if was.Records == "" {
		return nil
	}
	in, err := os.Open(path(recordsFile))
	if err != nil {
		return notThere(err)
	}
	from, err := whole(in)
	if from == nil || err != nil {
		return errors.Join(err, in.Close())
	}
	want := recordsMagic + was.Records + "\n"
	head := make([]byte, len(want))
	if _, err := io.ReadFull(from, head); err != nil || string(head) != want {
		return in.Close()
	}
	types, err := readPart(from)
	if err != nil {
		return errors.Join(fmt.Errorf("%w: %w", errRecords, err), in.Close())
	}
	if r.types.said != nil && !bytes.Equal(types, r.types.said) {
		return in.Close() // what is kept stays as it is, and would be read by other numbers of types
	}
	if there, err := r.bodies.open(path(bodiesFile), was.Bodies); !there || err != nil {
		return errors.Join(err, in.Close())
	}
	r.types.known = types
	r.in, r.from, r.changed = in, from, make(map[string]bool, len(changed))
	for _, id := range changed {
		r.changed[id] = true
	}
	return nil
}

// whole reads a file that ends with the hash of all before, nil if that is not so.
func whole(in *os.File) (*bufio.Reader, error) {
	info, err := in.Stat()
	if err != nil || info.Size() < 8 {
		return nil, err
	}
	all, sum, end := io.NewSectionReader(in, 0, info.Size()-8), xxhash.New(), make([]byte, 8)
	_, err = in.ReadAt(end, all.Size())
	if _, copied := io.Copy(sum, all); err != nil || copied != nil {
		return nil, errors.Join(err, copied)
	}
	if binary.BigEndian.Uint64(end) != sum.Sum64() {
		return nil, nil
	}
	_, err = all.Seek(0, io.SeekStart)
	return bufio.NewReaderSize(all, 1<<18), err
}

// notThere forgives a file that is not there.
func notThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// present puts the records of this build in place of those of the last one.
func (r *records) present(path func(string) string) error {
	err := r.to.Flush()
	_, last := r.out.Write(binary.BigEndian.AppendUint64(nil, r.sum.Sum64()))
	if err := errors.Join(err, last, r.bodies.present(path(bodiesFile))); err != nil {
		return err
	}
	return os.Rename(r.out.Name(), path(recordsFile))
}

func (r *records) close() {
	for _, f := range []*os.File{r.in, r.out} {
		if f != nil {
			f.Close()
		}
	}
	r.bodies.close()
	r.in, r.out = nil, nil
}

// add writes the record of the next entry.
func (r *records) add(f *frozen) error {
	at := f.body
	if err := r.bodies.add(&at, f.made); err != nil {
		return err
	}
	r.pieces.add(&at, f)
	b := appendPart(appendPart(r.to.AvailableBuffer(), []byte(f.line.ID)), f.claim)
	for _, n := range []int64{at.at, at.head, at.told, at.own, int64(f.group)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	_, err := r.to.Write(b)
	return err
}

// complete lets the catalog read the fragments of all entries.
func (r *records) complete(c *snapshot.Catalog) error {
	r.pieces.from = r.bodies.out
	for name, number := range r.pieces.numbers {
		c.Streams[name] = r.pieces.stream(number)
	}
	for name := range r.pieces.ownNames {
		c.Streams[name] = r.pieces.ownStream(name)
	}
	return r.bodies.to.Flush()
}

// of is the record of an entry that is what a build would make of it now, unless rows of it that
// pages show were written; nil where that is not known. Entries are asked for in the order of their ids.
func (r *records) of(id string, frame *snapshot.Frame) (*record, error) {
	for r.from != nil && r.id < id {
		if err := r.read(); err != nil {
			return nil, fmt.Errorf("%w: %w", errRecords, err)
		}
	}
	if r.from == nil || r.id != id {
		return nil, nil
	}
	next := r.next
	if !r.refs.hold(&next.claim, id, frame) {
		return nil, nil
	}
	next.written = r.changed[id]
	return &next, nil
}

// record is what the last build made of an entry.
type record struct {
	claim
	// stated is the claim as it is written, body where the rest lies.
	stated []byte
	body   body
	// group is the number of that of its documents in the present file.
	group int64
	// written tells that rows of the entry were written since, moved that the claim is another one.
	written, moved bool
}

// scores are those of all entries of the last build, of another day.
func (r *records) scores(day time.Time) ([]catalog.ScoreDay, error) {
	var list []catalog.ScoreDay
	for {
		if err := r.read(); err != nil || r.from == nil {
			return list, err
		}
		list = append(list, r.next.on(day))
	}
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
	r.id, r.next = string(id), record{}
	if r.next.stated, err = readPart(r.from); err == nil {
		err = readClaim(r.next.stated, &r.next.claim)
	}
	for _, n := range []*int64{&r.next.body.at, &r.next.body.head, &r.next.body.told, &r.next.body.own, &r.next.group} {
		if err == nil {
			var k uint64
			k, err = binary.ReadUvarint(r.from)
			*n = int64(k)
		}
	}
	if err != nil {
		return fmt.Errorf("entry %s: %w", id, err)
	}
	return nil
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
