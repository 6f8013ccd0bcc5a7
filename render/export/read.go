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
	in   *bufio.Reader
	ends []int64
	buf  []byte
}

func newFragments(c *snapshot.Catalog, name string) (*fragmentReader, error) {
	body, err := fragments(c, name)
	if err != nil || len(c.Lines) == 0 {
		return nil, err
	}
	return &fragmentReader{in: bufio.NewReaderSize(body, 1<<16), ends: c.Streams[name].Ends}, nil
}

// next reads the fragment of the entry at an ordinal, the one behind that before.
func (r *fragmentReader) next(i int) ([]byte, error) {
	n := r.ends[i]
	if i > 0 {
		n -= r.ends[i-1]
	}
	r.buf = slices.Grow(r.buf[:0], int(n))[:n]
	_, err := io.ReadFull(r.in, r.buf)
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
	return func(yield func([]*string, error) bool) { rows(c, yield, csvStream, furtherStream) }
}

// rows reads what each of some streams has of an entry, one behind the other.
func rows(c *snapshot.Catalog, yield func([]*string, error) bool, names ...string) {
	columns := FullColumns()
	all := make([]*string, len(Columns), len(columns))
	in, readers := make([]*fragmentReader, len(names)), make([]rowReader, len(names))
	for k, name := range names {
		var err error
		if in[k], err = newFragments(c, name); err != nil {
			yield(all, err)
			return
		}
		readers[k] = newRowReader(columns[:len(Columns)])
		if name == furtherStream {
			readers[k] = newRowReader(columns[len(Columns):])
		}
	}
	for i := range c.Lines {
		all = all[:0]
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
			all = append(all, readers[k].cells...)
		}
		if err != nil {
			all = all[:len(Columns)]
		}
		if !yield(all, err) || err != nil {
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
