package verify_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// envListen makes the test binary the server of the benchmark, which is
// another process so that the memory measured is the prober's.
const envListen = "ASSAY_TEST_VERIFY_LISTEN"

// answerTime is how long the server thinks: with 5,000 in flight no more than
// 2,500 answers a second are possible.
const answerTime = 2 * time.Second

func listen() error {
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return err
	}
	fmt.Println(port)
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		os.Exit(0)
	}()
	var inside, most atomic.Int64
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/most" {
			fmt.Fprint(w, most.Load())
			return
		}
		if n := inside.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(answerTime)
		inside.Add(-1)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"ok":true}`)
	}))
}

// BenchmarkProbes checks 30,000 entries on as many hosts over loopback, with
// everything a run does: leases, verdicts and rows in an SQLite store. It
// reports probes a second, how many were in flight at the server at most, and
// the peak memory of the process in MiB.
func BenchmarkProbes(b *testing.B) {
	const entries = 30_000
	// What the command sets, too.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(verify.MemoryLimit))
	port := startServer(b)
	var dials atomic.Int64
	// Eight addresses, because one has no more than 28,000 ports for us.
	transport := &http.Transport{MaxIdleConns: 512, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.%d:%s", 1+dials.Add(1)%8, port))
	}}
	for b.Loop() {
		b.StopTimer()
		st := benchStore(b, entries)
		r := &verify.Runner{Store: st, Worker: "w", Concurrency: 5000,
			Prober: verify.NewProber(verify.ProberOptions{Client: &http.Client{Transport: transport}})}
		b.StartTimer()
		began := time.Now()
		sum, err := r.Run(b.Context(), verify.Selection{})
		if err != nil {
			b.Fatal(err)
		}
		// A few entries have their own moment within the run, and a second check.
		if sum.Up < entries || sum.Probes != sum.Up {
			b.Fatalf("%+v", sum)
		}
		b.ReportMetric(float64(sum.Probes)/time.Since(began).Seconds(), "probes/s")
		_ = st.Close()
	}
	resp, err := (&http.Client{Transport: transport}).Get("http://any.example.gov/most")
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	var most float64
	fmt.Fscan(resp.Body, &most)
	b.ReportMetric(most, "in-flight")
	b.ReportMetric(peakMiB(b), "peak-MiB")
}

func startServer(b *testing.B) string {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envListen+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func benchStore(b *testing.B, n int) catalog.Store {
	b.Helper()
	st, err := sqlite.Open(b.Context(), b.TempDir()+"/bench.db")
	if err != nil {
		b.Fatal(err)
	}
	now := time.Now().UTC()
	for from := 0; from < n; from += 1000 {
		var writes []catalog.Write
		for i := from; i < min(n, from+1000); i++ {
			id := catalog.NewID("entry", fmt.Sprint(i))
			writes = append(writes, newEntry(id, fmt.Sprintf("http://h%d.example.gov/%s", i, id), now))
		}
		if err := st.Update(b.Context(), func(tx catalog.Tx) error { return tx.Entries().Put(b.Context(), writes...) }); err != nil {
			b.Fatal(err)
		}
	}
	// Putting new entries into the timetable is done once.
	if err := verify.Plan(b.Context(), st); err != nil {
		b.Fatal(err)
	}
	return st
}

// peakMiB is the largest resident size of this process so far.
func peakMiB(b *testing.B) float64 {
	b.Helper()
	doc, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("no /proc")
	}
	for line := range bytes.Lines(doc) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmHWM:")); ok {
			kib, _ := strconv.ParseFloat(strings.Fields(string(rest))[0], 64)
			return kib / 1024
		}
	}
	return 0
}
