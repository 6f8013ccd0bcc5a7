package build

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// recordsFile lies in the hidden folder: what the build of the present file made of each
// entry, in the order of ids, so that the next one renders only those that changed.
//
//	the magic word, a line feed, the name of the file, a line feed
//	the types of what is kept (types), its length before it
//	for each entry: its id, and its record, before each its length
//
// A record is what the entry depends on besides its rows (claim), what a build needs of it, compressed, before
// each its length, and then, compressed by itself, what only its own documents need (artifact.Fragment, Own):
// a build reads that from here, too, of those whose documents it makes.
//
// It is not part of a site: without it, or where it cannot be read, all is rendered anew.
const recordsFile = "records"

const recordsMagic = "assay records 7\n"

// recordMax bounds a part of a record in bytes.
const recordMax = 64 << 20

// errRecords says that the records cannot be read; a build then does without them.
var errRecords = errors.New("what the last build made of entries cannot be read")

// records are those of the last build, if it left any, and those of this one.
type records struct {
	// name is that of this build's, "" for those that are not kept.
	name string
	out  *os.File
	to   *bufio.Writer
	// at is how much was written, own where the last part of each entry's record lies, by ordinal.
	at  int64
	own []snapshot.Span
	// recent are those parts that were read last.
	recent [64]atomic.Pointer[ownPart]
	types  types
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
	if r.out, err = os.Create(path); err != nil {
		return err
	}
	r.to = bufio.NewWriterSize(r.out, 1<<20)
	types, err := r.types.begin()
	if err != nil {
		return err
	}
	n, err := r.to.Write(appendPart([]byte(recordsMagic+name+"\n"), types))
	r.at = int64(n)
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
	types, err := readPart(from)
	if err != nil {
		return errors.Join(fmt.Errorf("%w: %w", errRecords, err), in.Close())
	}
	if r.types.said != nil && !bytes.Equal(types, r.types.said) {
		return in.Close() // kept records are copied as they are, and would be read by other numbers of types
	}
	r.types.known = types
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
	r.in, r.out = nil, nil
}

// add writes the record of the next entry, whose last part has own bytes.
func (r *records) add(id string, record []byte, own int) error {
	head := binary.AppendUvarint(appendPart(r.to.AvailableBuffer(), []byte(id)), uint64(len(record)))
	r.at += int64(len(head) + len(record))
	r.own = append(r.own, snapshot.Span{Offset: r.at - int64(own), Length: own})
	r.to.Write(head)
	_, err := r.to.Write(record)
	return err
}

// complete lets the catalog read the streams whose fragments lie in the records, which have all entries.
func (r *records) complete(c *snapshot.Catalog, streams map[string]bool) error {
	for name := range streams {
		c.Streams[name] = &snapshot.Stream{One: func(ordinal int) ([]byte, error) { return r.fragment(name, ordinal) }}
	}
	return r.to.Flush()
}

// ownPart is the last part of a record, read: texts by the name of their stream.
type ownPart struct {
	ordinal int
	texts   map[string][]byte
}

// fragment reads what the record of the entry at an ordinal has of a stream; the records are complete.
func (r *records) fragment(stream string, ordinal int) ([]byte, error) {
	slot := &r.recent[ordinal%len(r.recent)]
	if p := slot.Load(); p != nil && p.ordinal == ordinal {
		return p.texts[stream], nil
	}
	packed := make([]byte, r.own[ordinal].Length)
	if _, err := r.out.ReadAt(packed, r.own[ordinal].Offset); err != nil {
		return nil, err
	}
	b, err := stretch(packed)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRecords, err)
	}
	part, p := ownPart{ordinal, map[string][]byte{}}, thawing{rest: b}
	for len(p.rest) > 0 {
		name := string(p.part())
		part.texts[name] = p.part()
	}
	slot.Store(&part)
	return part.texts[stream], nil
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
	c, rest, err := readClaim(r.next)
	if err != nil {
		return nil, fmt.Errorf("%w: entry %s: %w", errRecords, id, err)
	}
	if !r.refs.hold(&c, id, frame) {
		return nil, nil
	}
	return &record{claim: c, written: r.changed[id], all: r.next, rest: rest}, nil
}

// record is what the last build made of an entry: its claim, all of it, and what is behind the
// claim.
type record struct {
	claim
	// written tells that rows of the entry were written since, moved that the claim is another one.
	written, moved bool
	all, rest      []byte
}

// scores are those of all entries of the last build, of another day.
func (r *records) scores(day time.Time) ([]catalog.ScoreDay, error) {
	var list []catalog.ScoreDay
	for {
		if err := r.read(); err != nil || r.from == nil {
			return list, err
		}
		c, _, err := readClaim(r.next)
		if err != nil {
			return nil, fmt.Errorf("entry %s: %w", r.id, err)
		}
		list = append(list, c.on(day))
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
	// Day is the UTC day on which it was judged, Until the last one on which it would be judged the
	// same, in days since 1970; Stored is the last one of which the store has the scores.
	Day, Until, Stored int
	Scores             catalog.ScoreDay
	// Shown is a hash of those of its rows that pages show. The rest is of all of its checks, as of
	// the day: when the last one was, and what is counted of them (worked).
	Shown   uint64
	Checked int64
	Days    uint64
	Trace   verify.Retraced
}

// dayNumber counts the UTC days since 1970.
func dayNumber(day time.Time) int { return int(day.Unix() / (24 * 60 * 60)) }

// on are the scores of the entry, judged as it was, of another day.
func (c *claim) on(day time.Time) catalog.ScoreDay {
	d := c.Scores
	d.Day = day.Format(time.DateOnly)
	return d
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
	day := dayNumber(frame.Day)
	c := claim{Institution: e.InstitutionID, Licence: e.LicenseID, Source: e.SourceID, Name: snapshot.NameHash(folded), Day: day, Until: day, Stored: day}
	c.Refs, c.Seen = r.sum(&c), frame.Sighting(c.Name, e.ID)
	return c
}

// never is a claim that no build finds to hold.
var never = claim{}

// hold tells whether an entry is judged by the same as when its claim was made.
func (r *references) hold(c *claim, id string, frame *snapshot.Frame) bool {
	day := dayNumber(frame.Day)
	return c.Day <= day && day <= c.Until && c.Refs == r.sum(c) && c.Seen == frame.Sighting(c.Name, id)
}
