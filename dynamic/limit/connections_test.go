package limit

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// greeting says "in" to every connection that it accepts and keeps it open.
func greeting(t *testing.T, exempt func(netip.Addr) bool) (*Connections, string) {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := NewConnections(inner, 3, exempt)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := c.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "in\n")
			go func() { defer conn.Close(); io.Copy(io.Discard, conn) }()
		}
	}()
	t.Cleanup(func() { inner.Close(); <-done })
	return c, inner.Addr().String()
}

// knock opens a connection and returns what it is told first.
func knock(t *testing.T, address string) (net.Conn, string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	// A refused client that has sent its request all the same reads the answer.
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return conn, strings.TrimSpace(line)
}

// TestConnectionsOfAClientAreBounded opens as many as a client may have, one
// more, and one more after another was closed.
func TestConnectionsOfAClientAreBounded(t *testing.T) {
	t.Parallel()
	c, address := greeting(t, nil)
	var first net.Conn
	for range 3 {
		conn, said := knock(t, address)
		if first = conn; said != "in" {
			t.Fatalf("within the bound: %q", said)
		}
	}
	if _, said := knock(t, address); said != "HTTP/1.1 429 Too Many Requests" {
		t.Errorf("one too many: %q", said)
	}
	first.Close()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, said := knock(t, address); said == "in" {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nobody comes in after another left")
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.total != 3 || c.open["127.0.0.1"] != 3 {
		t.Errorf("%d are open, %v", c.total, c.open)
	}
}

// TestConnectionsOfAllAreBounded, those of a proxy among them; and the refusal
// is an answer that HTTP clients understand.
func TestConnectionsOfAllAreBounded(t *testing.T) {
	t.Parallel()
	c, address := greeting(t, func(netip.Addr) bool { return true })
	c.mu.Lock()
	c.all = 5
	c.mu.Unlock()
	for range 5 {
		if _, said := knock(t, address); said != "in" {
			t.Fatalf("a proxy: %q", said)
		}
	}
	resp, err := http.Get("http://" + address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" || !strings.Contains(string(body), `"status":503`) {
		t.Errorf("%d %v %s %v", resp.StatusCode, resp.Header, body, err)
	}
}

// TestRefusalFollowsTheRequest: a client that is answered before it asked takes the
// connection for broken. One that asks nothing is told all the same.
func TestRefusalFollowsTheRequest(t *testing.T) {
	t.Parallel()
	for _, asks := range []string{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", ""} {
		client, server := net.Pipe() // which takes nothing that is not read
		go part(server, overAll, partingTime)
		if asks != "" {
			if _, err := io.WriteString(client, asks); err != nil {
				t.Errorf("was answered before it asked: %v", err)
			}
		}
		said, err := io.ReadAll(client)
		if err != nil || string(said) != refusals[overAll] {
			t.Errorf("who asks %q is told %q, %v", asks, said, err)
		}
	}
}
