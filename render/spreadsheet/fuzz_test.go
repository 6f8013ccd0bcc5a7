package spreadsheet_test

import (
	"testing"

	"github.com/assay-register/assay/render/spreadsheet"
	"github.com/assay-register/assay/render/spreadsheet/spreadsheettest"
)

// FuzzEscape writes any two texts into a row and opens it as spreadsheets do.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"=1+1", " \"=1", "a;@A\n-1+2", "-1.5", "'-1", "'=1", "\t+1\r\n=1", "＝1;＠A", "\ufeff=1", "x\"\n\"=1", "\";=1", "\xff=1"} {
		f.Add(s, "rain")
		f.Add("rain", s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		safe := []string{"id", spreadsheet.Escape(a), spreadsheet.Escape(b), "last"}
		for i, want := range []string{a, b} {
			if back := spreadsheet.Unescape(safe[i+1]); back != want {
				t.Errorf("%q became %q and came back as %q", want, safe[i+1], back)
			}
		}
		spreadsheettest.NoFormula(t, spreadsheettest.Row(safe))
	})
}
