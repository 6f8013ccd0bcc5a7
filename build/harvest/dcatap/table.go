package dcatap

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
)

// blockSize is how many bytes of statements a block has at least. A subject
// lies in one block.
const blockSize = 4 << 10

// cacheSize is how many nodes are kept that many others refer to.
const cacheSize = 4096

// table holds a graph ordered by subject, on disk or in memory, and finds the
// statements about a node.
type table struct {
	at   io.ReaderAt
	file *os.File
	// first are the keys with which the blocks begin, from where they lie, one
	// more than there are blocks.
	first []string
	from  []int64
	// large are the subjects of which statements were left out, being longer
	// than a record may be.
	large map[string]bool
	block []byte
	cache map[string]*node
}

// tableWriter makes a table of ordered records.
type tableWriter struct {
	t       *table
	out     *bufio.Writer
	memory  *bytes.Buffer
	size    int64
	limit   int
	subject []byte
	// block and about are the bytes of the open block and of its last subject.
	block, about int
}

// newTable makes a table of what the sorter holds: a file if the sorter has
// spilled, for then it does not fit the memory.
func newTable(s *sorter, limit int) (*table, error) {
	t := &table{large: map[string]bool{}, cache: map[string]*node{}}
	w := &tableWriter{t: t, limit: limit, block: blockSize}
	if s.file == nil {
		w.memory = bytes.NewBuffer(make([]byte, 0, len(s.data)+len(s.spans)*3))
		w.out = bufio.NewWriter(w.memory)
	} else {
		f, err := scratch(s.dir)
		if err != nil {
			return nil, err
		}
		t.file, t.at, w.out = f, f, bufio.NewWriterSize(f, 256<<10)
	}
	err := s.each(w.add)
	if err == nil {
		if err = w.out.Flush(); err != nil {
			err = fmt.Errorf("spill statements: %w", err)
		}
	}
	if err != nil {
		t.close()
		return nil, err
	}
	t.from = append(t.from, w.size)
	if w.memory != nil {
		t.at = bytes.NewReader(w.memory.Bytes())
	}
	return t, nil
}

func (w *tableWriter) add(record []byte) error {
	if subject := subjectOf(record); !bytes.Equal(subject, w.subject) || w.subject == nil {
		w.subject = append(w.subject[:0], subject...)
		w.about = 0
		if w.block >= blockSize {
			w.block = 0
			w.t.first = append(w.t.first, string(subject))
			w.t.from = append(w.t.from, w.size)
		}
	}
	if w.about += len(record); w.about > w.limit {
		w.t.large[string(w.subject)] = true
		return nil
	}
	n, err := writeRecord(w.out, record)
	if err != nil {
		return fmt.Errorf("spill statements: %w", err)
	}
	w.size += int64(n)
	w.block += n
	return nil
}

// close removes the table.
func (t *table) close() { discard(t.file) }

// read reads a block.
func (t *table) read(i int, room []byte) ([]byte, error) {
	size := t.from[i+1] - t.from[i]
	room = slices.Grow(room[:0], int(size))[:size]
	if _, err := t.at.ReadAt(room, t.from[i]); err != nil {
		return nil, fmt.Errorf("read spilled statements: %w", err)
	}
	return room, nil
}

// record cuts the first record off a block.
func record(block []byte) (record, rest []byte) {
	n, head := binary.Uvarint(block)
	end := head + int(n)
	return block[head:end], block[end:]
}

// node finds what is said of a node, nil if nothing is.
func (t *table) node(key string) (*node, error) {
	i := sort.Search(len(t.first), func(i int) bool { return t.first[i] > key }) - 1
	if i < 0 || key == "" {
		return nil, nil
	}
	var err error
	if t.block, err = t.read(i, t.block); err != nil {
		return nil, err
	}
	for block := t.block; len(block) > 0; {
		n, rest := take(block)
		if string(n) == key {
			return build(key, block[:len(block)-len(rest)]), nil
		}
		block = rest
	}
	return nil, nil
}

// shared is node for a node that many others refer to.
func (t *table) shared(key string) (*node, error) {
	if n, ok := t.cache[key]; ok {
		return n, nil
	}
	n, err := t.node(key)
	if err != nil {
		return nil, err
	}
	if len(t.cache) >= cacheSize {
		clear(t.cache)
	}
	t.cache[key] = n
	return n, nil
}

// take passes over the first subject of a block.
func take(block []byte) (key, rest []byte) {
	first, rest := record(block)
	key = subjectOf(first)
	for len(rest) > 0 {
		next, after := record(rest)
		if len(next) <= len(key) || next[len(key)] != 0 || !bytes.HasPrefix(next, key) {
			break
		}
		rest = after
	}
	return key, rest
}

// build makes a node of its records.
func build(key string, block []byte) *node {
	n := &node{key: key}
	for len(block) > 0 {
		var r []byte
		r, block = record(block)
		n.statements = append(n.statements, decode(r[len(key):]))
	}
	return n
}

// each gives the nodes of which the filter wants a statement, in the order of
// their keys.
func (t *table) each(wants func(p prop, value []byte) bool, visit func(*node) error) error {
	return t.subjects(wants, func(key string, about []byte) error { return visit(build(key, about)) })
}

// subjects is each for those who read the records of a node themselves.
func (t *table) subjects(wants func(p prop, value []byte) bool, visit func(key string, about []byte) error) error {
	var room []byte
	for i := range t.first {
		block, err := t.read(i, room)
		if err != nil {
			return err
		}
		room = block
		for len(block) > 0 {
			key, rest := take(block)
			about := block[:len(block)-len(rest)]
			block = rest
			if !wanted(about, len(key), wants) {
				continue
			}
			if err := visit(string(key), about); err != nil {
				return err
			}
		}
	}
	return nil
}

func wanted(about []byte, key int, wants func(p prop, value []byte) bool) bool {
	for len(about) > 0 {
		var r []byte
		r, about = record(about)
		body := r[key:]
		if _, value, _ := bytes.Cut(unnumbered(body)[3:], []byte{0}); wants(prop(body[1]), value) {
			return true
		}
	}
	return false
}
