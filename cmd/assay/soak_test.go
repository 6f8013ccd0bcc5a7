//go:build linux

package main

import (
	"bytes"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var soakFor = flag.Duration("soak", 0, "how long TestSoak lasts; 0 is some seconds, or an hour with ASSAY_SOAK=1")

// How a soak is: its register, and how much a figure may differ between the first
// and the last third of what follows the warm-up, a sixth of the whole, beside the
// tenth part that is chance.
const (
	soakHosts, soakEach = 20, 15
	soakShort           = 8 * time.Second
	soakWarm            = 6
	// soakMemory is from how long on the memory is judged: before, the heap is
	// still finding its size.
	soakMemory = 10 * time.Minute
)

// TestSoak keeps `serve` under mixed load for as long as -soak says: readers of
// pages, lists, searches and exports, agents, suggestions, edits that lead to
// rebuilds, a webhook, probes. Once it is warm, neither its memory nor its
// descriptors nor its goroutines grow.
func TestSoak(t *testing.T) {
	length := *soakFor
	if length == 0 {
		if length = soakShort; os.Getenv("ASSAY_SOAK") != "" {
			length = time.Hour
		}
	}
	port := soakPortal(t)
	db, site := soakStore(t, port), filepath.Join(t.TempDir(), "site")
	must(t, "build", "--db", db, "--site", site)
	address, _ := serveChild(t, site, nil, "--db", db, "--allow-private", "--rebuild", "--rebuild-quiet", "5s", "--rebuild-latest", "1m", "--cadence", "2m",
		"--rate-per-host", "20", "--confirm-after", "1s", "--limit-reads", "0", "--limit-writes", "0", "--log-requests=false")
	s := &soak{t: t, base: "http://" + address, token: tokenFor(t, db), end: time.Now().Add(length)}
	s.do(http.MethodPost, "/api/v1/webhooks", fmt.Sprintf(`{"url":"http://127.0.1.1:%s/hook"}`, port))
	var load sync.WaitGroup
	for n := range 4 {
		load.Go(func() { s.read(n) })
	}
	load.Go(s.edit)
	load.Go(func() { s.suggest(port) })
	s.watch(length)
	load.Wait()
	s.judge(length)
}

// soakPortal is every publisher of the register, on any address of this host.
func soakPortal(t *testing.T) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"path":%q}`, r.URL.Path)
	})}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return l.Addr().String()[strings.LastIndexByte(l.Addr().String(), ':')+1:]
}

func soakStore(t *testing.T, port string) (db string) {
	t.Helper()
	db = "sqlite:" + filepath.Join(t.TempDir(), "soak.db")
	st, err := (&app{db: db}).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	now := time.Now().UTC()
	var writes []catalog.Write
	for i := range soakHosts * soakEach {
		name := fmt.Sprint("service-", i)
		e := &catalog.Entry{ID: catalog.NewID("entry", name), Slug: name, Type: catalog.TypeAPI, Name: "Service " + name, Description: strings.Repeat("About "+name+". ", 20),
			IdentityKey: name, MatchKey: name, Status: catalog.StatusActive, CreatedAt: now, UpdatedAt: now, PublishedAt: now, FreeAccessClass: catalog.AccessUnknown,
			AuthType: catalog.AuthUnknown, PrimarySourceURL: "https://" + name + ".example.gov/", Admission: &catalog.Admission{Rule: catalog.AdmittedByModerator, Reason: "a soak", By: "soak", At: now},
			API: &catalog.APIDetails{PingURL: fmt.Sprintf("http://127.0.1.%d:%s/%s", i%soakHosts+1, port, name)}}
		writes = append(writes, catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: now}}})
	}
	if err := st.Update(t.Context(), func(tx catalog.Tx) error { return tx.Entries().Put(t.Context(), writes...) }); err != nil {
		t.Fatal(err)
	}
	return db
}

// soak is a soak under way.
type soak struct {
	t           *testing.T
	base, token string
	end         time.Time
	statuses    tally
	samples     []figures
}

// figures are what /metrics of the service say of its process.
type figures map[string]float64

// soakSlack has the figures that are judged, and what may be chance of them.
var soakSlack = figures{"go_goroutines": 10, "process_open_fds": 10, "process_resident_memory_bytes": 16 << 20, "go_memstats_heap_inuse_bytes": 16 << 20}

// do asks for something and reads the answer; a fault of the service fails the test.
func (s *soak) do(method, path, body string) {
	r, _ := http.NewRequest(method, s.base+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if strings.Contains(path, "/admin/") || strings.HasSuffix(path, "/webhooks") {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	status := send(s.t.Context(), http.DefaultClient, r)
	s.statuses.add(status)
	if status == 0 || status >= 500 || method != http.MethodGet && status >= 400 {
		s.t.Errorf("%s %s is answered %d", method, path, status)
	}
}

// each does something with a pause until the end.
func (s *soak) each(pause time.Duration, do func(i int)) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for i := 0; time.Now().Before(s.end); i++ {
		do(i)
		<-tick.C
	}
}

func (s *soak) read(n int) {
	paths := []string{"/", "/api/v1/entries?limit=50", "/api/v1/entries?search=service", "/api/v1/entries/service-%d", "/entry/service-%d", "/api/v1/webhooks/feed/pages/1",
		"/routes.ndjson", "/api/v1/entries/search?q=about", "/api/v1/entries?type=API", "/api/v1/badges/service-%d/status", "/none-%d", "/health/detailed"}
	s.each(200*time.Millisecond, func(i int) {
		if i%len(paths) == 7 {
			s.do(http.MethodPost, "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_entries","arguments":{"q":"service %d"}}}`, i))
		}
		path := paths[(i+n*3)%len(paths)]
		if strings.Contains(path, "%d") {
			path = fmt.Sprintf(path, (i*7+n)%(soakHosts*soakEach))
		}
		s.do(http.MethodGet, path, "")
	})
}

