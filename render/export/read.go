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

// Rows reads the rows of all entries back, in id order; the cells of one stand
// until the next. After an error it ends.
func Rows(c *snapshot.Catalog) iter.Seq2[*Cells, error] {
	return func(yield func(*Cells, error) bool) {
		rows(c, func(cells []*string, err error) bool { return yield((*Cells)(cells), err) }, csvStream)
	}
}

// FullRows reads the full rows of all entries back as Rows does: a cell for each of
// FullColumns.
func FullRows(c *snapshot.Catalog) iter.Seq2[[]*string, error] {
	return func(yield func([]*string, error) bool) { rows(c, yield, csvStream, furtherStream) }
}

// rows reads what each of some streams has of an entry, one behind the other.
func rows(c *snapshot.Catalog, yield func([]*string, error) bool, names ...string) {
	columns := FullColumns()
	all := make([]*string, len(Columns), len(columns))
	readers := make([]rowReader, len(names))
	for k, name := range names {
		body, err := fragments(c, name)
		if err != nil {
			yield(all, err)
			return
		}
		readers[k] = newRowReader(bufio.NewReaderSize(body, 1<<16), columns[:len(Columns)])
		if name == furtherStream {
			readers[k] = newRowReader(bufio.NewReaderSize(body, 1<<16), columns[len(Columns):])
		}
	}
	for i := range c.Lines {
		all = all[:0]
		var err error
		for k, name := range names {
			ends, start := c.Streams[name].Ends, int64(0)
			if i > 0 {
				start = ends[i-1]
			}
			if err = readers[k].next(int(ends[i] - start)); err != nil {
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
	in      io.Reader
	buf     []byte
	columns []FullColumn
	values  []string
	cells   []*string
}

func newRowReader(in io.Reader, columns []FullColumn) rowReader {
	return rowReader{in: in, columns: columns, values: make([]string, len(columns)), cells: make([]*string, len(columns))}
}

// next reads a row of n bytes.
func (r *rowReader) next(n int) error {
	r.buf = slices.Grow(r.buf[:0], n)[:n]
	if _, err := io.ReadFull(r.in, r.buf); err != nil {
		return err
	}
	row, ok := strings.CutSuffix(string(r.buf), "\r\n")
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
