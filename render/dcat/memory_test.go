package dcat

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	runtimemetrics "runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// freezeOnDisk makes a catalog of n synthetic entries with the fragments in
// files, as a build does.
func freezeOnDisk(t testing.TB, r *Renderer, n int) *snapshot.Catalog {
	t.Helper()
	dir := t.TempDir()
	var all []*bufio.Writer
	z := newFreezer(t, r, func(name string) (io.Writer, io.ReaderAt) {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		w := bufio.NewWriterSize(f, 1<<16)
		all = append(all, w)
		return w, f
	})
	ids, order := make([]string, n), make([]int, n)
	for i := range order {
		ids[i], order[i] = catalog.NewID("bench", strconv.Itoa(i)), i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(ids[a], ids[b]) })
	for _, i := range order {
		row := synthetic(i)
		z.add(&row)
	}
	for _, w := range all {
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	return z.finish()
}

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
	r := New(Options{})
	c := freezeOnDisk(t, r, n)
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // often, so that little is missed
	runtime.GC()
	before, began := live(), time.Now()
	peak := peakDuring(func() { writeAll(t, r, c) })
	above := float64(int64(peak)-int64(before)) / (1 << 20)
	t.Logf("%d entries: snapshot %.1f MiB, at most %.1f MiB above it, %.1f s for all documents", n,
		float64(before)/(1<<20), above, time.Since(began).Seconds())
	runtime.GC()
	t.Logf("kept for the snapshot: %.1f MiB", float64(int64(live())-int64(before))/(1<<20))
	if above > 64 {
		t.Errorf("%.1f MiB above the snapshot", above)
	}
	runtime.KeepAlive(c)
}

// writeAll makes every document that grows with the register.
func writeAll(t *testing.T, r *Renderer, c *snapshot.Catalog) {
	for _, f := range forms {
		if err := r.fullDocument(c, f).write(io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.quality(c)(io.Discard); err != nil {
		t.Fatal(err)
	}
	for i := range r.Pages(c) {
		if _, err := r.SnapshotPage(c, i+1); err != nil {
			t.Fatal(err)
		}
		if i%8 == 7 {
			// A starved collector counts the pages made while it marks.
			runtime.GC()
		}
	}
}

// peakDuring is the largest heap while f runs.
func peakDuring(f func()) (peak uint64) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			peak = max(peak, live())
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	f()
	close(stop)
	<-stopped
	return peak
}

// live is what the last collection found in use.
func live() uint64 {
	sample := []runtimemetrics.Sample{{Name: "/gc/heap/live:bytes"}}
	runtimemetrics.Read(sample)
	return sample[0].Value.Uint64()
}
