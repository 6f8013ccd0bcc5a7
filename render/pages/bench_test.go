package pages

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
)

// BenchmarkEntry renders the pages of entries in every language, on as many cores as there are: of the fixture's fullest entry,
// whose lists are cut until its pages fit, and of all of its entries by turns; entries/s must stay above 4,000 on two.
// x-least is how many times longer it takes than to escape the bytes of the pages once.
func BenchmarkEntry(b *testing.B) {
	p := New()
	c := withFragments(b, p, rendertest.Catalog(b), rendertest.Scored())
	for name, list := range map[string][]*snapshot.Scored{"fullest": {rendertest.Find(b, rendertest.WeatherAPI)}, "all": rendertest.Scored()} {
		b.Run(name, func(b *testing.B) { renderEntries(b, p, c, list) })
	}
}

func renderEntries(b *testing.B, p *Pages, c *snapshot.Catalog, scored []*snapshot.Scored) {
	var size, next atomic.Int64
	k, snapshotView := p.renderer(c.Site), p.bookOf(c)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			s := scored[int(next.Add(1))%len(scored)]
			list, err := k.entryFragments(s)
			if err != nil {
				b.Error(err)
				return
			}
			add := snapshotView.entryFills(c.ByID(s.Entry().ID), 0)
			for i, lang := range languages {
				body, err := snapshotView.entry(list[i].Body, lang, add)
				if err != nil {
					b.Error(err)
					return
				}
				size.Add(int64(len(body)))
				file := page("", body)
				list[i].Free()
				file.Free()
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	b.ReportMetric(float64(size.Load())/float64(b.N*len(languages)), "B/page")
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(leastOf(b, k, scored)), "x-least")
}

// leastOf is the time that the pages of an entry take at least on two cores: their bytes pass once through what escapes them.
func leastOf(b *testing.B, k *renderer, scored []*snapshot.Scored) time.Duration {
	const rounds = 500
	room := make([]byte, 0, 1<<18)
	var took time.Duration
	for _, s := range scored {
		list, err := k.entryFragments(s)
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		for range rounds {
			room = room[:0]
			for i := range list {
				room = appendEscaped(room, string(list[i].Body))
			}
		}
		took += time.Since(began)
	}
	return took / rounds / 2 / time.Duration(len(scored))
}
