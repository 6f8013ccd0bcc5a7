package export

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// fragmentReader reads those of all entries in one of the package's streams, each into the room of
// the one before.
type fragmentReader struct {
	name   string
	of     *snapshot.Catalog
	stream *snapshot.Stream
	buf    []byte
}

// newFragments refuses a snapshot that was opened again, which has none: only a build makes exports.
func newFragments(c *snapshot.Catalog, name string) (*fragmentReader, error) {
	r := &fragmentReader{name: name, of: c, stream: c.Streams[name]}
	if len(c.Lines) > 0 && r.stream == nil {
		return nil, fmt.Errorf("snapshot %s has no stream %s: %w", c.ID, name, catalog.ErrInvalid)
	}
	return r, nil
}

// next reads the fragment of the entry at an ordinal.
func (r *fragmentReader) next(i int) (_ []byte, err error) {
	if !r.stream.Has(i) {
		return nil, fmt.Errorf("entry %s has nothing in stream %s: %w", r.of.Lines[i].ID, r.name, catalog.ErrInvalid)
	}
	r.buf, err = r.stream.Read(i, r.buf)
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
// FullColumns. The cells of one stand until the next, their texts stay. After an error it ends.
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
	// room holds what the cells say, one behind the other until the ends.
	room   []byte
	ends   []int
	values []string
	cells  []*string
}

func newRowReader(columns []FullColumn) rowReader {
	n := len(columns)
	return rowReader{columns: columns, ends: make([]int, n), values: make([]string, n), cells: make([]*string, n)}
}

// read reads a row.
func (r *rowReader) read(b []byte) error {
	row, ok := bytes.CutSuffix(b, []byte(rowEnd))
	if !ok || !r.cut(row) {
		return fmt.Errorf("a row that is none of the table: %w", catalog.ErrInvalid)
	}
	// One text for all cells costs less than one for each.
	all, from := string(r.room), 0
	for i, end := range r.ends {
		r.values[i], from = all[from:end], end
		if r.cells[i] = &r.values[i]; r.values[i] == "" && r.columns[i].Nullable {
			r.cells[i] = nil
		}
	}
	return nil
}

// cut takes a row apart and tells whether it has all cells and no more.
func (r *rowReader) cut(row []byte) (ok bool) {
	r.room = r.room[:0]
	for i := range r.ends {
		if i > 0 {
			if len(row) == 0 || row[0] != ',' {
				return false
			}
			row = row[1:]
		}
		if r.room, row, ok = cutCell(r.room, row); !ok {
			return false
		}
		r.ends[i] = len(r.room)
	}
	return len(row) == 0
}
