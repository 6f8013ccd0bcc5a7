package pages

import (
	"sync/atomic"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/rendertest"
)

// BenchmarkEntry renders whole pages of the fixture's fullest entry, on as many
// cores as there are; pages/s must stay above 4,000 on two.
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
			body, err := k.entryFragment(s)
			if err != nil {
				b.Error(err)
				return
			}
			fragment := artifact.Fragment{Body: body, Pooled: true}
			body, err = snapshotView.entry(fragment.Body, ordinal)
			if err != nil {
				b.Error(err)
				return
			}
			size.Store(int64(len(body)))
			file := page("", body)
			fragment.Free()
			file.Free()
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(float64(size.Load()), "B/page")
}
