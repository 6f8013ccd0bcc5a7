//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// What clients may cost: the memory of `serve`, which operate.md promises for a
// small register, and how long others wait.
const (
	floodMemory  = 512 << 20
	floodWait    = time.Second
	floodClients = 16
	floodEach    = 60
	floodQuota   = 40
)

// TestFlood sends `serve` from sixteen addresses the dearest requests there are,
// more than the quota allows, eight at a time and some of them read by nobody:
// its memory stays within what operate.md says, others are answered soon, no
// answer is a fault, and who is over the limit is told so. ASSAY_FLOOD names the
// address and the process id of a service to send it to instead.
func TestFlood(t *testing.T) {
	address, pid := os.Getenv("ASSAY_FLOOD"), 0
	if address == "" {
		address, pid = serveChild(t, floodSite(t, 2000), nil, "--limit-reads", fmt.Sprint(floodQuota))
	} else if _, err := fmt.Sscan(strings.Replace(address, ",", " ", 1), &address, &pid); err != nil {
		t.Fatalf("ASSAY_FLOOD is ADDRESS,PID: %v", err)
	}
	var statuses tally
	var flood sync.WaitGroup
	for n := range floodClients {
		client := clientAt(fmt.Sprintf("127.0.7.%d", n+1))
		for lane := range 8 {
			flood.Go(func() {
				for i := range floodEach/8 + 1 {
					statuses.add(send(t.Context(), client, dear(address, n, lane, i)))
				}
			})
		}
		flood.Go(func() { neglect(t, address, fmt.Sprintf("127.0.7.%d", n+1)) })
	}
	done := make(chan struct{})
	go func() { flood.Wait(); close(done) }()
	waits := others(t, address, done)
	slices.Sort(waits)
	late := waits[len(waits)*95/100]
	t.Logf("statuses %v; others waited %s at the median, %s for 95 %%, %s at most; memory at its peak %d MiB, in use %d MiB", statuses.seen,
		waits[len(waits)/2], late, waits[len(waits)-1], peak(t, pid, "VmHWM")>>20, peak(t, pid, "VmRSS")>>20)
	if late > floodWait {
		t.Errorf("others wait for %s", late)
	}
	if got := peak(t, pid, "VmHWM"); got > floodMemory && os.Getenv("ASSAY_FLOOD") == "" {
		t.Errorf("the service took %d MiB", got>>20)
	}
	for status, n := range statuses.seen {
		if !slices.Contains([]int{200, 400, 429, 503}, status) {
			t.Errorf("%d answers are %d", n, status)
		}
	}
	if statuses.seen[429] == 0 || statuses.seen[200] == 0 || statuses.seen[400] == 0 {
		t.Errorf("answers are %v: some should be answered, batches 400, and those over the quota 429", statuses.seen)
	}
}

// dear is one of the dearest requests: long searches, each of them new, over
// both ways, batches, and comparisons.
func dear(address string, n, lane, i int) *http.Request {
	q := worstQuery(n, lane, i)
	call := func(k int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search_entries","arguments":{"q":%q,"limit":100}}}`, k, q)
	}
	switch i % 4 {
	case 0:
		calls := make([]string, 100)
		for k := range calls {
			calls[k] = call(k)
		}
		return agentRequest(address, "["+strings.Join(calls, ",")+"]")
	case 1, 2:
		return agentRequest(address, call(1))
	}
	r, _ := http.NewRequest(http.MethodGet, "http://"+address+"/api/v1/entries/search?"+url.Values{"q": {q}, "limit": {"100"}}.Encode(), nil)
	r.Header.Set("Accept-Encoding", "br")
	return r
}

// worstQuery is long, matches much and is never asked twice.
func worstQuery(n, lane, i int) string {
	var words []string
	for k := range 5 {
		words = append(words, string(rune('a'+(n+lane+i+k)%26))+"*")
	}
	for k := range 24 {
		words = append(words, fmt.Sprintf("-%c%c%dx*", 'a'+k, 'a'+n, lane*100+i))
	}
	return strings.Join(words, " ")
}

func agentRequest(address, body string) *http.Request {
	r, _ := http.NewRequest(http.MethodPost, "http://"+address+"/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", "2025-03-26")
	return r
}

// neglect asks for large answers in both ways and reads nothing of them.
func neglect(t *testing.T, address, from string) {
	for i := range 8 {
		conn, err := dialer(from).DialContext(t.Context(), "tcp", address)
		if err != nil {
			return
		}
		t.Cleanup(func() { conn.Close() })
		r := agentRequest(address, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_entries","arguments":{"q":"%c*","limit":100,"page":%d}}}`, 'a'+i, i+1))
		if i%2 == 0 {
			r, _ = http.NewRequest(http.MethodGet, fmt.Sprintf("http://%s/api/v1/entries?limit=100&search=%c&page=%d", address, 'a'+i, i+1), nil)
		}
		if r.Write(conn) != nil {
			return
		}
	}
}

// others asks what readers ask until done, and returns how long it took. They are many
// addresses, none of which comes near its quota: whoever is refused waits for nothing.
func others(t *testing.T, address string, done <-chan struct{}) (waits []time.Duration) {
	t.Helper()
	for i := 0; ; i++ {
		client := clientAt(fmt.Sprintf("127.0.8.%d", i%250+1))
		for _, path := range []string{"/health", "/snapshot.json", "/api/v1/entries", fmt.Sprintf("/api/v1/entries/search?q=service+%c%d", 'a'+i%26, i)} {
			begin := time.Now()
			r, _ := http.NewRequest(http.MethodGet, "http://"+address+path, nil)
			if status := send(t.Context(), client, r); status != 200 && (i < 250 || status != 429) {
				t.Errorf("another reader gets %d of %s", status, path)
			}
			waits = append(waits, time.Since(begin))
		}
		client.CloseIdleConnections()
		select {
		case <-done:
			return waits
		default:
		}
	}
}

func dialer(from string) *net.Dialer {
	return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 10 * time.Second}
}

// clientAt is a client with an address of its own.
func clientAt(from string) *http.Client {
	return &http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: dialer(from).DialContext, MaxIdleConnsPerHost: 16, DisableCompression: true}}
}

// send gives the status of an answer that was read whole, 0 for none.
func send(ctx context.Context, client *http.Client, r *http.Request) int {
	resp, err := client.Do(r.WithContext(ctx))
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return 0
	}
	return resp.StatusCode
}

// tally counts answers by status.
type tally struct {
	sync.Mutex
	seen map[int]int
}

func (c *tally) add(status int) {
	c.Lock()
	defer c.Unlock()
	if c.seen == nil {
		c.seen = map[int]int{}
	}
	c.seen[status]++
}

// peak reads a figure of a process in bytes.
func peak(t *testing.T, pid int, name string) (kib int64) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte(name+":")); ok {
			if _, err := fmt.Sscan(string(rest), &kib); err != nil {
				t.Fatal(err)
			}
		}
	}
	return kib << 10
}
