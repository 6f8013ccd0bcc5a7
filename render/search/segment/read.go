package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"
	"sort"
)

// Segment reads a finished segment in place; the bytes must not change. It is
// safe for concurrent use.
type Segment struct {
	data      []byte
	documents int
	terms     table
	places    []byte
	keys      table
	keyEnds   []byte
	keyLists  []byte
	titleEnds []byte
	titles    []byte
	// some has a bit for a part of each hash of a title, so that most texts are known to be none.
	some     []uint64
	complete completer
}

// footerSize is five part ends, two numbers, the magic and a checksum.
const footerSize = 5*8 + 4 + 4 + len(magic) + 4

// errForm is the cause of every refusal to open.
var errForm = errors.New("not a search index of this release: build the site again")

// Open checks the bytes of a segment and reads their layout.
func Open(data []byte) (*Segment, error) { return OpenMapped(data, func(int) {}) }

// checked is how many bytes are checked at a time.
const checked = 16 << 20

// OpenMapped is Open for a file that is mapped into memory. forget is told now and then how many
// of the first bytes were looked at and need not stay there.
func OpenMapped(data []byte, forget func(n int)) (*Segment, error) {
	if len(data) < footerSize {
		return nil, fmt.Errorf("%d bytes: %w", len(data), errForm)
	}
	body, footer := data[:len(data)-footerSize], data[len(data)-footerSize:]
	n := len(footer) - 4
	if string(footer[n-len(magic):n]) != magic || crc32.Checksum(footer[:n], castagnoli) != binary.LittleEndian.Uint32(footer[n:]) {
		return nil, fmt.Errorf("footer: %w", errForm)
	}
	sum := uint32(0)
	for from := 0; from < len(body); from += checked {
		to := min(from+checked, len(body))
		sum = crc32.Update(sum, castagnoli, body[from:to])
		forget(to)
	}
	if sum != binary.LittleEndian.Uint32(footer[44:]) {
		return nil, fmt.Errorf("checksum: %w", errForm)
	}
	s := &Segment{data: data, documents: int(binary.LittleEndian.Uint32(footer[40:]))}
	var parts [5][]byte
	from := uint64(0)
	for i := range parts {
		to := binary.LittleEndian.Uint64(footer[8*i:])
		if to < from || to > uint64(len(body)) {
			return nil, fmt.Errorf("part %d: %w", i, errForm)
		}
		parts[i], from = body[from:to], to
	}
	return s, s.layout(parts)
}

func (s *Segment) layout(parts [5][]byte) error {
	r := &layout{rest: parts[1]}
	s.terms = r.table()
	s.places = r.take(16 * s.terms.n)
	r.next(parts[2])
	s.keys = r.table()
	s.keyEnds = r.take(4 * s.keys.n)
	s.keyLists = r.rest
	r.next(parts[3])
	s.titleEnds = r.take(4 * s.documents)
	s.titles = r.rest
	if n := s.documents; s.titleEnds != nil && n > 0 && len(s.titles) != 8*int(binary.LittleEndian.Uint32(s.titleEnds[4*(n-1):])) {
		r.short = true
	}
	r.next(parts[4])
	s.complete = completer{texts: r.table(), keys: r.table()}
	s.complete.counts = r.take(4 * s.complete.texts.n)
	s.complete.kinds = r.take(s.complete.texts.n)
	s.complete.n = r.number()
	s.complete.begins = r.take(8 * s.complete.n)
	s.complete.maxima = r.rest
	if r.short || len(s.complete.maxima) != 2*((s.complete.n+blockSize-1)/blockSize) {
		return fmt.Errorf("layout: %w", errForm)
	}
	s.note()
	return nil
}

// layout cuts a part into its pieces.
type layout struct {
	rest  []byte
	short bool
}

func (r *layout) next(part []byte) { r.rest = part }

func (r *layout) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.short = true
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *layout) number() int {
	b := r.take(4)
	if b == nil {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b))
}

func (r *layout) table() table {
	t := table{n: r.number()}
	t.ends = r.take(4 * t.n)
	if t.ends != nil && t.n > 0 {
		t.bytes = r.take(int(binary.LittleEndian.Uint32(t.ends[4*(t.n-1):])))
	}
	return t
}

// table is a list of texts.
type table struct {
	n           int
	ends, bytes []byte
}

