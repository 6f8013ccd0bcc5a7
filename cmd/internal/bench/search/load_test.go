package search

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic"
)

// load asks the service over HTTP at a steady rate, whether or not earlier
// answers have come, and prints how long the answers took.
func (m *measured) load(b *testing.B, s *dynamic.Service, name string, target func(*rand.Rand) string) {
	b.Helper()
	if !strings.Contains(name, *class) {
		return
	}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 30 * time.Second}
	defer client.CloseIdleConnections()
	rng := rand.New(rand.NewPCG(*seed, 3))
	n := *rate * int(lasting.Seconds())
	took, codes := make(latencies, n), map[int]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	cpu := processor(b)
	began := time.Now()
	for i := range n {
		due := began.Add(time.Duration(i) * time.Second / time.Duration(*rate))
		time.Sleep(time.Until(due))
		address := server.URL + target(rng)
		wg.Go(func() {
			resp, err := client.Get(address)
			if err != nil {
				b.Error(err)
				return
			}
			_, err = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			took[i] = float64(time.Since(due).Microseconds()) / 1000
			mu.Lock()
			codes[resp.StatusCode]++
			mu.Unlock()
			if err != nil {
				b.Error(err)
			}
		})
	}
	wg.Wait()
	used := processor(b) - cpu
	slices.Sort(took)
	fmt.Printf("load, %s: %d/s for %s over HTTP: p50 %.2f ms, p95 %.2f ms, p99 %.2f ms; %.2f ms of processor time each, client included; statuses %v\n",
		name, *rate, *lasting, took.at(50), took.at(95), took.at(99), 1000*used.Seconds()/float64(n), codes)
	b.ReportMetric(took.at(95), cmp.Or(strings.Fields(name)[0])+"-p95-ms")
}

// processor is the processor time that this process has used.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	check(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func heap() uint64 {
	debug.FreeOSMemory()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc >> 20
}

// resident is the resident memory of this process in MiB.
func resident() int {
	debug.FreeOSMemory()
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int
	fmt.Sscan(string(b), &size, &pages)
	return pages * os.Getpagesize() >> 20
}
