package dynamic

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/lane"
)

// beside serves the same twice: once as it is served, once without the lane.
type beside struct {
	network, laned, plain string
	// repeated counts the answers that were repeated, handed the connections
	// that went to the server.
	repeated, handed atomic.Int64
}

func (b *beside) listen(tb testing.TB) net.Listener {
	tb.Helper()
	address := "127.0.0.1:0"
	if b.network == "unix" {
		dir, err := os.MkdirTemp("", "lane")
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { os.RemoveAll(dir) })
		address = filepath.Join(dir, "s")
	}
	l, err := net.Listen(b.network, address)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// Accept counts.
type counted struct {
	net.Listener
	accepted *atomic.Int64
}

func (c counted) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.accepted.Add(1)
	}
	return conn, err
}

// serveBeside serves files by the service, all else by a handler that shows what
// it was asked.
func serveBeside(tb testing.TB, s *Service, network string) *beside {
	tb.Helper()
	b := &beside{network: network}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.isFile(r.URL.Path) {
			s.handler.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %q %q %v %q %v", r.Method, r.RequestURI, r.Host, r.Header, body, err)
	})
	run := func(wrap func(net.Listener, *http.Server) net.Listener) string {
		l := b.listen(tb)
		server := s.server(tb.Context())
		server.Handler = handler
		done := make(chan error, 1)
		wrapped := wrap(l, server)
		go func() { done <- server.Serve(wrapped) }()
		tb.Cleanup(func() { server.Close(); <-done })
		return l.Addr().String()
	}
	b.plain = run(func(l net.Listener, _ *http.Server) net.Listener { return l })
	b.laned = run(func(l net.Listener, server *http.Server) net.Listener {
		config := s.laneConfig(server)
		recall := config.Recall
		config.Recall = func(q *lane.Request) *lane.Answer {
			a := recall(q)
			if a != nil {
				b.repeated.Add(1)
			}
			return a
		}
		return counted{lane.New(l, config), &b.handed}
	})
	return b
}

// reply is an answer without what no two answers share.
type reply struct {
	Status int
	Header http.Header
	Body   string
}

// ask sends bytes and reads all answers until the server ends the connection.
func (b *beside) ask(tb testing.TB, address string, raw []byte) (list []reply, rest string) {
	tb.Helper()
	conn, err := net.Dial(b.network, address)
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	conn.Write(raw)
	conn.(interface{ CloseWrite() error }).CloseWrite()
	in := bufio.NewReader(conn)
	method := "GET"
	if bytes.HasPrefix(raw, []byte("HEAD ")) {
		method = "HEAD"
	}
	for {
		if _, err := in.Peek(1); err != nil {
			return list, ""
		}
		res, err := http.ReadResponse(in, &http.Request{Method: method})
		if err != nil {
			text, _ := io.ReadAll(in)
			return list, err.Error() + string(text)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil {
			return list, err.Error()
		}
		for _, name := range []string{"Date", "X-Request-Id"} {
			if res.Header.Get(name) != "" {
				res.Header.Set(name, "one")
			}
		}
		list = append(list, reply{res.StatusCode, res.Header, string(body)})
	}
}

func (b *beside) compare(tb testing.TB, raw []byte) []reply {
	tb.Helper()
	got, gotRest := b.ask(tb, b.laned, raw)
	want, wantRest := b.ask(tb, b.plain, raw)
	if !reflect.DeepEqual(got, want) || gotRest != wantRest {
		tb.Errorf("%.300q:\nwith the lane    %.600v %.100q\nwithout the lane %.600v %.100q", raw, got, gotRest, want, wantRest)
	}
	return got
}
