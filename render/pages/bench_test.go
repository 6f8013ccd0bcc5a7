package pages

import (
	"testing"

	"github.com/assay-register/assay/render/rendertest"
)

// BenchmarkEntry renders whole pages of the fixture's fullest entry, on as many
// cores as there are; pages/s must stay above 4,000 on two.
func BenchmarkEntry(b *testing.B) {
	p := New()
	c := withPieces(b, p, rendertest.Catalog(b), rendertest.Scored())
	s := rendertest.Find(b, rendertest.WeatherAPI)
	ordinal, size := c.ByID(s.Entry().ID), 0
	k, book := p.kit(c.Site), p.bookOf(c)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			piece, err := k.entryPiece(s)
			if err != nil {
				b.Error(err)
				return
			}
			body, err := book.entry(piece, ordinal)
			if err != nil {
				b.Error(err)
				return
			}
			size = len(body)
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(float64(size), "B/page")
}
