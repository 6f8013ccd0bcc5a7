package lane

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// served is a lane with a server behind it that says so.
type served struct {
	lane    *Lane
	server  *http.Server
	address string
	done    chan error
	// handled counts what the handler of the lane answered.
	handled atomic.Int64
}

func (s *served) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	io.WriteString(w, "server "+r.Method+" "+r.RequestURI+" "+string(body))
}

func serveWith(t *testing.T, inner net.Listener, c Config) *served {
	t.Helper()
	s := &served{address: inner.Addr().String(), done: make(chan error, 1)}
	handler := c.Handler
	c.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.handled.Add(1)
		handler.ServeHTTP(w, r)
	})
	c.Takes = func(path string) bool { return !strings.HasPrefix(path, "/live") }
	c.Log = slog.New(slog.DiscardHandler)
	if c.Recall == nil {
		c.Recall = func(*Request) *Answer { return nil }
	}
	if c.HeaderTimeout == 0 {
		c.HeaderTimeout, c.WriteTimeout, c.IdleTimeout = 5*time.Second, 5*time.Second, 5*time.Second
	}
	s.lane = New(inner, c)
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: c.HeaderTimeout, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}
	go func() { s.done <- s.server.Serve(s.lane) }()
	t.Cleanup(func() {
		s.server.Close()
		if err := s.lane.Shutdown(t.Context()); err != nil && !errors.Is(err, net.ErrClosed) && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	return s
}

func serve(t *testing.T, handler http.HandlerFunc) *served {
	t.Helper()
	return serveWith(t, listen(t), Config{Handler: handler})
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// client is one connection.
type client struct {
	net.Conn
	t  *testing.T
	in *bufio.Reader
}

func (s *served) dial(t *testing.T) *client {
	t.Helper()
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	return &client{conn, t, bufio.NewReader(conn)}
}

func (c *client) send(request string) { io.WriteString(c.Conn, request) }

func (c *client) get(path string) (*http.Response, string) {
	c.t.Helper()
	c.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n")
	return c.answer("GET")
}

func (c *client) answer(method string) (*http.Response, string) {
	c.t.Helper()
	res, err := http.ReadResponse(c.in, &http.Request{Method: method})
	if err != nil {
		return &http.Response{}, err.Error()
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return res, err.Error()
	}
	return res, string(body)
}

// ended tells whether the server ended the connection.
func (c *client) ended() bool {
	_, err := c.in.Peek(1)
	var timeout net.Error
	return err != nil && !(errors.As(err, &timeout) && timeout.Timeout())
}

func text(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	io.WriteString(w, body)
}

// TestAConnectionGoesToTheServer at the first request that is not the lane's, and
// stays there.
func TestAConnectionGoesToTheServer(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { text(w, "lane "+r.URL.Path+" "+r.Host) })
	c := s.dial(t)
	for _, want := range []struct{ request, body string }{
		{"GET /a HTTP/1.1\r\nHost: x\r\n\r\n", "lane /a x"}, {"GET /b HTTP/1.1\r\nHost: y\r\n\r\n", "lane /b y"},
		{"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody", "server POST /a body"}, {"GET /a HTTP/1.1\r\nHost: x\r\n\r\n", "server GET /a "},
	} {
		c.send(want.request)
		if res, body := c.answer("GET"); body != want.body || res.Header.Get("Date") == "" {
			t.Errorf("%q: %q %v", want.request, body, res.Header)
		}
	}
	for _, pieces := range [][]string{{"GET /li", "ve HTTP/1.1\r\nHost: x\r\n\r\n"}, {"GET /a HTTP/1.1\r\nHo", "st: x\r\n\r\n"}, {"POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na", "bc"}} {
		c := s.dial(t)
		for _, p := range pieces {
			c.send(p)
			time.Sleep(20 * time.Millisecond)
		}
		if _, body := c.answer("GET"); !strings.HasPrefix(body, "server ") {
			t.Errorf("%q: %q", pieces, body)
		}
	}
	if n := s.handled.Load(); n != 2 {
		t.Errorf("%d requests were the lane's", n)
	}
}

// TestTwoRequestsAtOnce are answered in their order, by the server.
func TestTwoRequestsAtOnce(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { text(w, "lane") })
	c := s.dial(t)
	c.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n")
	for _, want := range []string{"server GET /a ", "server GET /b "} {
		if _, body := c.answer("GET"); body != want {
			t.Errorf("%q, want %q", body, want)
		}
	}
}

