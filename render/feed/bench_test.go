package feed

import (
	"fmt"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
)

// many are n entries.
func many(n int) []*catalog.Row {
	list := make([]*catalog.Row, n)
	for i := range list {
		list[i] = entry(fmt.Sprintf("entry-%d", i), i%1000)
	}
	return list
}

func BenchmarkFragments(b *testing.B) {
	r := rows()[0]
	s := snapshot.NewFrame(site, noon, institutions, nil, nil).Score(r, search.Fold(r.Entry.Name))
	b.ReportAllocs()
	for b.Loop() {
		fragments, err := Fragments(s)
		if err != nil {
			b.Fatal(err)
		}
		fragments[0].Free()
	}
}

// BenchmarkLinked is what a build spends on the feed of one entry.
func BenchmarkLinked(b *testing.B) {
	c := freeze(b, many(100)...)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		files, err := Related(c, i%len(c.Lines))
		if err != nil {
			b.Fatal(err)
		}
		files[0].Free()
	}
}

// BenchmarkWhole is what a build spends on the feeds of new entries.
func BenchmarkWhole(b *testing.B) {
	c := freeze(b, many(1000)...)
	b.ReportAllocs()
	for b.Loop() {
		err := Aggregates(c, func(f artifact.File) error {
			f, err := f.Made()
			f.Free()
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
