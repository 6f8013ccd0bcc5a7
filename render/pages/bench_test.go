package pages

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
)

// BenchmarkEntry renders the pages of the fixture's fullest entry in every language, on as
// many cores as there are; entries/s must stay above 4,000 on two. x-least is how many times longer it takes than to
// escape the bytes of the pages once.
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
			add := snapshotView.entryFills(ordinal, 0)
			for i, lang := range languages {
				body, err := snapshotView.entry(list[i].Body, lang, add)
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
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(leastOf(b, k, s)), "x-least")
}

// leastOf is the time that the pages of an entry take at least on two cores: their bytes pass once through what escapes them.
func leastOf(b *testing.B, k *renderer, s *snapshot.Scored) time.Duration {
	list, err := k.entryFragments(s)
	if err != nil {
		b.Fatal(err)
	}
	const rounds = 500
	room, began := make([]byte, 0, 1<<18), time.Now()
	for range rounds {
		room = room[:0]
		for i := range list {
			room = appendEscaped(room, string(list[i].Body))
		}
	}
	return time.Since(began) / rounds / 2
}
