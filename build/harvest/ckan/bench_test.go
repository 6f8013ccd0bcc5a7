package ckan

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

func BenchmarkMapping(b *testing.B) {
	data, err := os.ReadFile(sourcetest.Shared(b, "data/ckan/depositar_packages.jsonl.gz"))
	if err != nil {
		b.Fatal(err)
	}
	in := feedtest.File("in", nil, portal)
	m := mapper{in: &in, base: portal}
	var records []record
	lines := bytes.Split(bytes.TrimSpace(feedtest.Unzip(b, data)), []byte{'\n'})
	for _, line := range lines {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			b.Fatal(err)
		}
		records = append(records, r)
	}
	for i := 0; b.Loop(); i++ {
		m.draft(&records[i%len(records)], "in:1", portal)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkRun(b *testing.B) {
	data, err := os.ReadFile(sourcetest.Shared(b, "data/ckan/depositar_packages.jsonl.gz"))
	if err != nil {
		b.Fatal(err)
	}
	plain := feedtest.Unzip(b, data)
	b.SetBytes(int64(len(plain)))
	n := 0
	for b.Loop() {
		err := Connector{}.Run(b.Context(), feedtest.File("in", plain, portal), func(source.Draft) error { n++; return nil }, func(source.Rejection) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "records/s")
}
