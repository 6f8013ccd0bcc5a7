package pack

import (
	"bufio"
	"bytes"
	"container/heap"
	"errors"
	"io"
	"slices"
)

// recordSize is that of a record while a file is written: key, number of the group,
// number of the document.
const recordSize = keySize + 4 + 2

// recordsMax is how many records of an index are held before they go to the scratch
// file.
const recordsMax = 1 << 20

type record [recordSize]byte

// Scratch is a file for what does not fit into memory, such as an *os.File that has no
// name any more.
type Scratch interface {
	io.Writer
	io.ReaderAt
}

// records sorts those of an index: in memory, or in runs that lie in a scratch file.
type records struct {
	list    []record
	scratch *scratch
	runs    []Span
	count   int
	// limit is recordsMax, but for tests.
	limit int
}

// scratch knows how far its file is filled.
type scratch struct {
	Scratch
	at int64
}

func (l *records) add(r record) error {
	l.list = append(l.list, r)
	l.count++
	if len(l.list) < l.limit || l.scratch == nil {
		return nil
	}
	return l.spill()
}

func compareRecords(a, b record) int { return bytes.Compare(a[:], b[:]) }

// sortRecords sorts records that are equal before a byte, by that byte in place, and so on: keys are
// hashes, so two bytes leave a few in each part, and comparing all costs thrice the time.
func sortRecords(list []record, at int) {
	if len(list) <= 32 || at == recordSize {
		slices.SortFunc(list, compareRecords)
		return
	}
	var next, ends [256]int
	for i := range list {
		ends[list[i][at]]++
	}
	sum := 0
	for b := range ends {
		next[b], sum = sum, sum+ends[b]
		ends[b] = sum
	}
	for b := range ends {
		for i := next[b]; i < ends[b]; i = next[b] {
			to := list[i][at]
			list[i], list[next[to]] = list[next[to]], list[i]
			next[to]++
		}
	}
	from := 0
	for _, end := range ends {
		if end-from > 1 {
			sortRecords(list[from:end], at+1)
		}
		from = end
	}
}

// spill writes a sorted run.
func (l *records) spill() error {
	sortRecords(l.list, 0)
	out := bufio.NewWriterSize(l.scratch, 1<<18)
	for i := range l.list {
		out.Write(l.list[i][:]) // Flush tells the first error.
	}
	n := int64(len(l.list)) * recordSize
	l.runs = append(l.runs, Span{l.scratch.at, n})
	l.scratch.at += n
	l.list = l.list[:0]
	return out.Flush()
}

// each calls fn for all records in order, once.
func (l *records) each(fn func(*record) error) error {
	if len(l.runs) == 0 {
		sortRecords(l.list, 0)
		for i := range l.list {
			if err := fn(&l.list[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := l.spill(); err != nil {
		return err
	}
	l.list = nil
	return l.merge(fn)
}

// merge goes through all runs at the same time.
func (l *records) merge(fn func(*record) error) error {
	var m merging
	for _, r := range l.runs {
		in := bufio.NewReaderSize(io.NewSectionReader(l.scratch, r.Offset, r.Length), 1<<16)
		run := &run{in: in}
		if err := run.next(); err == nil {
			m = append(m, run)
		} else if !errors.Is(err, io.EOF) {
			return err
		}
	}
	heap.Init(&m)
	for len(m) > 0 {
		if err := fn(&m[0].now); err != nil {
			return err
		}
		if err := m[0].next(); err == nil {
			heap.Fix(&m, 0)
		} else if errors.Is(err, io.EOF) {
			heap.Pop(&m)
		} else {
			return err
		}
	}
	return nil
}

// run is a sorted part of the records, of which one is looked at.
type run struct {
	in  io.Reader
	now record
}

func (r *run) next() error {
	_, err := io.ReadFull(r.in, r.now[:])
	return err
}

type merging []*run

// Len implements heap.Interface, as the methods below do.
func (m merging) Len() int           { return len(m) }
func (m merging) Less(i, j int) bool { return compareRecords(m[i].now, m[j].now) < 0 }
func (m merging) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *merging) Push(x any)        { *m = append(*m, x.(*run)) }
func (m *merging) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}
