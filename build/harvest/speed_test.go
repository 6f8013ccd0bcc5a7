package harvest_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// BenchmarkRun measures records of 3 kB per second, new and unchanged.
func BenchmarkRun(b *testing.B) {
	const records = 5000
	ctx := context.Background()
	src := catalog.Source{ID: harvest.SourceID("b"), Kind: "test", Title: "B", Official: "by law", CreatedAt: sourcetest.Now, UpdatedAt: sourcetest.Now}
	var list drafts
	for i := range records {
		d := draft(fmt.Sprintf("h:k:%d", i), fmt.Sprintf("Service %d", i), fmt.Sprintf("%s/%d", tides, i))
		d.Entry.Description = strings.Repeat("official open data of a public body, ", 60)
		list = append(list, d)
	}
	st, err := sqlite.Open(ctx, filepath.Join(b.TempDir(), "assay.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	run := func(b *testing.B, st catalog.Store) {
		if _, err := harvest.Run(ctx, st, list, source.Input{Name: "x", Source: src}, harvest.Options{Now: sourcetest.Now}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			fresh, err := sqlite.Open(ctx, filepath.Join(b.TempDir(), "a.db"))
			if err != nil {
				b.Fatal(err)
			}
			run(b, fresh)
			_ = fresh.Close()
		}
		b.ReportMetric(float64(records)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	})
	run(b, st)
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			run(b, st)
		}
		b.ReportMetric(float64(records)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	})
}
