package harvest_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// BenchmarkThroughput measures records per second from the file of a publisher
// to the committed entry in SQLite, each of them new. The files are real ones,
// repeated under other names.
func BenchmarkThroughput(b *testing.B) {
	const copies = 8
	for _, x := range []struct{ kind, path string }{
		{"ckan", "data/ckan/depositar_packages.jsonl.gz"},
		{"datajson", "data/datajson/us-federal/energy.data.json.gz"},
	} {
		b.Run(x.kind, func(b *testing.B) {
			records := unpack(b, sourcetest.Shared(b, x.path), x.kind)
			through(b, x.kind, repeat(b, records, x.kind, copies), len(records)*copies)
		})
	}
}

// BenchmarkThroughputDCAT measures datasets per second of a part of a national
// catalogue, in Turtle.
func BenchmarkThroughputDCAT(b *testing.B) {
	f, err := os.Open(sourcetest.Shared(b, "data/dcat-large/belgium-part-2025-04.ttl.gz"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	file, err := io.ReadAll(z)
	if err != nil {
		b.Fatal(err)
	}
	through(b, "dcat", file, 1000)
}

// through harvests a file of at least so many records into new stores.
func through(b *testing.B, kind string, file []byte, least int) {
	taken := 0
	for b.Loop() {
		b.StopTimer()
		ctx := context.Background()
		st, err := sqlite.Open(ctx, filepath.Join(b.TempDir(), "a.db"))
		if err != nil {
			b.Fatal(err)
		}
		if err := harvest.LoadReference(ctx, st, sourcetest.Now); err != nil {
			b.Fatal(err)
		}
		in := source.Input{Name: "capture", Source: catalog.Source{ID: harvest.SourceID(kind), Kind: kind, Title: kind,
			URL: "https://portal.example/", Official: "captured"}, Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(file)), nil
		}}
		b.StartTimer()
		r, err := harvest.Run(ctx, st, harvest.Connectors()[kind], in, harvest.Options{Now: sourcetest.Now})
		if err != nil || r.In < least || r.Created*2 < r.In {
			b.Fatalf("%v: %s", err, brief(&r))
		}
		taken += r.In
		b.StopTimer()
		_ = st.Close()
		b.StartTimer()
	}
	b.ReportMetric(float64(taken)/b.Elapsed().Seconds(), "records/s")
}

// unpack reads the records of a capture.
func unpack(b *testing.B, path, kind string) []map[string]any {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	var records []map[string]any
	if kind == "datajson" {
		var all struct {
			Dataset []map[string]any `json:"dataset"`
		}
		if err := json.NewDecoder(z).Decode(&all); err != nil {
			b.Fatal(err)
		}
		return all.Dataset
	}
	for lines := bufio.NewReaderSize(z, 1<<20); ; {
		line, err := lines.ReadBytes('\n')
		var r map[string]any
		if len(line) > 0 && json.Unmarshal(line, &r) == nil {
			records = append(records, r)
		}
		if err != nil {
			return records
		}
	}
}

// repeat writes the records several times, each time under other names.
func repeat(b *testing.B, records []map[string]any, kind string, copies int) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	if kind == "datajson" {
		out.WriteString(`{"conformsTo":"https://project-open-data.cio.gov/v1.1/schema","dataset":[`)
	}
	for n := range copies {
		for i, r := range records {
			for _, field := range []string{"id", "name", "title", "identifier"} {
				if s, ok := r[field].(string); ok {
					r[field] = fmt.Sprintf("%s-%d", s, n)
				}
			}
			if kind == "datajson" && n+i > 0 {
				out.WriteByte(',')
			}
			if err := enc.Encode(r); err != nil {
				b.Fatal(err)
			}
		}
	}
	if kind == "datajson" {
		out.WriteString(`]}`)
	}
	return out.Bytes()
}
