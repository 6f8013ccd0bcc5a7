package dump

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/export/exporttest"
	"github.com/assay-register/assay/render/snapshot"
)

// BenchmarkDumps is what a build spends on each dump of 20,000 entries.
func BenchmarkDumps(b *testing.B) {
	c := exporttest.Freeze(b, exporttest.Many(20_000))
	for _, d := range []struct {
		name  string
		write func(context.Context, *snapshot.Catalog, string) error
	}{
		{"sqlite", func(ctx context.Context, c *snapshot.Catalog, path string) error {
			return writeSQLite(ctx, c, path, export.FullRows(c))
		}},
		{"parquet", func(ctx context.Context, c *snapshot.Catalog, path string) error {
			f, err := os.Create(path)
			if err != nil {
				return err
			}
			return errors.Join(tableOf(ctx, f, export.FullRows(c), meta(c)), f.Close())
		}},
	} {
		b.Run(d.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), d.name)
			b.ReportAllocs()
			for b.Loop() {
				must(b, d.write(context.Background(), c, path))
				must(b, os.Remove(path))
			}
			b.ReportMetric(float64(b.N*len(c.Lines))/b.Elapsed().Seconds(), "entries/s")
		})
	}
}
