package snapshot

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// usual are lines such as a large register has: a few common tags each, some
// rare ones, many of one institution.
func usual(n int) []Line {
	r := rand.New(rand.NewPCG(1, 2))
	types, countries := catalog.EntryTypes(), []string{"DE", "FR", "GR", "IT", "PL"}
	lines := make([]Line, n)
	for i := range lines {
		l := Line{Traits: &Traits{Type: types[r.IntN(len(types))], Status: catalog.StatusActive, State: catalog.StateVerified, Country: countries[r.IntN(len(countries))], InstitutionID: fmt.Sprint("institution ", r.IntN(800)), Host: fmt.Sprintf("host-%d.example", r.IntN(300)), Formats: []string{"CSV", "JSON"}}, ID: id(i), Slug: fmt.Sprint("entry-", i), Name: fmt.Sprint("Air quality measurements of station ", i), Digest: fmt.Sprint(i)}
		for range 4 {
			l.Tags = append(l.Tags, fmt.Sprint("topic ", r.IntN(100)), fmt.Sprint("place ", r.IntN(9000)))
		}
		slices.Sort(l.Tags)
		l.Tags = slices.Compact(l.Tags)
		lines[i] = l
	}
	slices.SortFunc(lines, func(a, b Line) int { return strings.Compare(a.ID, b.ID) })
	return lines
}

func draft(b *testing.B, lines []Line) *Catalog {
	d := NewDraft(newFrame())
	d.Grow(len(lines))
	for i := range lines {
		must(b, d.Add(lines[i], nil))
	}
	return d.Finish(nil)
}

func BenchmarkDraft(b *testing.B) {
	lines := usual(10_000)
	b.ReportAllocs()
	for b.Loop() {
		draft(b, lines)
	}
}

func BenchmarkPostings(b *testing.B) {
	c := draft(b, usual(10_000))
	b.ReportAllocs()
	for b.Loop() {
		(&Catalog{Lines: c.Lines, Order: c.Order}).postings()
	}
}

func BenchmarkNear(b *testing.B) {
	c := draft(b, usual(10_000))
	c.postings()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.near(i * 7919 % len(c.Lines))
	}
}

// BenchmarkCollection is what the collector takes for a catalog that lives.
func BenchmarkCollection(b *testing.B) {
	c := draft(b, usual(100_000))
	c.postings()
	for b.Loop() {
		runtime.GC()
	}
	runtime.KeepAlive(c)
}
