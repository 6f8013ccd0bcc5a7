package export

import (
	"bytes"
	"io"
	"strings"

	"github.com/assay-register/assay/render/spreadsheet"
)

// appendRow writes cells as a row of RFC 4180.
func appendRow(b []byte, cells []*string) []byte {
	for i, c := range cells {
		if i > 0 {
			b = append(b, ',')
		}
		if c != nil {
			b = appendCell(b, *c)
		}
	}
	return append(b, rowEnd...)
}

const rowEnd = "\r\n"

// safe writes rows that no spreadsheet runs.
type safe struct {
	row rowReader
	out []byte
}

func newSafe(columns []FullColumn) *safe { return &safe{row: newRowReader(columns)} }

// write writes the first n bytes of a row, which the fragment of an entry is, with those
// cells escaped that need it.
func (s *safe) write(w io.Writer, stream string, i int, row []byte, n int) error {
	if err := s.row.read(row); err != nil {
		return err
	}
	changed := false
	for _, c := range s.row.cells {
		if c != nil {
			if e := spreadsheet.Escape(*c); e != *c {
				*c, changed = e, true
			}
		}
	}
	if !changed {
		return quoted(w, stream, i, row, n)
	}
	s.out = appendRow(s.out[:0], s.row.cells)
	_, err := w.Write(s.out[:len(s.out)-(len(row)-n)])
	return err
}

func appendCell(b []byte, s string) []byte {
	if !strings.ContainsAny(s, "\",\r\n") {
		return append(b, s...)
	}
	b = append(b, '"')
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			break
		}
		b = append(b, s[:i+1]...)
		b = append(b, '"')
		s = s[i+1:]
	}
	b = append(b, s...)
	return append(b, '"')
}

// cutCell takes the first cell off a row, appends what it says and tells whether there is one.
func cutCell(to, row []byte) (_, rest []byte, ok bool) {
	if len(row) == 0 || row[0] != '"' {
		n := bytes.IndexByte(row, ',')
		if n < 0 {
			n = len(row)
		}
		return append(to, row[:n]...), row[n:], true
	}
	for row = row[1:]; ; row = row[1:] {
		i := bytes.IndexByte(row, '"')
		if i < 0 {
			return to, nil, false
		}
		to, row = append(to, row[:i]...), row[i+1:]
		// Two quotes stand for one.
		if len(row) == 0 || row[0] != '"' {
			return to, row, true
		}
		to = append(to, '"')
	}
}

// header is the first row of the table, fullHeader that of the full one.
func header() []byte { return namesOf(FullColumns()[:len(Columns)]) }

func fullHeader() []byte { return namesOf(FullColumns()) }

func namesOf(columns []FullColumn) []byte {
	cells := make([]*string, len(columns))
	for i := range columns {
		cells[i] = &columns[i].Name
	}
	return appendRow(nil, cells)
}
