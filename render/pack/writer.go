package pack

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
)

const (
	magic = "ASPACK10"
	// lesserMagic is that of files without copies of RDF/XML: all that they may hold is of this form, too.
	lesserMagic = "ASPACK09"
	// placeSize is the size of a group's place: where its table begins and the
	// table's length.
	placeSize = 8 + 4
	footSize  = 8 + 4 + len(magic)
	// directoryMax bounds the directory in bytes.
	directoryMax = 1 << 20
)

// Span is a part of a file, in bytes.
type Span struct {
	Offset int64 `json:"offset"`
	Length int64 `json:"length"`
}

// Section is a part of a file that stands outside of its groups.
type Section struct {
	Name string `json:"name"`
	Span
	// SHA256 is the hash of its bytes, in hexadecimal digits.
	SHA256 string `json:"sha256"`
}

// Directory tells where the parts of a file lie.
type Directory struct {
	Groups    int `json:"groups"`
	Documents int `json:"documents"`
	// Bytes is the size of the documents before compression.
	Bytes  int64 `json:"bytes"`
	Places Span  `json:"places"`
	Routes Index `json:"routes"`
	Hashes Index `json:"hashes"`
	// Content is the SHA-256 of everything before the sections but the frames, whose
	// documents the tables name with their hashes, in hexadecimal digits: equal
	// catalogues have equal ones.
	Content  string    `json:"content"`
	Sections []Section `json:"sections"`
}

// SumOf is the hash of a section, "" where there is none.
func (d *Directory) SumOf(section string) string {
	for i := range d.Sections {
		if d.Sections[i].Name == section {
			return d.Sections[i].SHA256
		}
	}
	return ""
}

// Writer writes a file. But for its Compressor it is not for several goroutines: groups lie in the order
// in which they come. It keeps 12 bytes for each group, and 14 for each record of the
// indexes (a route, an alias, a hash), of those 28 MiB at most where it may Spill.
type Writer struct {
	out *bufio.Writer
	sum hash.Hash
	at  int64
	dir Directory

	places         []byte
	routes, hashes records
	kept           kept
	copying        *bufio.Reader
	compressor     Compressor
	each           func(*Group)
	err            error
}

// NewWriter begins a file.
func NewWriter(out io.Writer) *Writer {
	w := &Writer{out: bufio.NewWriterSize(out, 1<<18), sum: sha256.New()}
	w.dir.Sections = []Section{}
	w.routes.limit, w.hashes.limit = recordsMax, recordsMax
	w.write([]byte(magic))
	return w
}

// Spill lets the writer put records of the indexes aside. The file is empty at first,
// and of no use once the writer is closed.
func (w *Writer) Spill(file Scratch) {
	s := &scratch{Scratch: file}
	w.routes.scratch, w.hashes.scratch = s, s
}

// write is for all but frames.
func (w *Writer) write(b []byte) {
	w.sum.Write(b)
	w.put(b)
}

// put keeps the first error, which every later call returns.
func (w *Writer) put(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.out.Write(b)
	w.at, w.err = w.at+int64(n), err
}

// Compressor makes groups for this file, or another one, until the writer is closed. Several
// goroutines may use it while groups are written.
func (w *Writer) Compressor() *Compressor { return &w.compressor }

// Each has fn called for each group from now on, in their order; nil ends that. The
// groups that are kept are copied when it is set.
func (w *Writer) Each(fn func(*Group)) {
	w.copyKept()
	w.each = fn
}

// Next is the number that the next group gets.
func (w *Writer) Next() int { return w.dir.Groups + w.kept.end - w.kept.first }

// Append adds a group, new or copied from another file.
func (w *Writer) Append(g *Group) error {
	w.copyKept()
	w.put(g.data)
	return w.close(g)
}

// close ends the group whose frames were just written.
func (w *Writer) close(g *Group) error {
	if w.dir.Content != "" && w.err == nil {
		w.err = fmt.Errorf("group %s follows a section", g.Key)
	}
	w.places = binary.BigEndian.AppendUint64(w.places, uint64(w.at))
	w.places = binary.BigEndian.AppendUint32(w.places, uint32(len(g.packed)))
	w.write(g.packed)
	w.note(&w.routes, groupSum(g.Key), groupKey)
	for i := range g.Documents {
		d := &g.Documents[i]
		w.note(&w.routes, routeSum(d.Route), i)
		if d.Alias != "" {
			w.note(&w.routes, routeSum(d.Alias), i)
		}
		w.note(&w.hashes, d.Sum, i)
		if d.Manifest != ([sha256.Size]byte{}) {
			w.note(&w.hashes, d.Manifest, i)
		}
		w.dir.Bytes += d.Size
	}
	if w.each != nil {
		w.each(g)
	}
	w.dir.Groups++
	w.dir.Documents += len(g.Documents)
	return w.err
}

// A route begins with a slash, so no key of a group has the hash of a route.
func routeSum(route string) [sha256.Size]byte { return sha256.Sum256([]byte(route)) }
func groupSum(key string) [sha256.Size]byte   { return sha256.Sum256([]byte("group " + key)) }

func (w *Writer) note(list *records, sum [sha256.Size]byte, document int) {
	var r record
	copy(r[:keySize], sum[:])
	binary.BigEndian.PutUint32(r[keySize:], uint32(w.dir.Groups))
	binary.BigEndian.PutUint16(r[keySize+4:], uint16(document))
	if err := list.add(r); err != nil && w.err == nil {
		w.err = fmt.Errorf("putting a part of the index aside: %w", err)
	}
}

// indexes ends the groups; sections may follow.
func (w *Writer) indexes() {
	if w.dir.Content != "" {
		return
	}
	w.copyKept()
	w.dir.Places = Span{w.at, int64(len(w.places))}
	w.write(w.places)
	w.dir.Routes = w.index(&w.routes)
	w.dir.Hashes = w.index(&w.hashes)
	w.dir.Content = hex.EncodeToString(w.sum.Sum(nil))
}

// Section adds a part that stands outside of the groups. No group may follow.
func (w *Writer) Section(name string, in io.Reader) error {
	w.indexes()
	start, sum := w.at, sha256.New()
	buf := make([]byte, 1<<16)
	if _, err := io.CopyBuffer(writing{w, sum}, in, buf); err != nil {
		w.err = errors.Join(w.err, fmt.Errorf("section %s: %w", name, err))
	}
	w.dir.Sections = append(w.dir.Sections, Section{name, Span{start, w.at - start}, hex.EncodeToString(sum.Sum(nil))})
	return w.err
}

type writing struct {
	w   *Writer
	sum hash.Hash
}

// Write implements io.Writer.
func (w writing) Write(p []byte) (int, error) {
	w.sum.Write(p)
	w.w.put(p)
	return len(p), w.w.err
}

// Close ends the file. What the writer writes to stays open.
func (w *Writer) Close() (Directory, error) {
	defer w.compressor.Close()
	w.indexes()
	b, err := json.Marshal(&w.dir)
	if err != nil {
		return w.dir, err
	}
	if len(b) > directoryMax && w.err == nil {
		w.err = fmt.Errorf("the directory has %d bytes, at most %d fit", len(b), directoryMax)
	}
	foot := binary.BigEndian.AppendUint64(nil, uint64(w.at))
	foot = binary.BigEndian.AppendUint32(foot, uint32(len(b)))
	w.write(b)
	w.write(append(foot, magic...))
	return w.dir, errors.Join(w.err, w.out.Flush())
}
