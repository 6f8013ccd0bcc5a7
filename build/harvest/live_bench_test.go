package harvest_test

import (
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// BenchmarkLive measures records per second of a live source in pages of
// 1,000, each stored with its cursor and all that the run has met.
func BenchmarkLive(b *testing.B) {
	const pages, size = 20, 1000
	p := newPortal(b, pages, size)
	src := catalog.Source{ID: harvest.SourceID("b"), Kind: "test", Title: "B", URL: p.URL + "/api", Official: "by law", CreatedAt: sourcetest.Now, UpdatedAt: sourcetest.Now}
	for b.Loop() {
		st, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "a.db"))
		if err != nil {
			b.Fatal(err)
		}
		r, err := harvest.Run(b.Context(), st, paged{}, source.Input{Source: src}, harvest.Options{Now: sourcetest.Now, Complete: true,
			Fetcher: fetch.New(fetch.Options{Client: http.DefaultClient, Gap: time.Microsecond})})
		if err != nil || r.In != pages*size {
			b.Fatal(r.Summary(), err)
		}
		_ = st.Close()
	}
	b.ReportMetric(float64(pages*size)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
