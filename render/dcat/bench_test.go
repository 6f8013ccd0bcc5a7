package dcat

import (
	"fmt"
	"io"
	"strconv"
	"syscall"
	"testing"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// synthetic is the n-th entry of a large register: rich, of each type, with
// addresses of its own.
func synthetic(n int) catalog.Row {
	row := richDataset(n)
	e := &row.Entry
	e.ID, e.Slug = catalog.NewID("bench", strconv.Itoa(n)), "entry-"+strconv.Itoa(n)
	e.Name += " " + strconv.Itoa(n)
	e.HomepageURL, e.DocsURL = fmt.Sprintf("https://data.example.fr/%d", n), fmt.Sprintf("https://data.example.fr/%d/doc", n)
	row.Profile = nil
	if n%4 == 3 {
		e.Type, e.Dataset, e.Formats = catalog.TypeAPI, nil, []string{"JSON", "XML"}
		e.API = &catalog.APIDetails{BaseURL: fmt.Sprintf("https://api.example.fr/%d/", n), OpenAPIURL: "https://api.example.fr/openapi.json", SpecFormat: "openapi"}
		e.Members = []catalog.Member{{EntryID: catalog.NewID("bench", strconv.Itoa(n-1))}}
		return row
	}
	for i := range e.Dataset.Distributions {
		d := &e.Dataset.Distributions[i]
		if d.DownloadURL != "" {
			d.DownloadURL += fmt.Sprintf("&n=%d.%d", n, i)
		}
	}
	return row
}

// scored are n judged entries, so that a benchmark measures no scoring.
func scored(n int) []*snapshot.Scored {
	frame := snapshot.NewFrame(site, now, institutions, licences, nil)
	list := make([]*snapshot.Scored, n)
	for i := range list {
		row := synthetic(i)
		list[i] = frame.Score(&row, row.Entry.Name)
	}
	return list
}

// count is how many statements a graph has.
func (g *graph) count() int {
	n := 0
	for _, node := range g.nodes {
		for _, p := range node.properties {
			n += len(p.values)
		}
	}
	return n
}

// processorTime is what this process has used, in seconds: on a shared machine
// the clock measures the neighbours.
func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func report(b *testing.B, statements int, used float64) {
	b.ReportMetric(float64(statements)/b.Elapsed().Seconds(), "triples/s")
	b.ReportMetric(float64(statements)/(processorTime()-used), "triples/cpu-s")
}

// benchmarkForm measures the way from terms to bytes.
func benchmarkForm(b *testing.B, f *form) {
	list := scored(1000)
	graphs, statements := make([]*graph, len(list)), 0
	for i, s := range list {
		graphs[i] = &graph{}
		graphs[i].entry(s)
		statements += graphs[i].count()
	}
	w := f.open(io.Discard, site.BaseURL)
	b.ReportAllocs()
	used := processorTime()
	for b.Loop() {
		for _, g := range graphs {
			g.write(w)
			w.rest()
		}
	}
	report(b, statements*b.N, used)
}

func BenchmarkTurtle(b *testing.B) { benchmarkForm(b, turtleForm) }
func BenchmarkJSONLD(b *testing.B) { benchmarkForm(b, jsonldForm) }

// benchmarkMapped measures the way from entries to bytes in one form.
func benchmarkMapped(b *testing.B, f *form) {
	list := scored(1000)
	w := f.open(io.Discard, site.BaseURL)
	statements := 0
	b.ReportAllocs()
	used := processorTime()
	for b.Loop() {
		for _, s := range list {
			g := newGraph()
			g.entry(s)
			statements += g.count()
			g.write(w)
			w.rest()
			g.release()
		}
	}
	report(b, statements, used)
}

func BenchmarkTurtleFromEntries(b *testing.B) { benchmarkMapped(b, turtleForm) }
func BenchmarkJSONLDFromEntries(b *testing.B) { benchmarkMapped(b, jsonldForm) }

// BenchmarkFragments makes what an entry adds to the documents.
func BenchmarkFragments(b *testing.B) {
	r, list := New(Options{}), scored(1000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		fragments, err := r.Fragments(list[i%len(list)])
		if err != nil {
			b.Fatal(err)
		}
		for i := range fragments {
			fragments[i].Free()
		}
	}
}

// BenchmarkLinked makes the documents of an entry.
func BenchmarkLinked(b *testing.B) {
	r := New(Options{})
	c := freezeOnDisk(b, r, 1000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		files, err := r.Related(c, i%len(c.Lines))
		if err != nil {
			b.Fatal(err)
		}
		for i := range files {
			files[i].Free()
		}
	}
}

// BenchmarkPinned makes a full page.
func BenchmarkPinned(b *testing.B) {
	r := New(Options{})
	c := freezeOnDisk(b, r, PageSize)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f, err := r.SnapshotPage(c, 1+i%len(pageForms))
		if err != nil {
			b.Fatal(err)
		}
		f.Free()
	}
}
