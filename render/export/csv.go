package export

import "strings"

// appendRow writes cells as a row of RFC 4180. encoding/csv is not used
// because with CRLF at the end of rows it changes the line feeds inside cells.
func appendRow(b []byte, cells *Cells) []byte {
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

// header is the first row.
func header() []byte {
	var cells Cells
	for i := range Columns {
		cells[i] = &Columns[i].Name
	}
	return appendRow(nil, &cells)
}
