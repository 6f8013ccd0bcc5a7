package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"

	"github.com/assay-register/assay/build/profile/table"
)

func read(t *testing.T, kind, text string, truncated bool) (*table.Table, error) {
	t.Helper()
	return Read(context.Background(), kind, []byte(text), Options{Truncated: truncated, Private: func(s string) bool { return strings.Contains(s, "@") },
		Known: func(s string) bool { return s == "name" }, Name: func(s string) bool { return strings.Count(s, " ") == 1 }})
}

func outline(tb *table.Table) string {
	var names []string
	for _, c := range tb.Columns {
		names = append(names, c.Name)
	}
	return fmt.Sprintf("%s: %d rows, %d counted", strings.Join(names, " "), len(tb.Rows), tb.Count)
}

func TestDetect(t *testing.T) {
	for _, c := range []struct{ data, media, name, want string }{
		{`{"a":1}`, "", "", JSON}, {`[1,2]`, "text/csv", "x.csv", JSON}, {"{\"a\":1}\n{\"a\":2}\n", "", "", NDJSON},
		{"{\n\"a\":1\n}", "", "", JSON}, {`{"openapi":"3.0.0","paths":{}}`, "", "", OpenAPI}, {`[{"openapi":"3.0.0"}]`, "", "", JSON},
		{`{"list":[{"openapi":"3.0.0"}]}`, "", "", JSON}, {"swagger: '2.0'\n", "", "", OpenAPI}, {"# a\n---\nopenapi: 3.1.0\n", "", "", OpenAPI},
		{"<?xml version='1.0'?><a/>", "", "", XML}, {"<a:b/>", "", "", XML}, {"<!doctype html><p>", "text/csv", "", "HTML"}, {"<http://x> a <y>.", "", "", "Turtle"},
		{"a,b\n1,2\n", "", "", CSV}, {"a\tb\n1\t2\n", "", "", TSV}, {"a;b\n1;2\n", "", "", CSV}, {"just words", "", "", "neither"},
		{"a\nb\nc\n", "text/csv; charset=utf-8", "", CSV}, {"x", "", "data.TSV.gz", TSV}, {"PAR1....", "", "", Parquet}, {"PK\x03\x04........xl/workbook", "", "", XLSX},
		{"PK\x03\x04zzzz", "", "", "ZIP"}, {"%PDF-1.7", "", "", "PDF"}, {"\xd0\xcf\x11\xe0", "", "", "Excel"}, {"", "", "", "empty"}, {"a.csv" + strings.Repeat("\x00", 252) + "ustar\x0000", "", "a.tar", "a tar archive"}, {"a\x00b\x01\x02,\n", "", "", "binary"},
	} {
		got, err := Detect([]byte(c.data), c.media, c.name)
		if err != nil {
			if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: %v, want %s", c.data, err, c.want)
			}
		} else if got != c.want {
			t.Errorf("%q: %s, want %s", c.data, got, c.want)
		}
	}
}

// TestCutSamples: the record that the end of the sample cut is left out, the
// rest stands.
func TestCutSamples(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{CSV, "name,b\n1,2\n3,4\n5", "name b: 2 rows, 2 counted"},
		{JSON, `[{"a":1},{"a":2},{"a":`, "a: 2 rows, 2 counted"},
		{JSON, `{"x":{"items":[{"a":1},{"a":2,"b":"thr`, "a: 1 rows, 1 counted"},
		{NDJSON, "{\"a\":1}\n{\"a\":2}\n{\"a\"", "a: 2 rows, 2 counted"},
		{GeoJSON, `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1},"geometry":null},{"type":"Fea`, "n geometry: 1 rows, 1 counted"},
		{XML, "<r><i><a>1</a></i><i><a>2</a></i><i><a>3", "a: 2 rows, 2 counted"},
	} {
		got, err := read(t, c.kind, c.text, true)
		if err != nil || outline(got) != c.want || got.Total != nil || !got.Truncated {
			t.Errorf("%s: %v %v, want %s", c.text, got, err, c.want)
		}
	}
	for _, kind := range []string{XLSX, Parquet} {
		if _, err := read(t, kind, "PK..PAR1...", true); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "at its end") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// TestBrokenFiles: errors name the place and no value.
