//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// TestDescriptorsRunOut gives `serve` few descriptors and opens more connections
// than it can have, some of which ask for files and for the store: nobody is
// told of a fault of the service, who cannot be served gets 503 or 429, and when
// they have left all is well.
func TestDescriptorsRunOut(t *testing.T) {
	t.Parallel()
	for _, most := range []int{36, 48, 72} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			address, _ := serveChild(t, floodSite(t, 20), []string{fmt.Sprintf("ulimit -n %d", most)}, "--limit-reads", "0", "--limit-writes", "0", "--log-requests=false")
			seen := crowd(t, address, 100)
			t.Logf("answers %v", seen)
			for status, n := range seen {
				if status != 0 && status != 200 && status != 404 && status != 429 && status != 503 {
					t.Errorf("%d answers are %d", n, status)
				}
			}
			if seen[503] < 10 || seen[200] == 0 {
				t.Error("some should be served, and others told that there are too many")
			}
			for end := time.Now().Add(hang); ; time.Sleep(50 * time.Millisecond) {
				if resp, err := http.Get("http://" + address + "/health"); err == nil {
					if resp.Body.Close(); resp.StatusCode == http.StatusOK {
						return
					}
				}
				if time.Now().After(end) {
					t.Fatal("the service does not recover")
				}
			}
		})
	}
}

// crowd opens connections from several addresses, asks over each of them and
// keeps them open until all have asked. It counts the answers.
func crowd(t *testing.T, address string, n int) map[int]int {
	t.Helper()
	var answers tally
	var conns []net.Conn
	for i := range n {
		conn, err := dialer(fmt.Sprintf("127.0.8.%d", i%5+1)).Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conns = append(conns, conn)
	}
	targets := []string{"/snapshot.json", "/openapi.json", "/api/v1/entries/e3-record", "/api/v1/entries?type=API", "/api/v1/submissions/none", "/api/v1/entries/e4-record"}
	var group sync.WaitGroup
	for i, conn := range conns {
		group.Go(func() {
			conn.SetDeadline(time.Now().Add(30 * time.Second))
			fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n", targets[i%len(targets)])
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				var waited net.Error
				if errors.As(err, &waited) && waited.Timeout() {
					t.Errorf("%s is not answered", targets[i%len(targets)])
				}
				answers.add(0) // closed
				return
			}
			defer resp.Body.Close()
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				t.Errorf("%s broke off: %v", targets[i%len(targets)], err)
			}
			if (resp.StatusCode == 503 || resp.StatusCode == 429) && resp.Header.Get("Retry-After") == "" {
				t.Errorf("%d without Retry-After", resp.StatusCode)
			}
			answers.add(resp.StatusCode)
		})
	}
	group.Wait()
	return answers.seen
}
