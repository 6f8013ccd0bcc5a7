package spreadsheet_test

import (
	"testing"

	"github.com/assay-register/assay/render/spreadsheet"
)

func TestEscape(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{
		"": "", "Air quality": "Air quality", "a = b": "a = b", "x@stat.example": "x@stat.example", "2026-11-01T00:00:00Z": "2026-11-01T00:00:00Z",
		"=1+1": "'=1+1", "=cmd|'/C calc'!A0": "'=cmd|'/C calc'!A0", `=HYPERLINK("https://x.example")`: `'=HYPERLINK("https://x.example")`,
		"+1+1": "'+1+1", "-1+1": "'-1+1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t'=1", "\r=1": "'\r'=1", "\n=1": "'\n'=1", "\tx": "'\tx",
		"＝1": "'＝1", "＋1": "'＋1", "－1": "'－1", "＠A": "'＠A",
		` =1`: `' =1`, `"=1`: `'"=1`, `"" =1`: `'"" =1`, "'=1": "''=1", "''=1": "'''=1", "\u00a0=1": "'\u00a0=1", "\ufeff=1": "'\ufeff=1",
		"\u200b@A": "'\u200b@A", "“=1": "'“=1", "\x00=1": "'\x00=1", "　＝1": "'　＝1",
		"-": "'-", "- item": "'- item", "--1": "'--1", "-1.5e": "'-1.5e", "-0x10": "'-0x10", "-inf": "'-inf", "-1.5": "-1.5", "+3": "+3", "-2e-7": "-2e-7", " -1.5": " -1.5",
		"'-1.5": "'-1.5", "-1;5": "'-1;5",
		"tides;=1": "tides;'=1", "tides; @A;rain": "tides;' @A;rain", "5;-3": "5;'-3", "list:\n- one\r\n- two": "list:\n'- one\r\n'- two", ";;": ";;", "a;'=1": "a;''=1",
		"'tis": "'tis", "it's; 'so": "it's; 'so",
	} {
		got := spreadsheet.Escape(field)
		if got != want {
			t.Errorf("%q became %q, want %q", field, got, want)
		}
		if back := spreadsheet.Unescape(got); back != field {
			t.Errorf("%q came back as %q", field, back)
		}
	}
}
