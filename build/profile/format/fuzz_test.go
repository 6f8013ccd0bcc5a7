package format

import (
	"bytes"
	"context"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"github.com/assay-register/assay/build/profile/table"
)

// fuzz feeds one reader: whatever the bytes, there is a table whose rows are as
// wide as its columns, or an error.
func fuzz(f *testing.F, kind string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s), false)
		f.Add([]byte(s[:len(s)*2/3]), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, truncated bool) {
		got, err := Read(context.Background(), kind, data, Options{Truncated: truncated})
		if (got == nil) == (err == nil) {
			t.Fatalf("table %v, error %v", got, err)
		}
		if err != nil {
			return
		}
		if len(got.Columns) > table.DefaultLimits.Columns || got.Count < int64(len(got.Rows)) || got.Total != nil && *got.Total < 0 {
			t.Fatalf("%d columns, %d rows, %d counted", len(got.Columns), len(got.Rows), got.Count)
		}
		seen := map[string]bool{}
		for _, c := range got.Columns {
			if seen[c.Name] || c.Name == "" && kind == CSV || len(c.Name) > table.DefaultLimits.Name+20 {
				t.Fatalf("the name %q", c.Name)
			}
			seen[c.Name] = true
		}
		for _, row := range got.Rows {
			if len(row) != len(got.Columns) {
				t.Fatalf("a row of %d cells in %d columns", len(row), len(got.Columns))
			}
		}
	})
}

func FuzzCSV(f *testing.F) {
	fuzz(f, CSV, "a,b\n1,2\n3,4\n", "sep=;\na;b\n1;2\n", "'a','b'\n'1','2'\n'3','4'\n", "title\n\nx\ty\n1\t2\n", "\xff\xfea\x00,\x00b\x00\n\x00")
}

func FuzzJSON(f *testing.F) {
	fuzz(f, JSON, `[{"a":1,"b":{"c":[1,{"d":null}]}}]`, `{"x":{"y":[[1,2],[3,4]]}}`, `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"a":"b"}}]}`)
}

func FuzzNDJSON(f *testing.F) {
	fuzz(f, NDJSON, "{\"a\":1}\n{\"a\":2}\n", "\x1e{\"a\":{\"b\":[]}}\nx\n")
}

func FuzzXML(f *testing.F) {
	fuzz(f, XML, "<?xml version=\"1.0\"?><r><i a='1'><b>2</b></i><i><b>3</b>t</i></r>", "<rss><channel><item><t>1</t></item></channel></rss>")
}

func FuzzXLSX(f *testing.F) {
	book := excelize.NewFile()
	for at, v := range map[string]any{"A1": "a", "B1": "b", "A2": 1, "B2": true, "A3": 2.5, "B3": false} {
		if err := book.SetCellValue("Sheet1", at, v); err != nil {
			f.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := book.Write(&b); err != nil {
		f.Fatal(err)
	}
	fuzz(f, XLSX, b.String())
}

func FuzzParquet(f *testing.F) {
	type row struct {
		A string   `parquet:"a,zstd"`
		B int64    `parquet:"b,snappy"`
		C *float64 `parquet:"c,optional"`
		D []int32  `parquet:"d,list"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	if _, err := w.Write([]row{{A: "x", B: 1, D: []int32{1, 2}}, {A: "y", B: 2}}); err != nil {
		f.Fatal(err)
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	fuzz(f, Parquet, b.String())
}

func FuzzDetect(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", `{"openapi":"3.0"}`, "<a/>", "PK\x03\x04", "openapi: 3.1.0\n"} {
		f.Add([]byte(s), "text/csv", "x.csv")
	}
	f.Fuzz(func(t *testing.T, data []byte, media, name string) {
		if kind, err := Detect(data, media, name); (kind == "") == (err == nil) {
			t.Fatalf("kind %q, error %v", kind, err)
		}
	})
}
