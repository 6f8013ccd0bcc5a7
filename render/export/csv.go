package export

import (
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
	return append(b, '\r', '\n')
}

// appendSafeRow writes cells as a row that no spreadsheet runs.
func appendSafeRow(b []byte, cells []*string) []byte {
	safe := make([]*string, len(cells))
	for i, c := range cells {
		if c != nil {
			s := spreadsheet.Escape(*c)
			safe[i] = &s
		}
	}
	return appendRow(b, safe)
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

// cutCell takes the first cell off a row and tells whether there is one.
func cutCell(row string) (cell, rest string, ok bool) {
	quoted, ok := strings.CutPrefix(row, `"`)
	if !ok {
		n := strings.IndexByte(row, ',')
		if n < 0 {
			n = len(row)
		}
		return row[:n], row[n:], true
	}
	for n := 0; ; {
		i := strings.IndexByte(quoted[n:], '"')
		if i < 0 {
			return "", "", false
		}
		n += i
		// Two quotes stand for one.
		if !strings.HasPrefix(quoted[n+1:], `"`) {
			return strings.ReplaceAll(quoted[:n], `""`, `"`), quoted[n+1:], true
		}
		n += 2
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
