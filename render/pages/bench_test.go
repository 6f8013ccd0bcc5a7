package pages

import (
	"sync/atomic"
	"testing"

	"github.com/assay-register/assay/render/rendertest"
)

// BenchmarkEntry renders the pages of the fixture's fullest entry in every language, on as
// many cores as there are; entries/s must stay above 4,000 on two.
func BenchmarkEntry(b *testing.B) {
	p := New()
	c := withFragments(b, p, rendertest.Catalog(b), rendertest.Scored())
	s := rendertest.Find(b, rendertest.WeatherAPI)
	ordinal := c.ByID(s.Entry().ID)
	var size atomic.Int64
	k, snapshotView := p.renderer(c.Site), p.bookOf(c)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			list, err := k.entryFragments(s)
			if err != nil {
				b.Error(err)
				return
			}
			add := snapshotView.entryFills(ordinal)
			for i, lang := range languages {
				body, err := snapshotView.entry(list[i].Body, lang, s.Entry().ID, &add)
				if err != nil {
					b.Error(err)
					return
				}
				size.Store(int64(len(body)))
				file := page("", body)
				list[i].Free()
				file.Free()
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	b.ReportMetric(float64(size.Load()), "B/page")
}