// edit lays texts over entries and takes them back: the register changes all the
// time and does not grow.
func (s *soak) edit() {
	s.each(3*time.Second, func(i int) {
		body := fmt.Sprintf(`{"set":{"description":"Edited in round %d."},"reason":"a soak"}`, i)
		if i%2 == 1 {
			body = `{"revoke":["description"],"reason":"a soak"}`
		}
		s.do(http.MethodPatch, fmt.Sprint("/api/v1/admin/entries/service-", i/2%(soakHosts*soakEach)), body)
	})
}

func (s *soak) suggest(port string) {
	s.each(10*time.Second, func(i int) {
		s.do(http.MethodPost, "/api/v1/submissions", fmt.Sprintf(`{"url":"http://127.0.2.%d:%s/new-%d"}`, i%200+1, port, i))
	})
}

// watch samples the figures until the end.
func (s *soak) watch(length time.Duration) {
	s.each(max(length/720, 50*time.Millisecond), func(int) {
		resp, err := http.Get(s.base + "/metrics")
		if err != nil {
			s.t.Errorf("metrics: %v", err)
			return
		}
		defer resp.Body.Close()
		var text bytes.Buffer
		if _, err := text.ReadFrom(resp.Body); err != nil {
			s.t.Errorf("metrics: %v", err)
			return
		}
		f := figures{}
		for line := range strings.Lines(text.String()) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			if _, judged := soakSlack[name]; judged {
				var x float64
				if _, err := fmt.Sscan(value, &x); err != nil {
					s.t.Errorf("metrics: %s: %v", line, err)
				}
				f[name] = x
			}
		}
		if len(f) != len(soakSlack) {
			s.t.Errorf("metrics show %v only", f)
		}
		s.samples = append(s.samples, f)
	})
}

// judge compares the first with the last third of what followed the warm-up.
func (s *soak) judge(length time.Duration) {
	s.t.Logf("%s, %d samples, answers %v", length, len(s.samples), s.statuses.seen)
	warm := s.samples[len(s.samples)/soakWarm:]
	third := len(warm) / 3
	if third < 3 {
		s.t.Fatalf("only %d samples", len(s.samples))
	}
	for name, slack := range soakSlack {
		var tenths []float64
		for part := range slices.Chunk(s.samples, max(len(s.samples)/10, 1)) {
			tenths = append(tenths, median(part, name))
		}
		// What leaks is there at the calmest moment, too; what a busy machine piles up is not.
		begin, end := lowest(warm[:third], name), lowest(warm[len(warm)-third:], name)
		s.t.Logf("%s: %.0f, then %.0f; medians of tenths %.0f", name, begin, end, tenths)
		if strings.Contains(name, "bytes") && length < soakMemory {
			continue
		}
		if end > begin*1.1+slack {
			s.t.Errorf("%s grew from %.0f to %.0f", name, begin, end)
		}
	}
}

func lowest(list []figures, name string) float64 {
	least := list[0][name]
	for _, f := range list {
		least = min(least, f[name])
	}
	return least
}

func median(list []figures, name string) float64 {
	values := make([]float64, len(list))
	for i, f := range list {
		values[i] = f[name]
	}
	slices.Sort(values)
	return values[len(values)/2]
}
