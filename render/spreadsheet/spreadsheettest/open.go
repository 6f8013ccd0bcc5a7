// Package spreadsheettest opens a CSV file as spreadsheets do.
package spreadsheettest

import (
	"encoding/csv"
	"strconv"
	"strings"
	"testing"
)

// Row writes cells as RFC 4180 does.
func Row(cells []string) string {
	quoted := make([]string, len(cells))
	for i, c := range cells {
		if quoted[i] = c; strings.ContainsAny(c, "\",\r\n") {
			quoted[i] = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
		}
	}
	return strings.Join(quoted, ",") + "\r\n"
}

// NoFormula opens a file with each separator that a spreadsheet may have, by its
// language, and finds no cell that it would run.
func NoFormula(t testing.TB, file string) {
	t.Helper()
	for _, separator := range ",;\t" {
		in := csv.NewReader(strings.NewReader(file))
		in.Comma, in.LazyQuotes, in.FieldsPerRecord = separator, true, -1
		rows, err := in.ReadAll()
		if err != nil {
			t.Errorf("separator %q: %v", separator, err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if Runs(cell) || separator == ',' && cell != "" && strings.IndexAny(cell[:1], "\t\r\n") == 0 {
					t.Errorf("separator %q: %q is run", separator, cell)
				}
			}
		}
	}
}

// Runs tells whether a spreadsheet takes a cell for a formula: it drops blanks,
// ends of lines, double quotes and the mark of byte order before it looks.
func Runs(cell string) bool {
	bare := strings.TrimLeft(cell, " \t\r\n\u00a0\u3000\ufeff\"“”")
	if bare == "" {
		return false
	}
	switch []rune(bare)[0] {
	case '=', '@', '＝', '＋', '－', '＠':
		return true
	case '+', '-':
		_, err := strconv.ParseFloat(bare, 64)
		return err != nil || strings.ContainsAny(bare, "xXiInNpP_")
	}
	return false
}