func TestBrokenFiles(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{JSON, `[{"secret":"Maria"`, "before it is complete"},
		{JSON, `[{"secret" "Maria"}]`, "byte"},
		{JSON, strings.Repeat(`[`, 100) + strings.Repeat(`]`, 100), "deeper"},
		{NDJSON, "Maria\nAnna\n", "none of 2 lines"},
		{XML, "<a><b>Maria</a>", "line 1"},
		{XML, "<?xml version='1.0' encoding='x-unknown'?><a/>", "encoding"},
		{XML, strings.Repeat("<a>", 200), "nested"},
		{XLSX, "PK\x03\x04Maria", "cannot be opened"},
		{Parquet, "PAR1Maria", "no footer"},
		{Parquet, "PAR1MariaMariaMaria\x04\x00\x00\x00PAR1", "footer"},
		{"dbf", "", "no reader"},
	} {
		_, err := read(t, c.kind, c.text, false)
		if err == nil || strings.Contains(err.Error(), "Maria") {
			t.Errorf("%s %q: %v", c.kind, c.text[:min(len(c.text), 40)], err)
		} else if !strings.Contains(err.Error(), c.want) && !strings.Contains(err.Error(), "well-formed") {
			t.Errorf("%s: %v, want %s", c.kind, err, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	limits := table.Limits{Rows: 3, Columns: 2, Cells: 1000, Cell: 5, Name: 4}
	got, err := Read(context.Background(), CSV, []byte("header_a,header_b,c\nlong long text,2,3\n1,2,3\n1,2,3\n1,2,3\n1,2,3\n"), Options{Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	if outline(got) != "head head_2: 2 rows, 5 counted" || got.Rows[0][0].Text != "long" && got.Rows[0][0].Text != "long " {
		t.Errorf("%s %q", outline(got), got.Rows[0][0].Text)
	}
	many := "[" + strings.Repeat("[],", maxNodes+10) + "[]]"
	if got, err := read(t, JSON, many, false); err != nil || !got.Truncated {
		t.Errorf("%v %v", got, err)
	}
}

func TestContextEndsReading(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for kind, text := range map[string]string{CSV: "a,b\n" + strings.Repeat("1,2\n", 5000), JSON: "[" + strings.Repeat("1,", 9000) + "1]", XML: "<a>" + strings.Repeat("<b>1</b>", 9000) + "</a>"} {
		if _, err := Read(ctx, kind, []byte(text), Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestPrivateTextsAreNoNames(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{CSV, "a@b.gr,x\nc@d.gr,y\n", "column_1 column_2: 2 rows, 2 counted"},
		{CSV, "Maria Mu,x\nAnna Nu,y\n", "column_1 column_2: 2 rows, 2 counted"},
		{JSON, `[{"a@b.gr":1},{"c@d.gr":2}]`, "*: 2 rows, 2 counted"},
		{JSON, `{"a@b.gr":{"n":1},"b@b.gr":{"n":1},"c@b.gr":{"n":1}}`, "key n: 3 rows, 3 counted"},
	} {
		got, err := read(t, c.kind, c.text, false)
		if err != nil || outline(got) != c.want {
			t.Errorf("%s: %v %v, want %s", c.text, got, err, c.want)
		}
	}
}

func TestEncodings(t *testing.T) {
	for _, c := range []struct {
		text string
		page *charmap.Charmap
		lang string
		want string
	}{
		{"Straße;Größe;Zürich;Fußgänger;Bäckerei\n", charmap.Windows1252, "", "windows-1252"},
		{"Crème brûlée;forêt;où;français;été;élève\n", charmap.ISO8859_1, "", "windows-1252"},
		{"Województwo łódzkie;Częstochowa;Gdańsk;źródło;święto\n", charmap.Windows1250, "", "windows-1250"},
		{"Žďár nad Sázavou;Česká Třebová;příliš žluťoučký kůň\n", charmap.ISO8859_2, "cs", "iso-8859-2"},
		{"Δήμος Αθηναίων;Θεσσαλονίκη;Άργος\n", charmap.ISO8859_7, "", "iso-8859-7"},
		{"Столична община;Пловдив;Варна;население\n", charmap.Windows1251, "", "windows-1251"},
		{"Столична община;Пловдив;Варна;население\n", charmap.ISO8859_5, "", "iso-8859-5"},
		{"İstanbul;Şişli;Beyoğlu;Üsküdar\n", charmap.Windows1254, "tr", "windows-1254"},
	} {
		raw, err := c.page.NewEncoder().Bytes([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		got, name := decode(bytes.Repeat(raw, 3), &Options{Language: c.lang})
		if name != c.want || !strings.HasPrefix(string(got), c.text) {
			t.Errorf("%s is read as %s: %s", c.want, name, got[:min(len(got), 60)])
		}
	}
	if _, name := decode([]byte("caf\xe9"), &Options{Charset: "ISO-8859-2"}); name != "iso-8859-2" {
		t.Errorf("the declared encoding is not used: %s", name)
	}
	if text, name := decode([]byte("caf\xc3"), &Options{Truncated: true}); name != "utf-8" || string(text) != "caf" {
		t.Errorf("a cut character: %s %q", name, text)
	}
}

// TestHostileFilesEnd is a guard against time that grows with the square.
func TestHostileFilesEnd(t *testing.T) {
	start := time.Now()
	for kind, text := range map[string]string{
		CSV:    strings.Repeat("\"", 5<<20),
		TSV:    strings.Repeat("\t", 5<<20),
		JSON:   "[" + strings.Repeat(`{"a":`, 60) + strings.Repeat(`[1,`, 1<<20),
		NDJSON: strings.Repeat("{}\n", 1<<20),
		XML:    "<a>" + strings.Repeat("<b c='1'/>", 400_000) + "</a>",
	} {
		_, _ = Read(context.Background(), kind, []byte(text), Options{Truncated: true})
	}
	var wide strings.Builder
	wide.WriteString("<a>")
	for i := range 40_000 {
		fmt.Fprintf(&wide, "<b%d x='1'/>", i)
	}
	_, _ = Read(context.Background(), XML, []byte(wide.String()), Options{Truncated: true})
	if d := time.Since(start); d > 40*time.Second {
		t.Errorf("took %s", d)
	}
}
