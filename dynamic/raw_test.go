package dynamic

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
)

// serve runs the service on a loopback port until the test ends.
func serve(t *testing.T, s *Service) (address string, stop func() error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, listener) }()
	return listener.Addr().String(), func() error { cancel(); return <-done }
}

// TestRawTargets sends request targets that no client would write.
func TestRawTargets(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 5})
	address, stop := serve(t, s)
	defer stop()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for target, status := range map[string]int{
		"/../../etc/passwd": 404, "/%2e%2e/%2e%2e/etc/passwd": 404, "/..%2f..%2fetc/passwd": 404, "/.assay/lock": 404, "/a%00b": 400, "/%5c..%5cx": 404,
		"//evil.example/": 404, "/%2fevil.example/": 404, "/snapshot.json/": 308, "/api/v1/entries?limit=%": 400, "/api/v1/entries?limit=%c3%28": 400,
		"/./snapshot.json": 404, "/snapshot.json": 200, "/%73napshot.json": 200, "/api/v1/../../snapshot.json": 404,
	} {
		r := &http.Request{Method: "GET", URL: &url.URL{Scheme: "http", Host: address, Opaque: target}, Header: http.Header{}}
		if strings.HasPrefix(target, "//") {
			r.URL.Opaque = "//" + address + target
		}
		res, err := client.Do(r)
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != status || status >= 400 && res.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s %.80s", target, res.StatusCode, res.Header.Get("Content-Type"), body)
		}
	}
}

func TestARequestInFlightIsFinished(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 5})
	entered := make(chan struct{})
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		time.Sleep(200 * time.Millisecond)
		if r.Context().Err() != nil {
			t.Error("the request was cancelled by the shutdown")
		}
		io.WriteString(w, "done")
	})
	address, stop := serve(t, s)
	answer := make(chan string, 1)
	go func() {
		client := &http.Client{}
		res, err := client.Get("http://" + address + "/")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer res.Body.Close()
		b, _ := io.ReadAll(res.Body)
		answer <- string(b)
	}()
	<-entered
	if err := stop(); err != nil {
		t.Error(err)
	}
	if got := <-answer; got != "done" {
		t.Errorf("answer %q", got)
	}
}

// TestRunWatchesTheFolder waits for a build to be noticed.
func TestRunWatchesTheFolder(t *testing.T) {
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 5})
	s, err := New(Config{SiteDir: site.Dir, WatchEvery: 5 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	_, stop := serve(t, s)
	next := sitetest.Make(t, site.Dir, sitetest.Options{Entries: 5, Generation: 1})
	for deadline := time.Now().Add(5 * time.Second); s.library.Current().ID != next.Catalog.ID; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the new snapshot was not noticed")
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// TestALargeDocumentStreams reads a document larger than one chunk over a connection.
func TestALargeDocumentStreams(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 3})
	line := strings.Repeat("0123456789abcdef", 64) + "\n"
	put(t, s, site, map[string]string{"/huge.ndjson": strings.Repeat(line, 9000)})
	address, stop := serve(t, s)
	defer stop()
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true}}
	res, err := client.Get("http://" + address + "/huge.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	n := 0
	for lines := bufio.NewScanner(res.Body); lines.Scan(); n++ {
	}
	if n != 9000 || res.ContentLength != int64(len(line)*9000) {
		t.Errorf("%d lines, length %d", n, res.ContentLength)
	}
}
