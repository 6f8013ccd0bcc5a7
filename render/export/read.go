package export

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// fragments are those of all entries in one of the package's streams. A snapshot
// that was opened again has none: only a build makes exports.
func fragments(c *snapshot.Catalog, name string) (*io.SectionReader, error) {
	s := c.Streams[name]
	n := len(c.Lines)
	if n > 0 && (s == nil || len(s.Ends) != n) {
		return nil, fmt.Errorf("snapshot %s has no stream %s of %d entries: %w", c.ID, name, n, catalog.ErrInvalid)
	}
	return s.Fragments(0, n), nil
}

// fragmentReader reads those of a stream one after the other; each stands until the next.
type fragmentReader struct {
	in     *bufio.Reader
	stream *snapshot.Stream
	// at is the ordinal of what in holds next.
	at  int
	buf []byte
}

func newFragments(c *snapshot.Catalog, name string) (*fragmentReader, error) {
	body, err := fragments(c, name)
	if err != nil || len(c.Lines) == 0 {
		return nil, err
	}
	return &fragmentReader{in: bufio.NewReaderSize(body, 1<<16), stream: c.Streams[name]}, nil
}

// next reads the fragment of the entry at an ordinal, mostly the one behind that before. What
// lies behind another is read by itself, for the next may lie far away.
func (r *fragmentReader) next(i int) (_ []byte, err error) {
	if i != r.at {
		r.buf, err = r.stream.Fragment(i, r.buf)
		return r.buf, err
	}
	r.at++
	n := r.stream.Ends[i]
	if i > 0 {
		n -= r.stream.Ends[i-1]
	}
	r.buf = slices.Grow(r.buf[:0], int(n))[:n]
	_, err = io.ReadFull(r.in, r.buf)
	return r.buf, err
}

// eachFragment calls fn for each of a stream.
func eachFragment(c *snapshot.Catalog, name string, fn func(i int, b []byte) error) error {
	r, err := newFragments(c, name)
	for i := 0; i < len(c.Lines) && err == nil; i++ {
		var b []byte
		if b, err = r.next(i); err == nil {
			err = fn(i, b)
		}
		if err != nil {
			err = fmt.Errorf("%s of entry %s: %w", name, c.Lines[i].ID, err)
		}
	}
	return err
}

// FullRows reads the full rows of all entries back, in id order: a cell for each of
// FullColumns. The cells of one stand until the next. After an error it ends.
func FullRows(c *snapshot.Catalog) iter.Seq2[[]*string, error] {
	return func(yield func([]*string, error) bool) { rows(c, all(c), yield, csvStream, furtherStream) }
}

// FullRowsOf reads those of some entries, by their ordinals, as FullRows does.
func FullRowsOf(c *snapshot.Catalog, ordinals []int32) iter.Seq2[[]*string, error] {
	return func(yield func([]*string, error) bool) {
		rows(c, slices.Values(ordinals), yield, csvStream, furtherStream)
	}
}

// all are the ordinals of all entries.
func all(c *snapshot.Catalog) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for i := range c.Lines {
			if !yield(int32(i)) {
				return
			}
		}
	}
}

// rows reads what each of some streams has of the entries at some ordinals, one behind the other.
func rows(c *snapshot.Catalog, ordinals iter.Seq[int32], yield func([]*string, error) bool, names ...string) {
	columns := FullColumns()
	cells := make([]*string, len(Columns), len(columns))
	in, readers := make([]*fragmentReader, len(names)), make([]rowReader, len(names))
	for k, name := range names {
		var err error
		if in[k], err = newFragments(c, name); err != nil {
			yield(cells, err)
			return
		}
		readers[k] = newRowReader(columns[:len(Columns)])
		if name == furtherStream {
			readers[k] = newRowReader(columns[len(Columns):])
		}
	}
	for ordinal := range ordinals {
		i := int(ordinal)
		cells = cells[:0]
		var err error
		for k := range names {
			var row []byte
			if row, err = in[k].next(i); err == nil {
				err = readers[k].read(row)
			}
			if err != nil {
				err = fmt.Errorf("row of entry %s: %w", c.Lines[i].ID, err)
				break
			}
			cells = append(cells, readers[k].cells...)
		}
		if err != nil {
			cells = cells[:len(Columns)]
		}
		if !yield(cells, err) || err != nil {
			return
		}
	}
}

// rowReader reads rows of some columns, each into the room of the one before.
type rowReader struct {
	columns []FullColumn
	values  []string
	cells   []*string
}

func newRowReader(columns []FullColumn) rowReader {
	return rowReader{columns: columns, values: make([]string, len(columns)), cells: make([]*string, len(columns))}
}

// read reads a row.
func (r *rowReader) read(b []byte) error {
	row, ok := strings.CutSuffix(string(b), rowEnd)
	if !ok || !r.cut(row) {
		return fmt.Errorf("a row that is none of the table: %w", catalog.ErrInvalid)
	}
	return nil
}

// cut takes a row apart and tells whether it has all cells and no more.
func (r *rowReader) cut(row string) (ok bool) {
	for i := range r.cells {
		if i > 0 {
			if row, ok = strings.CutPrefix(row, ","); !ok {
				return false
			}
		}
		if r.values[i], row, ok = cutCell(row); !ok {
			return false
		}
		r.cells[i] = &r.values[i]
		if r.values[i] == "" && r.columns[i].Nullable {
			r.cells[i] = nil
		}
	}
	return row == ""
}
