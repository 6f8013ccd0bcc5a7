package dynamic

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/wire"
)

// slowServer is the service as it is served, but with less patience.
func slowServer(t *testing.T) string {
	s := startWithStore(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := s.server(context.Background())
	if server.ReadHeaderTimeout <= 0 || server.ReadTimeout <= 0 || server.WriteTimeout <= 0 || server.IdleTimeout <= 0 || server.MaxHeaderBytes <= 0 {
		t.Errorf("a bound of the server is missing: %+v", server)
	}
	server.ReadHeaderTimeout, server.ReadTimeout = 200*time.Millisecond, 400*time.Millisecond
	done := make(chan struct{})
	go func() { server.Serve(listener); close(done) }()
	t.Cleanup(func() { server.Close(); <-done })
	return listener.Addr().String()
}

// send writes the pieces of a request with a pause between them and reads the
// status line, "" when the connection was closed without one.
func send(t *testing.T, address string, pause time.Duration, pieces ...string) string {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	go func() {
		for _, p := range pieces {
			if _, err := io.WriteString(conn, p); err != nil {
				return
			}
			time.Sleep(pause)
		}
	}()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	return resp.Status
}

// TestSlowClients: who dribbles a head or a body is cut off in time, and nobody
// else waits for it.
func TestSlowClients(t *testing.T) {
	address := slowServer(t)
	dribble := func(s string) []string { return strings.Split(s, "") }
	head := "POST " + wire.ProxyPath + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
	begin := time.Now()
	if got := send(t, address, 50*time.Millisecond, dribble("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")...); got != "" && !strings.HasPrefix(got, "40") {
		t.Errorf("a slow head: %q", got)
	}
	if got := send(t, address, 50*time.Millisecond, append([]string{head}, dribble(strings.Repeat("x", 60))...)...); got != "" && !strings.HasPrefix(got, "408") {
		t.Errorf("a slow body: %q", got)
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("slow clients were borne with for %s", took)
	}
	for range 200 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		io.WriteString(conn, "GET / HT")
	}
	if got := send(t, address, 0, "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); !strings.HasPrefix(got, "200") {
		t.Errorf("beside 200 slow clients: %q", got)
	}
}

// TestOversizedBodies in every way of sending them.
func TestOversizedBodies(t *testing.T) {
	address := slowServer(t)
	post := "POST " + wire.ProxyPath + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
	large := strings.Repeat(" ", bodyMax+1)
	for name, c := range map[string]struct{ request, status string }{
		"told":             {post + "Content-Length: 99999999999\r\n\r\n", "413"},
		"sent":             {post + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(large)) + large, "413"},
		"in chunks":        {post + "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(large), large), "413"},
		"broken off":       {post + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\n", "400"},
		"two lengths":      {post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "400"},
		"length and chunk": {post + "Content-Length: 2\r\nTransfer-Encoding: gzip\r\n\r\n{}", "501"},
		"large head":       {"GET /health HTTP/1.1\r\nHost: x\r\nX-A: " + strings.Repeat("a", 64<<10) + "\r\n\r\n", "431"},
		"long target":      {"GET /health?" + strings.Repeat("a", 9<<10) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "414"},
	} {
		if got := send(t, address, 0, c.request); !strings.HasPrefix(got, c.status) {
			t.Errorf("%s: %q, want %s", name, got, c.status)
		}
	}
	// A body that grows when it is decoded is none that the service decodes.
	r := httptest.NewRequest("POST", wire.ProxyPath, strings.NewReader("\x1f\x8b"))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Content-Encoding", "gzip")
	w := httptest.NewRecorder()
	startWithStore(t).Handler().ServeHTTP(w, r)
	if w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("a coded body: %d", w.Code)
	}
}

// TestAmbiguousRequests: what two readers of HTTP could understand differently is refused,
// and requests that come together are answered in their order.
func TestAmbiguousRequests(t *testing.T) {
	address := slowServer(t)
	const get, host = "GET /health HTTP/1.1\r\n", "Host: x\r\n"
	for name, request := range map[string]string{
		"no host": get + "\r\n", "two hosts": get + host + "Host: y\r\n\r\n", "blank before the colon": get + host + "Content-Length : 5\r\n\r\n",
		"folded first field": get + " Host: x\r\n\r\n", "two lengths": get + host + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
		"byte zero": get + host + "Accept: a\x00b\r\n\r\n", "two targets": "GET /health /a HTTP/1.1\r\n" + host + "\r\n", "host of two words": get + "Host: a b\r\n\r\n",
	} {
		if got := send(t, address, 0, request); !strings.HasPrefix(got, "400") {
			t.Errorf("%s: %q", name, got)
		}
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	io.WriteString(conn, "GET /snapshot.json HTTP/1.1\r\n"+host+"\r\nGET /nothing HTTP/1.1\r\n"+host+"Connection: close\r\n\r\n")
	answers := bufio.NewReader(conn)
	for _, want := range []int{200, 404} {
		res, err := http.ReadResponse(answers, nil)
		if err != nil || res.StatusCode != want {
			t.Fatalf("%+v, %v, want %d", res, err, want)
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
}

// TestNothingFollowsChunks: a connection ends with a request that came in chunks, so that
// what another reader may take for its body is no request.
func TestNothingFollowsChunks(t *testing.T) {
	address := slowServer(t)
	for _, length := range []string{"", "Content-Length: 6\r\n"} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(time.Minute))
		io.WriteString(conn, "POST "+wire.ProxyPath+" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+length+"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"+
			"GET /snapshot.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		all, _ := io.ReadAll(conn) // the end of the connection may be a reset
		if n := strings.Count(string(all), "HTTP/1.1 "); n != 1 || !strings.Contains(string(all), "\r\nConnection: close\r\n") {
			t.Errorf("%q: %d answers: %.500s", length, n, all)
		}
	}
}

// timed counts how often an answer is given more time.
type timed struct {
	*httptest.ResponseRecorder
	given int
}

// SetWriteDeadline is for http.ResponseController.
func (t *timed) SetWriteDeadline(time.Time) error { t.given++; return nil }

// TestLargeAnswersHaveTimeByTheirSize: each piece of a large answer has a time of its
// own, through all that stands between a handler and the connection.
func TestLargeAnswersHaveTimeByTheirSize(t *testing.T) {
	t.Parallel()
	s, _ := startWithBig(t)
	for _, fields := range [][]string{nil, {"Range", "bytes=1-"}} {
		w, r := &timed{ResponseRecorder: httptest.NewRecorder()}, httptest.NewRequest("GET", "/big.ndjson", nil)
		for i := 0; i < len(fields); i += 2 {
			r.Header.Set(fields[i], fields[i+1])
		}
		s.Handler().ServeHTTP(w, r)
		if pieces := (w.Body.Len() + 1<<20 - 1) >> 20; w.Code/100 != 2 || pieces < 2 || w.given != pieces {
			t.Errorf("%v: %d, %d bytes were given time %d times", fields, w.Code, w.Body.Len(), w.given)
		}
	}
}
