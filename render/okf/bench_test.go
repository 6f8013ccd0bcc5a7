package okf

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// many are n entries like the first of rows.
func many(n int) []*catalog.Row {
	list := make([]*catalog.Row, n)
	for i := range list {
		r := rows()[0]
		r.Entry.Slug = fmt.Sprintf("register-%x-%d", uint32(i)*2654435761, i)
		r.Entry.ID = catalog.NewID("entry", r.Entry.Slug)
		list[i] = r
	}
	return list
}

func BenchmarkFragments(b *testing.B) {
	r := rows()[0]
	s := freezeFrame(noon).Score(r, search.Fold(r.Entry.Name))
	b.ReportAllocs()
	for b.Loop() {
		fragments, err := Fragments(s)
		if err != nil {
			b.Fatal(err)
		}
		for i := range fragments {
			fragments[i].Free()
		}
	}
}

// BenchmarkLinked is what a build spends on the page of one concept.
func BenchmarkLinked(b *testing.B) {
	c := freeze(b, noon, many(100)...)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		files, err := Related(c, i%len(c.Lines))
		if err != nil {
			b.Fatal(err)
		}
		files[0].Free()
	}
}

// BenchmarkWhole renders indexes, log, archive and summary, and reports the
// highest heap while the archive is written, above what the snapshot takes.
func BenchmarkWhole(b *testing.B) {
	for _, n := range []int{2_000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c := freeze(b, noon, many(n)...)
			// The fragments lie in memory here, on disk in a build: without this
			// the collector would let as much garbage stand as they take.
			defer debug.SetGCPercent(debug.SetGCPercent(5))
			runtime.GC()
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			w := &watch{}
			for b.Loop() {
				err := Aggregates(c, func(f artifact.File) error {
					if f.Stream != nil {
						return f.Stream(w)
					}
					f.Free()
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(w.peak-min(w.peak, before.HeapAlloc))/(1<<20), "MiB-peak")
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "concepts/s")
		})
	}
}

// watch discards and samples the heap.
type watch struct {
	n    int
	peak uint64
}

// Write implements io.Writer.
func (w *watch) Write(p []byte) (int, error) {
	if w.n++; w.n%64 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		w.peak = max(w.peak, m.HeapAlloc)
	}
	return io.Discard.Write(p)
}
