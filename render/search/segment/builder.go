package segment

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/search"
)

// Builder collects the postings of documents in memory. A caller that bounds
// its memory spills it into a run now and then and merges the runs.
type Builder struct {
	lists map[string]*list
	bytes int
}

// list is the postings and positions of a term.
type list struct {
	postings, positions []byte
	last                uint32
	count               uint32
	languages           uint16
}

// NewBuilder makes an empty builder.
func NewBuilder() *Builder { return &Builder{lists: map[string]*list{}} }

// Size is about how many bytes the builder holds.
func (b *Builder) Size() int { return b.bytes }

// listCost is about what a term costs besides its lists, in bytes.
const listCost = 160

// Add notes a document. Ordinals must ascend.
func (b *Builder) Add(ordinal uint32, a *search.Analysis) {
	for i := range a.Terms {
		o := &a.Terms[i]
		l := b.lists[o.Term]
		if l == nil {
			l = &list{}
			b.lists[strings.Clone(o.Term)] = l // it may be a part of a long text
			b.bytes += listCost + len(o.Term)
		}
		before := len(l.postings) + len(l.positions)
		l.add(ordinal, o)
		b.bytes += len(l.postings) + len(l.positions) - before
	}
}

func (l *list) add(ordinal uint32, o *search.Occurrence) {
	l.postings = binary.AppendUvarint(l.postings, uint64(ordinal-l.last))
	l.postings = append(l.postings, o.Impact)
	l.positions = binary.AppendUvarint(l.positions, uint64(len(o.Positions)))
	last := uint32(0)
	for _, p := range o.Positions {
		l.positions = binary.AppendUvarint(l.positions, uint64(p-last))
		last = p
	}
	l.last = ordinal
	l.count++
	l.languages |= o.Languages
}

// Spill writes the lists as a run, in the order of the terms, and empties the
// builder.
func (b *Builder) Spill(w io.Writer) error {
	buf := bufio.NewWriterSize(w, 1<<16)
	var head []byte
	for _, term := range slices.Sorted(maps.Keys(b.lists)) {
		l := b.lists[term]
		head = binary.AppendUvarint(head[:0], uint64(len(term)))
		head = append(head, term...)
		for _, n := range []uint64{uint64(l.languages), uint64(l.count), uint64(l.last), uint64(len(l.postings)), uint64(len(l.positions))} {
			head = binary.AppendUvarint(head, n)
		}
		buf.Write(head)
		buf.Write(l.postings)
		buf.Write(l.positions)
	}
	*b = *NewBuilder()
	if err := buf.Flush(); err != nil {
		return fmt.Errorf("spill postings: %w", err)
	}
	return nil
}

// Write hands the terms to a writer and empties the builder.
func (b *Builder) Write(w *Writer) error {
	for _, term := range slices.Sorted(maps.Keys(b.lists)) {
		if err := w.term(term, b.lists[term]); err != nil {
			return err
		}
	}
	*b = *NewBuilder()
	return nil
}
