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

// pieces are those of all entries in one of the package's streams. A snapshot
// that was opened again has none: only a build makes exports.
func pieces(c *snapshot.Catalog, name string) (*io.SectionReader, error) {
	s := c.Streams[name]
	n := len(c.Lines)
	if n > 0 && (s == nil || len(s.Ends) != n) {
		return nil, fmt.Errorf("snapshot %s has no stream %s of %d entries: %w", c.ID, name, n, catalog.ErrInvalid)
	}
	return s.Pieces(0, n), nil
}

// Records reads the records of all entries back from their rows, in id order
// and one at a time. After an error it ends.
func Records(c *snapshot.Catalog) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for cells, err := range Rows(c) {
			var r *Record
			if err == nil {
				r = recordOf(cells)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// Rows reads the rows of all entries back, in id order; the cells of one stand
// until the next. After an error it ends.
func Rows(c *snapshot.Catalog) iter.Seq2[*Cells, error] {
	return func(yield func(*Cells, error) bool) {
		body, err := pieces(c, csvStream)
		if err != nil {
			yield(nil, err)
			return
		}
		r, start := rowReader{in: bufio.NewReaderSize(body, 1<<16)}, int64(0)
		for i := range c.Lines {
			end := c.Streams[csvStream].Ends[i]
			err := r.next(int(end - start))
			if err != nil {
				err = fmt.Errorf("row of entry %s: %w", c.Lines[i].ID, err)
			}
			if !yield(&r.cells, err) || err != nil {
				return
			}
			start = end
		}
	}
}

// rowReader reads rows, each into the room of the one before.
type rowReader struct {
	in     io.Reader
	buf    []byte
	values [len(Columns)]string
	cells  Cells
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
		if r.values[i] == "" && Columns[i].Nullable {
			r.cells[i] = nil
		}
	}
	return row == ""
}
