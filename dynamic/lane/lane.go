package lane

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Config is what a lane needs.
type Config struct {
	// Handler answers the requests that the lane takes.
	Handler http.Handler
	// Takes tells of a path whether Handler answers GET and HEAD of it without
	// waiting for anything but the disk.
	Takes func(path string) bool
	// Recall finds an answer that Handler would give again, nil if there is none.
	Recall func(*Request) *Answer
	// Log gets the panics of the handler.
	Log *slog.Logger
	// The timeouts are those of the server behind the lane (http.Server).
	HeaderTimeout, WriteTimeout, IdleTimeout time.Duration
}

// Answer is one that was given before: a 200.
type Answer struct {
	// Fields are the header fields with their line ends, but for Date and
	// X-Request-Id; ID is the value of the latter. Body is the content.
	Fields, Body []byte
	ID           string
	// Done is called when the answer was sent, with the bytes of its content.
	Done func(sent int64)
}

// Lane is a listener from which an http.Server accepts the connections that the
// lane does not serve itself.
type Lane struct {
	inner  net.Listener
	config Config
	// handed are connections, and errors of the listener, on their way to Accept.
	handed chan accepted
	closed chan struct{}
	close  sync.Once
	// draining tells that each connection ends after the answer it waits for.
	draining atomic.Bool
	serving  sync.WaitGroup
	mu       sync.Mutex
	conns    map[*conn]struct{}
	today    atomic.Pointer[dated]
}

type accepted struct {
	conn net.Conn
	err  error
}

// New puts a lane before a listener. It ends with Close.
func New(listener net.Listener, c Config) *Lane {
	l := &Lane{inner: listener, config: c, handed: make(chan accepted), closed: make(chan struct{}), conns: map[*conn]struct{}{}}
	go l.listen()
	return l
}

// listen serves connections until the listener is closed. The server is told of
// each error; it waits a while before it accepts again, and so does the lane.
func (l *Lane) listen() {
	for {
		inner, err := l.inner.Accept()
		switch {
		case l.draining.Load():
			if err == nil {
				inner.Close()
			}
			return
		case err != nil:
			l.hand(accepted{err: err})
		default:
			l.admit(inner)
		}
	}
}

// admit begins to serve a connection, unless the lane has just been closed.
func (l *Lane) admit(inner net.Conn) {
	c := &conn{Conn: inner, lane: l, remote: inner.RemoteAddr().String()}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.draining.Load() {
		inner.Close()
		return
	}
	l.conns[c] = struct{}{}
	l.serving.Go(c.serve)
}

func (l *Lane) forget(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
}

// hand gives a connection to the server and waits until it takes it, false when
// it never will.
func (l *Lane) hand(a accepted) bool {
	select {
	case l.handed <- a:
		return true
	case <-l.closed:
		return false
	}
}

// Accept implements net.Listener.
func (l *Lane) Accept() (net.Conn, error) {
	select {
	case a := <-l.handed:
		return a.conn, a.err
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Addr implements net.Listener.
func (l *Lane) Addr() net.Addr { return l.inner.Addr() }

// Close implements net.Listener. Connections that the lane serves end with the
// answers that they are about to get.
func (l *Lane) Close() error {
	err := l.drain()
	l.close.Do(func() { close(l.closed) })
	return err
}

// drain lets no connection in and wakes those that wait for a request.
func (l *Lane) drain() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.draining.Swap(true) {
		return nil
	}
	for c := range l.conns {
		c.SetReadDeadline(longAgo) //nolint:errcheck // it is closed if this fails
	}
	return l.inner.Close()
}

// longAgo is a deadline that has passed.
var longAgo = time.Unix(1, 0)

// Shutdown ends the connections that the lane serves, each after the answer it is
// about to get, and waits for them until ctx ends. The server should be shut down
// after that: it still accepts what the lane hands over.
func (l *Lane) Shutdown(ctx context.Context) error {
	err := l.drain()
	done := make(chan struct{})
	go func() {
		l.serving.Wait()
		close(done)
	}()
	select {
	case <-done:
		return err
	case <-ctx.Done():
		l.cut()
		return ctx.Err()
	}
}

// cut closes what did not end by itself.
func (l *Lane) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		c.Close()
	}
}

// dated is the value of Date in one second.
type dated struct {
	second int64
	text   string
}

func (l *Lane) date(now time.Time) string {
	d := l.today.Load()
	if d == nil || d.second != now.Unix() {
		d = &dated{now.Unix(), now.UTC().Format(http.TimeFormat)}
		l.today.Store(d)
	}
	return d.text
}
