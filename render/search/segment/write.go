package segment

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// magic begins the footer; its last digit is the version of the form.
const magic = "ASSAYIX2"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Writer lays out a segment. Terms come first, in their order; Finish takes
// the rest.
type Writer struct {
	out       *bufio.Writer
	sum       uint32
	offset    uint64
	ends      []uint64 // where each part ends
	terms     []string
	languages []uint16
	places    []place
	failed    error
}

// place is where the lists of a term lie.
type place struct {
	offset           uint64
	postings, counts uint32
}

// NewWriter begins a segment.
func NewWriter(w io.Writer) *Writer { return &Writer{out: bufio.NewWriterSize(w, 1<<18)} }

func (w *Writer) write(b []byte) {
	if w.failed != nil {
		return
	}
	w.sum = crc32.Update(w.sum, castagnoli, b)
	w.offset += uint64(len(b))
	_, w.failed = w.out.Write(b)
}

// part ends a part of the file.
func (w *Writer) part() { w.ends = append(w.ends, w.offset) }

func (w *Writer) term(term string, l *list) error {
	if len(l.postings) > math.MaxUint32 || len(w.terms) >= math.MaxUint32 {
		return fmt.Errorf("term %.40q: too many postings", term)
	}
	w.terms = append(w.terms, term)
	w.languages = append(w.languages, l.languages)
	w.places = append(w.places, place{w.offset, uint32(len(l.postings)), l.count})
	w.write(l.postings)
	w.write(l.positions)
	return w.failed
}

// Finish writes what follows the lists. titles are the hashes of each
// document's titles, by ordinal.
func (w *Writer) Finish(titles [][]uint64, completions *Completions) error {
	w.part()
	w.strings(w.terms)
	for _, p := range w.places {
		var b [16]byte
		binary.LittleEndian.PutUint64(b[:], p.offset)
		binary.LittleEndian.PutUint32(b[8:], p.postings)
		binary.LittleEndian.PutUint32(b[12:], p.counts)
		w.write(b[:])
	}
	w.part()
	w.spellings()
	w.titles(titles)
	w.part()
	completions.write(w)
	w.footer(uint32(len(titles)))
	if w.failed == nil {
		w.failed = w.out.Flush()
	}
	if w.failed != nil {
		return fmt.Errorf("write search index: %w", w.failed)
	}
	return nil
}

// titles writes where the hashes of each document end, and the hashes.
func (w *Writer) titles(list [][]uint64) {
	end := uint32(0)
	for _, hashes := range list {
		end += uint32(len(hashes))
		w.number(end)
	}
	for _, hashes := range list {
		for _, h := range hashes {
			w.write(binary.LittleEndian.AppendUint64(nil, h))
		}
	}
}

// strings writes a list of texts: their number, where each ends, the bytes.
func (w *Writer) strings(list []string) {
	end := uint32(0)
	w.number(uint32(len(list)))
	for _, s := range list {
		end += uint32(len(s))
		w.number(end)
	}
	for _, s := range list {
		w.write([]byte(s))
	}
}

func (w *Writer) number(n uint32) {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], n)
	w.write(b[:])
}

// spellings writes the keys and, for each, the numbers of its terms.
func (w *Writer) spellings() {
	s := newSpellings(w.terms, w.languages)
	keys := s.sorted()
	w.strings(keys)
	var lists []byte
	for _, k := range keys {
		last := uint32(0)
		for _, t := range s.keys[k] {
			lists = binary.AppendUvarint(lists, uint64(t-last))
			last = t
		}
		w.number(uint32(len(lists)))
	}
	w.write(lists)
	w.part()
}

// footer ends the file: the ends of the parts, the number of documents, the
// checksum of all before it, and its own.
func (w *Writer) footer(documents uint32) {
	w.part()
	var b []byte
	for _, end := range w.ends {
		b = binary.LittleEndian.AppendUint64(b, end)
	}
	b = binary.LittleEndian.AppendUint32(b, documents)
	b = binary.LittleEndian.AppendUint32(b, w.sum)
	b = append(b, magic...)
	w.write(binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)))
}
