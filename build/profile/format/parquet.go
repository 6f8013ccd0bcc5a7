package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-register/assay/build/profile/table"
)

// readParquet reads the schema, the number of rows, and the first rows. The
// footer with the schema stands at the end of the file: a cut file has none.
func readParquet(ctx context.Context, data []byte, o *Options) (*table.Table, error) {
	if !bytes.HasSuffix(data, []byte("PAR1")) || len(data) < 12 {
		if o.Truncated {
			return nil, fmt.Errorf("%w: the footer of a Parquet file stands at its end, and only the first %d bytes were read", ErrUnsupported, len(data))
		}
		return nil, errors.New("the Parquet file has no footer; it is cut or broken")
	}
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, errors.New("the footer of the Parquet file cannot be read; it is broken or encrypted")
	}
	leaves := leavesOf(f.Root(), "", false, 0)
	b := table.NewBuilder(Parquet, o.Limits, o.Private)
	for i, l := range leaves {
		if i < o.Limits.Columns {
			b.Declare(table.Column{Name: l.name, Declared: declaredType(l.column)})
		}
	}
	b.Note("the first row group of %d was sampled", len(f.RowGroups()))
	if err := sampleRows(ctx, f, leaves, b, data, o); err != nil {
		b.Note("the rows cannot be read: %s", err)
	}
	t := b.Table()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(f.RowGroups()) < 2 {
		t.Notes = without(t.Notes, "the first row group of")
	}
	if n := f.NumRows(); n >= 0 {
		t.Total = &n
	}
	return t, nil
}

func without(notes []string, prefix string) []string {
	var out []string
	for _, n := range notes {
		if !strings.HasPrefix(n, prefix) {
			out = append(out, n)
		}
	}
	return out
}

// parquetLeaf is a column of values: its path, its index in the file, and what
// its logical type makes of a value.
type parquetLeaf struct {
	name     string
	index    int
	repeated bool
	column   *parquet.Column
}

// leavesOf names leaves by their path; the middle layers of lists, which only
// the format needs, are left out.
func leavesOf(c *parquet.Column, path string, repeated bool, depth int) []parquetLeaf {
	repeated = repeated || c.Repeated()
	if c.Leaf() {
		return []parquetLeaf{{path, c.Index(), repeated, c}}
	}
	var out []parquetLeaf
	if depth > maxDepth {
		return out
	}
	for _, kid := range c.Columns() {
		next := join(path, kid.Name())
		if repeated && (kid.Name() == "element" || kid.Name() == "item" || kid.Name() == "array_element") || !kid.Leaf() && kid.Repeated() && kid.Name() == "list" {
			next = path
		}
		out = append(out, leavesOf(kid, next, repeated, depth+1)...)
	}
	return out
}

func sampleRows(ctx context.Context, f *parquet.File, leaves []parquetLeaf, b *table.Builder, data []byte, o *Options) error {
	if len(f.RowGroups()) == 0 {
		return nil
	}
	if err := checkPages(f.Metadata().RowGroups[0].Columns, data); err != nil {
		return err
	}
	at := map[int]int{}
	for i, l := range leaves {
		if i < o.Limits.Columns {
			at[l.index] = i
		}
	}
	rows := f.RowGroups()[0].Rows()
	defer func() { _ = rows.Close() }()
	buffer := make([]parquet.Row, 64)
	for read := 0; read < o.Limits.Rows; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := rows.ReadRows(buffer)
		for _, row := range buffer[:n] {
			b.Row(cellsOf(row, leaves, at))
		}
		read += n
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil || n == 0 {
			return errors.New("a page of the first row group is broken")
		}
	}
	return nil
}

func cellsOf(row parquet.Row, leaves []parquetLeaf, at map[int]int) []table.Cell {
	cells := make([]table.Cell, len(at))
	for _, v := range row {
		i, ok := at[v.Column()]
		if !ok {
			continue
		}
		c := parquetCell(v, leaves[i].column)
		if !leaves[i].repeated {
			cells[i] = c
			continue
		}
		cells[i].Kind = table.List
		if c.Kind != table.Null {
			cells[i].Items = append(cells[i].Items, c)
		}
	}
	return cells
}