func (t *table) at(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = binary.LittleEndian.Uint32(t.ends[4*(i-1):])
	}
	return t.bytes[from:binary.LittleEndian.Uint32(t.ends[4*i:])]
}

// from is the first text that is not below key.
func (t *table) from(key []byte) int {
	return sort.Search(t.n, func(i int) bool { return bytes.Compare(t.at(i), key) >= 0 })
}

// Documents is how many documents the segment holds.
func (s *Segment) Documents() int { return s.documents }

// Terms is how many terms the segment holds.
func (s *Segment) Terms() int { return s.terms.n }

// Term is the text of a term by its number.
func (s *Segment) Term(i int) string { return string(s.terms.at(i)) }

// Find returns the number of a term, -1 when no document has it.
func (s *Segment) Find(term string) int {
	i := s.terms.from([]byte(term))
	if i < s.terms.n && string(s.terms.at(i)) == term {
		return i
	}
	return -1
}

// Range returns the numbers of the terms that begin with a prefix, from
// inclusive, to exclusive.
func (s *Segment) Range(prefix string) (from, to int) {
	from = s.terms.from([]byte(prefix))
	return from, from + sort.Search(s.terms.n-from, func(i int) bool { return !bytes.HasPrefix(s.terms.at(from+i), []byte(prefix)) })
}

// Frequency is in how many documents a term occurs.
func (s *Segment) Frequency(term int) int {
	return int(binary.LittleEndian.Uint32(s.places[16*term+12:]))
}

// Stemmed appends the numbers of the terms whose stem, in a language of
// theirs, is stem.
func (s *Segment) Stemmed(out []int, stem string) []int { return s.spelled(out, stemMark, stem) }

// Compounds appends the numbers of the compounds that a word is a part of.
func (s *Segment) Compounds(out []int, part string) []int { return s.spelled(out, partMark, part) }

func (s *Segment) spelled(out []int, mark byte, key string) []int {
	k := append([]byte{mark}, key...)
	i := s.keys.from(k)
	if i >= s.keys.n || !bytes.Equal(s.keys.at(i), k) {
		return out
	}
	from := uint32(0)
	if i > 0 {
		from = binary.LittleEndian.Uint32(s.keyEnds[4*(i-1):])
	}
	list := s.keyLists[from:binary.LittleEndian.Uint32(s.keyEnds[4*i:])]
	term := uint64(0)
	for len(list) > 0 {
		delta, n := binary.Uvarint(list)
		if n <= 0 {
			break
		}
		term += delta
		out = append(out, int(term))
		list = list[n:]
	}
	return out
}

// Inside calls do for at most n terms that have a word within them, in the
// order of the terms.
func (s *Segment) Inside(word string, n int, do func(term int)) {
	t, w := &s.terms, []byte(word)
	for from := 0; n > 0; n-- {
		at := bytes.Index(t.bytes[from:], w)
		if at < 0 {
			return
		}
		at += from
		term := sort.Search(t.n, func(i int) bool { return int(binary.LittleEndian.Uint32(t.ends[4*i:])) > at })
		end := int(binary.LittleEndian.Uint32(t.ends[4*term:]))
		if at+len(w) <= end {
			do(term)
			from = end
		} else {
			from = at + 1
		}
	}
}

// note fills some.
func (s *Segment) note() {
	const each = 16 // bits for a document: of texts that are no title one in some ten gets through
	s.some = make([]uint64, 1<<bits.Len(uint(s.documents*each/64)))
	for rest := s.titles; len(rest) >= 8; rest = rest[8:] {
		word, bit := s.place(binary.LittleEndian.Uint64(rest))
		*word |= bit
	}
}

// place is where some has the bit of a hash.
func (s *Segment) place(hash uint64) (word *uint64, bit uint64) {
	return &s.some[hash>>6&uint64(len(s.some)-1)], 1 << (hash & 63)
}

// HasTitle tells whether a document has a title with the hash.
func (s *Segment) HasTitle(document uint32, hash uint64) bool {
	if word, bit := s.place(hash); *word&bit == 0 {
		return false
	}
	from := uint32(0)
	if document > 0 {
		from = binary.LittleEndian.Uint32(s.titleEnds[4*(document-1):])
	}
	to := min(int(binary.LittleEndian.Uint32(s.titleEnds[4*document:])), len(s.titles)/8)
	for i := int(from); i < to; i++ {
		if binary.LittleEndian.Uint64(s.titles[8*i:]) == hash {
			return true
		}
	}
	return false
}
