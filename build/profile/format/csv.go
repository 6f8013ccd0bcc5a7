package format

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/profile/table"
	"github.com/assay-register/assay/render/catalog"
)

var separatorNames = map[rune]string{',': ",", ';': ";", '\t': "\\t", '|': "|", '^': "^"}

// headRows is how many rows are looked at to find the header.
const headRows = 40

// readCSV reads a text table. Rows of another width than the header's are kept
// and counted in a note; the last record of a cut sample is left out.
func readCSV(ctx context.Context, kind string, data []byte, o *Options) (*table.Table, error) {
	text, name := decode(data, o)
	d, stated := sniff(text, kind), false
	if line, rest, ok := bytes.Cut(text, []byte("\n")); ok && bytes.HasPrefix(line, []byte("sep=")) && len(line) <= 6 {
		text, stated = rest, true
	}
	if kind == CSV && d.separator == '\t' {
		kind = TSV
	}
	records, err := scan(ctx, text, d, o)
	if err != nil {
		return nil, err
	}
	t := assemble(kind, records, o)
	if stated {
		t.Notes = append(t.Notes, catalog.NoteSeparatorLine)
	}
	t.Encoding, t.Separator = name, separatorNames[d.separator]
	return total(t, o.Truncated), nil
}

// scanned are the records of a text table: the first ones whole, all counted.
type scanned struct {
	rows [][]string
	// lines are where the rows begin, from 1 on; nil where rows are lines.
	lines []int
	more  int64
}

// above is how many lines are above a row, blank ones among them.
func (s *scanned) above(at int) int {
	if at < len(s.lines) {
		return s.lines[at] - 1
	}
	return at
}

func scan(ctx context.Context, text []byte, d dialect, o *Options) (*scanned, error) {
	r := reader(text, d)
	s := &scanned{}
	cells := 0
	var last []string
	line := 0
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			s.more++
			continue
		}
		if blank(record) {
			continue
		}
		// One record waits, because the end of the sample may have cut it.
		s.add(last, line, &cells, o)
		last = clipped(record, o)
		line, _ = r.FieldPos(0)
	}
	if !o.Truncated {
		s.add(last, line, &cells, o)
	}
	return s, nil
}

func (s *scanned) add(record []string, line int, cells *int, o *Options) {
	if record == nil {
		return
	}
	if len(s.rows) >= o.Limits.Rows || *cells >= o.Limits.Cells {
		s.more++
		return
	}
	*cells += len(record)
	if s.rows = append(s.rows, record); len(s.lines) < headRows {
		s.lines = append(s.lines, line)
	}
}

func clipped(record []string, o *Options) []string {
	out := make([]string, min(len(record), o.Limits.Columns+1))
	for i := range out {
		out[i] = strings.Clone(table.Clip(strings.TrimSpace(record[i]), o.Limits.Cell))
	}
	return out
}

func blank(record []string) bool {
	return !slices.ContainsFunc(record, func(s string) bool { return strings.TrimSpace(s) != "" })
}

// assemble finds the header and makes the table; spreadsheets share it.
func assemble(kind string, s *scanned, o *Options) *table.Table {
	at, has := header(s.rows[:min(len(s.rows), headRows)], o)
	b := table.NewBuilder(kind, o.Limits, o.Private)
	width := 0
	for _, r := range s.rows[at:min(len(s.rows), at+headRows)] {
		width = max(width, len(r))
	}
	var names []string
	body := s.rows[at:]
	if has {
		names, body = body[0], body[1:]
		width = max(len(names), 1)
	} else if len(body) > 0 {
		b.Note(catalog.NoteNoHeader)
	}
	for i := range width {
		name := ""
		if i < len(names) {
			name = names[i]
		}
		b.Declare(table.Column{Name: name})
	}
	if at > 0 {
		b.Note(catalog.NoteAboveHeader, s.above(at))
	}
	other := 0
	for _, r := range body {
		if len(r) != width {
			other++
		}
		b.Row(textCells(r))
	}
	if other > 0 {
		b.Note("%d rows have another number of columns than the header", other)
	}
	t := b.Table()
	t.Count += s.more
	return t
}

func textCells(record []string) []table.Cell {
	cells := make([]table.Cell, len(record))
	for i, v := range record {
		if v != "" {
			cells[i] = table.Cell{Kind: table.Text, Text: v}
		}
	}
	return cells
}
