package dcatap

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// sorter orders statements. What does not fit its memory lies in sorted runs in
// a file, which are merged at the end.
type sorter struct {
	dir    string
	memory int
	// data holds records, spans where they lie.
	data  []byte
	spans []span
	file  *os.File
	out   *bufio.Writer
	size  int64
	// runs are the ends of the runs in the file.
	runs []int64
}

type span struct{ from, to uint32 }

// add takes a record, which encode appends to the data.
func (s *sorter) add(record func(buf []byte) []byte) error {
	from := len(s.data)
	s.data = record(s.data)
	s.spans = append(s.spans, span{uint32(from), uint32(len(s.data))})
	if len(s.data)+len(s.spans)*8 < s.memory {
		return nil
	}
	return s.flush()
}

// order sorts what is in memory and drops repetitions: a graph is a set.
func (s *sorter) order() {
	at := func(p span) []byte { return s.data[p.from:p.to] }
	slices.SortFunc(s.spans, func(a, b span) int { return bytes.Compare(at(a), at(b)) })
	s.spans = slices.CompactFunc(s.spans, func(a, b span) bool { return bytes.Equal(unnumbered(at(a)), unnumbered(at(b))) })
}

// flush writes what is in memory as a run.
func (s *sorter) flush() error {
	if s.file == nil {
		f, err := scratch(s.dir)
		if err != nil {
			return err
		}
		s.file, s.out = f, bufio.NewWriterSize(f, 256<<10)
	}
	s.order()
	for _, p := range s.spans {
		n, err := writeRecord(s.out, s.data[p.from:p.to])
		if err != nil {
			return fmt.Errorf("spill statements: %w", err)
		}
		s.size += int64(n)
	}
	s.runs = append(s.runs, s.size)
	s.data, s.spans = s.data[:0], s.spans[:0]
	return nil
}

// close removes the runs.
func (s *sorter) close() { discard(s.file) }

// scratch makes a file for the time of the run. Where the system lets go of the
// name of an open file, nothing is left even by a process that is killed.
func scratch(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "assay-dcat-*")
	if err != nil {
		return nil, fmt.Errorf("make room for statements that do not fit the memory: %w", err)
	}
	_ = os.Remove(f.Name())
	return f, nil
}

// discard closes a scratch file, if there is one.
func discard(f *os.File) {
	if f != nil {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
}

// each gives the records in their order.
func (s *sorter) each(take func(record []byte) error) error {
	if s.file == nil {
		s.order()
		for _, p := range s.spans {
			if err := take(s.data[p.from:p.to]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := s.flush(); err != nil {
		return err
	}
	s.data, s.spans = nil, nil
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("spill statements: %w", err)
	}
	return s.merge(take)
}

// merge reads the runs side by side.
func (s *sorter) merge(take func(record []byte) error) error {
	var h runHeap
	from := int64(0)
	room := min(max(s.memory/len(s.runs), 16<<10), 256<<10)
	for _, to := range s.runs {
		r := &run{in: bufio.NewReaderSize(io.NewSectionReader(s.file, from, to-from), room)}
		from = to
		switch err := r.next(); {
		case errors.Is(err, io.EOF):
			continue
		case err != nil:
			return err
		}
		h = append(h, r)
	}
	heap.Init(&h)
	var last []byte
	for first := true; len(h) > 0; first = false {
		r := h[0]
		if about := unnumbered(r.record); first || !bytes.Equal(about, last) {
			if err := take(r.record); err != nil {
				return err
			}
			last = append(last[:0], about...)
		}
		switch err := r.next(); {
		case errors.Is(err, io.EOF):
			heap.Pop(&h)
		case err != nil:
			return err
		default:
			heap.Fix(&h, 0)
		}
	}
	return nil
}

// run is a sorted run that is being read.
type run struct {
	in     *bufio.Reader
	record []byte
}

// next reads the next record; io.EOF is the end.
func (r *run) next() error {
	n, err := binary.ReadUvarint(r.in)
	if err != nil {
		return err
	}
	r.record = slices.Grow(r.record[:0], int(n))[:n]
	if _, err := io.ReadFull(r.in, r.record); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("read spilled statements: %w", err)
	}
	return nil
}

// runHeap implements heap.Interface.
type runHeap []*run

// Len implements heap.Interface.
func (h runHeap) Len() int { return len(h) }

// Less implements heap.Interface.
func (h runHeap) Less(i, j int) bool { return bytes.Compare(h[i].record, h[j].record) < 0 }

// Swap implements heap.Interface.
func (h runHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *runHeap) Push(x any) { *h = append(*h, x.(*run)) }

// Pop implements heap.Interface.
func (h *runHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}

// writeRecord writes a record behind its length.
func writeRecord(w io.Writer, record []byte) (int, error) {
	var head [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(head[:], uint64(len(record)))
	if _, err := w.Write(head[:n]); err != nil {
		return 0, err
	}
	_, err := w.Write(record)
	return n + len(record), err
}
