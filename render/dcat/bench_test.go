package dcat

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

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

// freezeOnDisk does what a build does with n synthetic entries, with the
// pieces in files.
func freezeOnDisk(t testing.TB, r *Renderer, n int) *snapshot.Catalog {
	t.Helper()
	dir := t.TempDir()
	frame := snapshot.NewFrame(site, now, institutions, licences, nil)
	draft := snapshot.NewDraft(frame)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	ids := make([]string, n)
	for i := range ids {
		ids[i] = catalog.NewID("bench", strconv.Itoa(i))
	}
	slices.SortFunc(order, func(a, b int) int {
		if ids[a] < ids[b] {
			return -1
		}
		return 1
	})
	out, at, streams := map[string]*bufio.Writer{}, map[string]int64{}, map[string]*snapshot.Stream{}
	for _, name := range []string{turtleForm.stream, jsonldForm.stream, streamQuality, streamRefs} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		out[name], streams[name] = bufio.NewWriterSize(f, 1<<16), &snapshot.Stream{Data: f}
	}
	for _, i := range order {
		row := synthetic(i)
		s := frame.Score(&row, row.Entry.Name)
		pieces, err := r.Pieces(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pieces {
			out[p.Stream].Write(p.Body)
			at[p.Stream] += int64(len(p.Body))
		}
		for name, stream := range streams {
			stream.Ends = append(stream.Ends, at[name])
		}
		if err := draft.Add(snapshot.NewLine(s, row.Entry.Name), nil); err != nil {
			t.Fatal(err)
		}
	}
	c := draft.Finish(nil)
	for name, w := range out {
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		c.Streams[name] = streams[name]
	}
	return c
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

// benchmarkForm measures the way from terms to bytes.
func benchmarkForm(b *testing.B, f form) {
	list := scored(1000)
	graphs, statements := make([]*graph, len(list)), 0
	for i, s := range list {
		graphs[i] = &graph{}
		graphs[i].entry(s)
		statements += graphs[i].count()
	}
	w := f.make(sink{w: io.Discard, base: site.BaseURL})
	b.ReportAllocs()
	for b.Loop() {
		for _, g := range graphs {
			g.write(w)
			w.rest()
		}
	}
	b.ReportMetric(float64(statements*b.N)/b.Elapsed().Seconds(), "triples/s")
}

func BenchmarkTurtle(b *testing.B) { benchmarkForm(b, turtleForm) }
func BenchmarkJSONLD(b *testing.B) { benchmarkForm(b, jsonldForm) }

// benchmarkMapped measures the way from entries to bytes in one form.
func benchmarkMapped(b *testing.B, f form) {
	list := scored(1000)
	w := f.make(sink{w: io.Discard, base: site.BaseURL})
	statements := 0
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range list {
			g := &graph{}
			g.entry(s)
			statements += g.count()
			g.write(w)
			w.rest()
		}
	}
	b.ReportMetric(float64(statements)/b.Elapsed().Seconds(), "triples/s")
}

func BenchmarkTurtleFromEntries(b *testing.B) { benchmarkMapped(b, turtleForm) }
func BenchmarkJSONLDFromEntries(b *testing.B) { benchmarkMapped(b, jsonldForm) }

// TestDump writes the full Turtle of DCAT_DUMP_ENTRIES synthetic entries to
// the file DCAT_DUMP, for the comparison in .ci/dcat/bench.
func TestDump(t *testing.T) {
	path := os.Getenv("DCAT_DUMP")
	if path == "" {
		t.Skip("DCAT_DUMP names no file")
	}
	n, err := strconv.Atoi(os.Getenv("DCAT_DUMP_ENTRIES"))
	if err != nil {
		t.Fatal(err)
	}
	r := New(Options{})
	c := freezeOnDisk(t, r, n)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.fullDocument(c, turtleForm).write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestMemoryIsFlat writes every document of a register and watches the heap:
// what lies above the snapshot must not grow with the entries. DCAT_MEMORY
// sets their number.
func TestMemoryIsFlat(t *testing.T) {
	n := 5000
	if s := os.Getenv("DCAT_MEMORY"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // garbage is not what is measured
	r := New(Options{})
	c := freezeOnDisk(t, r, n)
	before := heap()
	var peak atomic.Uint64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak.Store(max(peak.Load(), m.HeapAlloc))
			}
		}
	}()
	began := time.Now()
	for _, f := range forms {
		if err := r.fullDocument(c, f).write(io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.quality(c)(io.Discard); err != nil {
		t.Fatal(err)
	}
	for i := range r.Pages(c) {
		if _, err := r.Pinned(c, i+1); err != nil {
			t.Fatal(err)
		}
	}
	took := time.Since(began)
	close(stop)
	<-stopped
	above := float64(int64(peak.Load())-int64(before)) / (1 << 20)
	t.Logf("%d entries: snapshot %.1f MiB, at most %.1f MiB above it, %.1f s for all documents", n, float64(before)/(1<<20), above, took.Seconds())
	if above > 64 {
		t.Errorf("%.1f MiB above the snapshot", above)
	}
	runtime.KeepAlive(c)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
