package profile

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReaderThatFails(t *testing.T) {
	broken := errors.New("connection reset")
	_, err := Sample(context.Background(), io.MultiReader(strings.NewReader("a,b\n"), iotest.ErrReader(broken)), Hint{URL: "https://x.example"})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "https://x.example") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Sample(ctx, strings.NewReader("a,b\n1,2\n"), Hint{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestLargeFilesAreCut(t *testing.T) {
	row := "North,12345\n"
	text := "region,value\n" + strings.Repeat(row, MaxBytes/len(row)+1000)
	for _, size := range []int64{0, 10 * MaxBytes} {
		p, err := Sample(context.Background(), strings.NewReader(text), Hint{Size: size})
		if err != nil {
			t.Fatal(err)
		}
		if !p.Truncated || p.SampledBytes != MaxBytes || len(p.SampleRecords) != MaxRows || len(p.Fields) != 2 {
			t.Errorf("%+v", p)
		}
		if size == 0 && (p.RecordCount != nil || p.DataSizeBytes != nil) {
			t.Errorf("a count without a size: %v", *p.RecordCount)
		}
		if size > 0 && (p.RecordCount == nil || !p.CountEstimated || *p.RecordCount/(size/int64(len(row))) != 1 && *p.RecordCount < size/int64(len(row))*9/10) {
			t.Errorf("no estimate: %v", p.RecordCount)
		}
	}
}

func TestPackedFiles(t *testing.T) {
	var zipped, packed bytes.Buffer
	z := zip.NewWriter(&zipped)
	for name, text := range map[string]string{"data/": "", "data/table.csv": "region,value\nNorth,1\n", "__MACOSX/x": "junk"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	g := gzip.NewWriter(&packed)
	_, _ = io.WriteString(g, "region,value\n"+strings.Repeat("North,1\n", 3*MaxBytes/8))
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"a.zip": zipped.Bytes(), "a.csv.gz": packed.Bytes()} {
		p := profiled(t, name, data)
		if p.Kind != "csv" || len(p.Fields) != 2 || p.Status != StatusOK {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if p := profiled(t, "bomb", packed.Bytes()); !p.Truncated || p.RecordCount != nil {
		t.Errorf("unpacked beyond the bound: %v", p.RecordCount)
	}
	if p := profiled(t, "cut.gz", packed.Bytes()[:packed.Len()/5]); p.Status != StatusError {
		t.Errorf("a broken gzip file: %s", p.Status)
	}
}

func TestWithheldRows(t *testing.T) {
	p := profiled(t, "x.csv", []byte("patient_id,diagnosis,date_of_birth\nP1,I21,1980-01-01\nP2,C34,1970-05-05\n"))
	if p.PersonalData.Allowed || p.SampleRecords != nil || p.Previewable || len(p.QueryExamples) > 1 || p.Fields[2].Min != "" || p.Fields[2].Distinct != nil {
		t.Errorf("%+v", p)
	}
}

func TestEmbeddedAddressesAreMasked(t *testing.T) {
	p := profiled(t, "x.csv", []byte("region,description\nNorth,\"Ask maria.p@example.gr, +30 210 1234567\"\nSouth,nothing here\n"))
	if row := string(p.SampleRecords[0]); strings.Contains(row, "maria") || strings.Contains(row, "1234567") || !strings.Contains(row, "Ask xxxx.x@xxxx.xx") {
		t.Error(row)
	}
}

func TestAPI(t *testing.T) {
	const doc = `{"openapi":"3.0.0","info":{"title":"x","version":"1"},"servers":[{"url":"/v1"}],"paths":{
"/a":{"get":{"parameters":[{"name":"q","in":"query","required":true,"schema":{"type":"string"}}],"responses":{"200":{"description":"","content":{"application/json":{"schema":{
 "allOf":[{"type":"object","properties":{"x":{"type":"number","description":"by maria@example.gr"}}},{"type":"object","properties":{"list":{"type":"array","items":{"type":"string","format":"date"}}}}]}}}}}}},
"/b":{"get":{"parameters":[{"name":"email","in":"query","example":"maria@example.gr"},{"name":"lang","in":"query","example":"el"}],"responses":{"200":{"description":""}}}}}}`
	p := profiled(t, "openapi.json", []byte(doc))
	got := strings.TrimSpace(fmt.Sprintln(len(p.Fields), p.Fields[0].Name, p.Fields[0].Type, p.Fields[1].Name, p.Fields[1].Type, p.Fields[1].Items, p.Fields[0].Description))
	if got != "2 x decimal list array date by xxxx@xxxx.xx" {
		t.Errorf("%s", got)
	}
	if len(p.QueryExamples) != 1 || p.QueryExamples[0].URL != "https://data.example.org/v1/b?lang=el" {
		t.Errorf("%+v", p.QueryExamples)
	}
}

func TestAPIsThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		`{"openapi":"3.0.0","info":{"title":"x","version":"1"},"paths":{}}`:                                                                                               "does not describe",
		`{"openapi":"3.0.0","paths":{"/a":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"http://10.0.0.1/x.json"}}}}}}}}}`: "not followed",
		`{"openapi":"3.0.0","paths":[]}`:       "cannot be read",
		`{"swagger":"2.0","paths":{"/a":1}}`:   "cannot be read",
		"swagger: \"2.0\"\npaths: {a: [b, }\n": "cannot be read",
	} {
		p := profiled(t, "openapi.json", []byte(text))
		if p.Kind != "openapi" || p.Status == StatusOK || !strings.Contains(p.ErrorMessage, want) {
			t.Errorf("%s: %s %s %q, want %q", text, p.Kind, p.Status, p.ErrorMessage, want)
		}
	}
}

func FuzzOpenAPI(f *testing.F) {
	for name, data := range files(f) {
		if strings.HasPrefix(name, "openapi") {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := profiled(t, "openapi.json", append([]byte("{\"openapi\":\"3.0.0\","), data...))
		if p.Status == StatusOK && len(p.Fields) == 0 || len(p.Fields) > maxFields {
			t.Fatalf("%s with %d fields", p.Status, len(p.Fields))
		}
		if err := describeAPI(context.Background(), data, false, &p); err == nil && len(p.Fields) == 0 {
			t.Fatal("a document without fields is no profile")
		}
	})
}

func FuzzSample(f *testing.F) {
	for _, data := range files(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := profiled(t, "x", data)
		if p.Status == "" || p.Status != StatusOK && p.ErrorMessage == "" || p.Previewable && !p.PersonalData.Allowed {
			t.Fatalf("%+v", p)
		}
	})
}

func BenchmarkSample(b *testing.B) {
	var csv, ndjson strings.Builder
	csv.WriteString("station_id,name,country,value,measured_at,comment\n")
	for i := 0; csv.Len() < MaxBytes; i++ {
		fmt.Fprintf(&csv, "S%05d,Station number %d,GR,%d.5,2024-01-%02dT10:00:00Z,nothing to say\n", i, i, i, 1+i%28)
	}
	for i := 0; ndjson.Len() < MaxBytes; i++ {
		fmt.Fprintf(&ndjson, "{\"id\":%d,\"site\":{\"name\":\"Station %d\",\"lat\":37.5,\"lon\":23.5},\"tags\":[\"a\",\"b\"],\"value\":%d.5}\n", i, i, i)
	}
	for name, text := range map[string]string{"csv": csv.String(), "ndjson": ndjson.String(), "small": stations} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for range b.N {
				if _, err := Sample(context.Background(), strings.NewReader(text), Hint{URL: "https://x.example/a"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
