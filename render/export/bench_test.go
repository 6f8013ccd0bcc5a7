package export_test

import (
	"io"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/export/exporttest"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/search"
)

// BenchmarkFragments is what a build spends on an entry.
func BenchmarkFragments(b *testing.B) {
	row := exporttest.Row(1)
	s := rendertest.Frame().Score(row, search.Fold(row.Entry.Name))
	b.ReportAllocs()
	for b.Loop() {
		fragments, err := export.Fragments(s)
		if err != nil {
			b.Fatal(err)
		}
		for i := range fragments {
			fragments[i].Free()
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}

// BenchmarkWhole is what a build spends on each document of 20,000 entries.
func BenchmarkWhole(b *testing.B) {
	c := exporttest.Freeze(b, exporttest.Many(20_000))
	err := export.Aggregates(c, func(f artifact.File) error {
		b.Run(f.Route, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := f.Stream(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(c.Lines))/b.Elapsed().Seconds(), "entries/s")
		})
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
