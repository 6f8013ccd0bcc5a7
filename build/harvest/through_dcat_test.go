package harvest_test

import (
	"bytes"
	"compress/gzip"
	"context"
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

// BenchmarkThroughputDCAT harvests a part of a national catalogue, in Turtle,
// into SQLite.
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
		in := source.Input{Name: "catalogue.ttl", Source: catalog.Source{ID: harvest.SourceID("dcat"), Kind: "dcat", Title: "dcat", URL: "https://data.gov.be/", Official: "captured"},
			Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file)), nil }}
		b.StartTimer()
		r, err := harvest.Run(ctx, st, harvest.Connectors()["dcat"], in, harvest.Options{Now: sourcetest.Now})
		if err != nil || r.In == 0 {
			b.Fatalf("%v: %s", err, brief(&r))
		}
		taken += r.In
		b.StopTimer()
		_ = st.Close()
		b.StartTimer()
	}
	b.ReportMetric(float64(taken)/b.Elapsed().Seconds(), "datasets/s")
}
