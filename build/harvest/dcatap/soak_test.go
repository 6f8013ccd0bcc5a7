package dcatap

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
)

// shuffled writes a catalogue of copies of a real one, the subjects renamed in
// each, every statement by itself and in disorder. It returns the size and how
// many records of the register there are.
func shuffled(t testing.TB, path string, copies int) (bytes int64, records int) {
	t.Helper()
	var lines []string
	subjects := map[string]bool{}
	for _, t2 := range statements(t) {
		if p := properties[t2.Predicate.Value]; p == propType && isRecord(p, []byte(t2.Object.Value)) {
			subjects[t2.Subject.String()] = true
		}
		lines = append(lines, turtle(&t2))
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	total := len(lines) * copies
	// A walk over all places with a step that has no common divisor with their
	// number visits each once, far apart: an order without memory.
	at, step := r.IntN(total), total/3*2+1
	for gcd(step, total) != 1 {
		step += 2
	}
	for range total {
		line, n := lines[at%len(lines)], fmt.Sprint(at/len(lines))
		if _, err := w.WriteString(strings.ReplaceAll(line, "\x00", n)); err != nil {
			t.Fatal(err)
		}
		at = (at + step) % total
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return info.Size(), len(subjects) * copies
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// statements are those of a real catalogue.
func statements(t testing.TB) []rdf.Triple {
	t.Helper()
	f, err := os.Open(sourcetest.Shared(t, "data/dcat-large/belgium-part-2025-04.ttl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []rdf.Triple
	if err := rdf.Read(z, rdf.Turtle, rdf.Options{}, func(t rdf.Triple) error { out = append(out, t); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

// turtle writes a statement with a mark where the number of the copy goes: in
// the IRIs of the catalogue and the labels of blank nodes.
func turtle(t *rdf.Triple) string {
	parts := []string{t.Subject.String(), t.Predicate.String(), t.Object.String()}
	for i, term := range []rdf.Term{t.Subject, t.Predicate, t.Object} {
		switch {
		case term.Kind == rdf.Literal:
			text := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(term.Value)
			parts[i] = strings.Replace(term.String(), fmt.Sprintf("%q", term.Value), `"`+text+`"`, 1)
		case i == 1 || t.Predicate.Value == rdf.RDFType && i == 2:
		case term.Kind == rdf.Blank:
			parts[i] = "_:c\x00" + term.Value
		case strings.HasPrefix(term.Value, "http://data.gov.be/"), strings.HasPrefix(term.Value, "http://geodata.wallonie.be/id/"), i == 0:
			parts[i] = "<" + term.Value + "/c\x00>"
		}
	}
	return strings.Join(parts, " ") + " .\n"
}

// processor is the time that this process has computed: on a shared machine the
// clock measures the others too.
func processor(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// soak harvests a file and measures. The time is that of the processor.
func soak(t testing.TB, path string, c Connector) (drafts, rejected int, took time.Duration, heap uint64) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	peak := make(chan uint64)
	go func() {
		var most uint64
		var m runtime.MemStats
		for ctx.Err() == nil {
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse+m.StackInuse)
			time.Sleep(20 * time.Millisecond)
		}
		peak <- most
	}()
	start := processor(t)
	in := source.Input{Name: path, Source: catalog.Source{ID: "s", URL: "https://data.gov.be/"}, Now: sourcetest.Now,
		Open: func(context.Context) (io.ReadCloser, error) { return os.Open(path) }}
	err := c.Run(ctx, in, func(source.Draft) error { drafts++; return nil }, func(source.Rejection) error { rejected++; return nil })
	took = processor(t) - start
	stop()
	heap = <-peak
	if err != nil {
		t.Fatal(err)
	}
	return drafts, rejected, took, heap
}

// TestShuffled harvests a large catalogue whose statements come in disorder:
// the memory stays bounded, no record is lost, and nothing is left on the disk.
// With ASSAY_SOAK=1 it has the size of a national catalogue.
func TestShuffled(t *testing.T) {
	copies, c := 2, Connector{TempDir: t.TempDir(), Memory: 2 << 20}
	if os.Getenv("ASSAY_SOAK") != "" {
		copies, c.Memory = 18, 0
	}
	path := filepath.Join(t.TempDir(), "large.ttl")
	size, records := shuffled(t, path, copies)
	runtime.GC()
	drafts, rejected, took, heap := soak(t, path, c)
	t.Logf("%d MB, %d records: %d emitted, %d rejected, %.0f records/s of one core, heap at most %d MiB, resident at most %d MiB",
		size>>20, records, drafts, rejected, float64(drafts+rejected)/took.Seconds(), heap>>20, resident(t))
	if drafts+rejected != records || drafts < records*9/10 {
		t.Errorf("%d emitted and %d rejected of %d", drafts, rejected, records)
	}
	if heap > 200<<20 {
		t.Errorf("the heap grew to %d bytes", heap)
	}
	if left, err := os.ReadDir(c.TempDir); err != nil || len(left) > 0 {
		t.Errorf("left on the disk: %v, %v", left, err)
	}
}

// resident is the most memory this process has had, in bytes; 0 where the
// system does not tell.
func resident(t testing.TB) uint64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kib uint64
	if _, rest, ok := strings.Cut(string(data), "VmHWM:"); ok {
		if _, err := fmt.Sscan(rest, &kib); err != nil {
			t.Log(err)
		}
	}
	return kib << 10 >> 20
}
