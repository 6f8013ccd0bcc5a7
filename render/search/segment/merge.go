package segment

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Merge hands the terms of runs to a writer. The runs were spilled one after
// the other, so the documents of each follow those of the one before.
func Merge(w *Writer, runs ...io.Reader) error {
	var h runHeap
	for i, r := range runs {
		c := &cursor{in: bufio.NewReaderSize(r, 1<<18), order: i}
		if more, err := c.next(); err != nil {
			return fmt.Errorf("merge run %d: %w", i, err)
		} else if more {
			h = append(h, c)
		}
	}
	heap.Init(&h)
	for len(h) > 0 {
		term, merged := h[0].term, list{}
		for len(h) > 0 && h[0].term == term {
			merged.join(&h[0].list)
			more, err := h[0].next()
			if err != nil {
				return fmt.Errorf("merge run %d: %w", h[0].order, err)
			}
			if more {
				heap.Fix(&h, 0)
			} else {
				heap.Pop(&h)
			}
		}
		if err := w.term(term, &merged); err != nil {
			return err
		}
	}
	return nil
}

// join appends the documents of a later run.
func (l *list) join(next *list) {
	if l.count == 0 {
		*l = *next
		return
	}
	first, n := binary.Uvarint(next.postings)
	l.postings = binary.AppendUvarint(l.postings, first-uint64(l.last))
	l.postings = append(l.postings, next.postings[n:]...)
	l.positions = append(l.positions, next.positions...)
	l.last = next.last
	l.count += next.count
	l.languages |= next.languages
}

// cursor reads one run.
type cursor struct {
	in    *bufio.Reader
	order int
	term  string
	list  list
}

func (c *cursor) next() (bool, error) {
	size, err := binary.ReadUvarint(c.in)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	term := make([]byte, size)
	if err == nil {
		_, err = io.ReadFull(c.in, term)
	}
	var n [5]uint64
	for i := range n {
		if err == nil {
			n[i], err = binary.ReadUvarint(c.in)
		}
	}
	if err != nil {
		return false, err
	}
	c.term = string(term)
	c.list = list{languages: uint16(n[0]), count: uint32(n[1]), last: uint32(n[2]), postings: make([]byte, n[3]), positions: make([]byte, n[4])}
	_, err = io.ReadFull(c.in, c.list.postings)
	if err == nil {
		_, err = io.ReadFull(c.in, c.list.positions)
	}
	return err == nil, err
}

// runHeap orders cursors by term, then by the order of the runs.
type runHeap []*cursor

// Len implements heap.Interface.
func (h runHeap) Len() int { return len(h) }

// Less implements heap.Interface.
func (h runHeap) Less(i, j int) bool {
	if h[i].term != h[j].term {
		return h[i].term < h[j].term
	}
	return h[i].order < h[j].order
}

// Swap implements heap.Interface.
func (h runHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *runHeap) Push(x any) { *h = append(*h, x.(*cursor)) }

// Pop implements heap.Interface.
func (h *runHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