// TestShutdown ends idle connections at once and lets others finish.
func TestShutdown(t *testing.T) {
	entered, leave := make(chan struct{}, 1), make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			entered <- struct{}{}
			<-leave
		}
		text(w, "done")
	})
	idle, fresh, busy := s.dial(t), s.dial(t), s.dial(t)
	idle.get("/a")
	busy.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
	<-entered
	down := make(chan error, 1)
	go func() { down <- s.lane.Shutdown(context.Background()) }()
	if !idle.ended() || !fresh.ended() {
		t.Error("an idle connection goes on")
	}
	if conn, err := net.Dial("tcp", s.address); err == nil {
		conn.SetDeadline(time.Now().Add(5 * time.Second))
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			t.Error("a new connection was served")
		}
		conn.Close()
	}
	select {
	case <-down:
		t.Error("Shutdown did not wait")
	case <-time.After(20 * time.Millisecond):
	}
	close(leave)
	if res, body := busy.answer("GET"); body != "done" || !res.Close || !busy.ended() {
		t.Errorf("%q, close %v", body, res.Close)
	}
	if err := <-down; err != nil {
		t.Error(err)
	}
	if err := s.server.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-s.done; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}

// TestShutdownEnds although an answer does not.
func TestShutdownEnds(t *testing.T) {
	leave := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "2")
		io.WriteString(w, "a")
		<-leave
	})
	c := s.dial(t)
	c.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
	if b := make([]byte, 1); true {
		io.ReadFull(c, b)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := s.lane.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if _, err := io.Copy(io.Discard, c); err != nil {
		t.Error(err)
	}
	close(leave)
}

// TestTimeouts: who says nothing is cut off, at first and later.
func TestTimeouts(t *testing.T) {
	s := serveWith(t, listen(t), Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { text(w, "a") }),
		HeaderTimeout: 50 * time.Millisecond, WriteTimeout: time.Second, IdleTimeout: 300 * time.Millisecond})
	silent, partial, idle := s.dial(t), s.dial(t), s.dial(t)
	begin := time.Now()
	partial.send("GET /a HT")
	idle.get("/a")
	for name, c := range map[string]*client{"silent": silent, "partial": partial} {
		if text, err := io.ReadAll(c.in); err != nil || len(text) > 0 && !strings.HasPrefix(string(text), "HTTP/1.1 4") || time.Since(begin) > 250*time.Millisecond {
			t.Errorf("%s: borne with for %s: %q, %v", name, time.Since(begin), text, err)
		}
	}
	if !idle.ended() || time.Since(begin) < 250*time.Millisecond || time.Since(begin) > 2*time.Second {
		t.Errorf("idle: borne with for %s", time.Since(begin))
	}
}

// TestAClientThatDoesNotRead is given up.
func TestAClientThatDoesNotRead(t *testing.T) {
	failed := make(chan error, 1)
	s := serveWith(t, listen(t), Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(1<<30))
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				failed <- err
				return
			}
		}
	}), HeaderTimeout: time.Second, WriteTimeout: 100 * time.Millisecond, IdleTimeout: time.Second})
	s.dial(t).send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
	select {
	case err := <-failed:
		var timeout net.Error
		if !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("the lane waits for ever")
	}
}

// flaky fails to accept now and then.
type flaky struct {
	net.Listener
	calls atomic.Int64
}

type passing struct{}

func (passing) Error() string   { return "too many open files" }
func (passing) Timeout() bool   { return false }
func (passing) Temporary() bool { return true }

func (f *flaky) Accept() (net.Conn, error) {
	if f.calls.Add(1)%2 == 1 {
		return nil, passing{}
	}
	return f.Listener.Accept()
}

// TestErrorsOfTheListener are the server's to judge.
func TestErrorsOfTheListener(t *testing.T) {
	s := serveWith(t, &flaky{Listener: listen(t)}, Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { text(w, "a") })})
	for range 3 {
		if _, body := s.dial(t).get("/a"); body != "a" {
			t.Error(body)
		}
	}
	broken := listen(t)
	s = serveWith(t, broken, Config{Handler: http.NotFoundHandler()})
	broken.Close()
	if err := <-s.done; !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if s.lane.Addr().String() != s.address {
		t.Error(s.lane.Addr())
	}
}
