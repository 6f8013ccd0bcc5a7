package dump

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/snapshot"
)

// A row group is the same bytes wherever it lies in a Parquet file: only the footer says where. So the table
// of all entries takes the row groups of its large parts as they are, in their order, and the rows of the others behind
// them. Nothing is compressed twice, and who keeps a part has most of the table's bytes already: they are
// quoted from the stream of the part's route.

// together writes the table of all entries, which says in its footer what snapshot they are of.
func together(ctx context.Context, c *snapshot.Catalog, parts []part) func(io.Writer) error {
	return func(w io.Writer) error {
		q := &quoting{w: w, runs: []run{{length: int64(len(parquetHead))}}}
		defer q.close()
		t := newTable(q, meta(c))
		for i := range parts {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := t.take(&parts[i], q); err != nil {
				return fmt.Errorf("dump %s: %w", parts[i].route(), err)
			}
		}
		err := t.add(ctx, export.FullRowsOf(c, remaining(c, parts)))
		return errors.Join(err, t.close())
	}
}

// parquetHead begins every file.
const parquetHead = "PAR1"

// take copies the row groups of a part that is quoted.
func (t *table) take(p *part, q *quoting) error {
	if p.path == "" {
		return nil
	}
	in, err := os.Open(p.path)
	if err != nil {
		return err
	}
	q.files = append(q.files, in)
	info, err := in.Stat()
	if err != nil {
		return err
	}
	f, err := parquet.OpenFile(in, info.Size(), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	for _, g := range f.Metadata().RowGroups {
		q.runs = append(q.runs, run{p.route(), in, g.FileOffset, g.TotalCompressedSize})
	}
	for _, g := range f.RowGroups() {
		if _, err := t.w.WriteRowGroup(g); err != nil {
			return err
		}
	}
	return nil
}

// remaining are the ordinals of the entries of no part that is quoted.
func remaining(c *snapshot.Catalog, parts []part) (out []int32) {
	taken := make([]bool, len(c.Lines))
	for i := range parts {
		if parts[i].path != "" {
			for _, n := range parts[i].ordinals {
				taken[n] = true
			}
		}
	}
	for i, t := range taken {
		if !t {
			out = append(out, int32(i))
		}
	}
	return out
}

// run are bytes of the table that follow each other; a route tells of which part, from is where they lie in its file.
type run struct {
	route  string
	file   *os.File
	from   int64
	length int64
}

// quoting tells the writer behind it which bytes are those of parts. What comes behind the runs is of none.
type quoting struct {
	w     io.Writer
	runs  []run
	room  []byte
	files []*os.File
}

// Write implements io.Writer.
func (q *quoting) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n, err := q.some(rest)
		if err != nil {
			return len(p) - len(rest), err
		}
		rest = rest[n:]
	}
	return len(p), nil
}

// some writes bytes up to the end of a run.
func (q *quoting) some(p []byte) (int, error) {
	for len(q.runs) > 0 && q.runs[0].length == 0 {
		q.runs = q.runs[1:]
	}
	if len(q.runs) == 0 {
		return q.w.Write(p)
	}
	r := &q.runs[0]
	p = p[:min(int64(len(p)), r.length)]
	from := r.from
	r.from, r.length = from+int64(len(p)), r.length-int64(len(p))
	// The library copies a row group unless its options forbid it; then the bytes are others.
	if r.file != nil {
		q.room = slices.Grow(q.room[:0], len(p))[:len(p)]
		if _, err := r.file.ReadAt(q.room, from); err != nil {
			return 0, err
		}
		if bytes.Equal(q.room, p) {
			return len(p), artifact.WriteQuote(q.w, r.route, 0, int(from), p)
		}
	}
	return q.w.Write(p)
}

func (q *quoting) close() {
	for _, f := range q.files {
		f.Close()
	}
}
