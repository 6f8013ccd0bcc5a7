package lane

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestAnswers of handlers that say little, too little or too much about them.
func TestAnswers(t *testing.T) {
	dir := t.TempDir()
	large := strings.Repeat("0123456789abcdef", 1<<16)
	if err := os.WriteFile(filepath.Join(dir, "large"), []byte(large), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		status  int
		body    string
		// last tells that the connection ends with the answer.
		last bool
	}{
		"nothing":   {func(http.ResponseWriter, *http.Request) {}, 200, "", false},
		"a status":  {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); w.WriteHeader(500) }, 404, "", false},
		"a hint":    {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(103); text(w, "a") }, 200, "a", false},
		"no change": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304); io.WriteString(w, "a") }, 304, "", false},
		"in pieces": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "4")
			io.WriteString(w, "ab")
			io.WriteString(w, "cd")
		}, 200, "abcd", false},
		"no length": {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ab"); io.WriteString(w, "cd") }, 200, "abcd", true},
		"too long": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "2")
			io.WriteString(w, "ab")
			if _, err := io.WriteString(w, "c"); !errors.Is(err, http.ErrContentLength) {
				t.Error("too much was taken:", err)
			}
		}, 200, "ab", true},
		"too short": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "3")
			io.WriteString(w, "ab")
		}, 200, "unexpected EOF", true},
		"a panic":  {func(w http.ResponseWriter, _ *http.Request) { text(w, "ab"); panic("on purpose") }, 200, "ab", true},
		"an abort": {func(w http.ResponseWriter, _ *http.Request) { text(w, "ab"); panic(http.ErrAbortHandler) }, 200, "ab", true},
		"a large file": {func(w http.ResponseWriter, _ *http.Request) {
			copyFile(t, w, filepath.Join(dir, "large"), len(large), len(large))
		}, 200, large, false},
		"a part":           {func(w http.ResponseWriter, _ *http.Request) { copyFile(t, w, filepath.Join(dir, "large"), 100, 100) }, 200, large[:100], false},
		"a file that grew": {func(w http.ResponseWriter, _ *http.Request) { copyFile(t, w, filepath.Join(dir, "large"), 100, 200) }, 0, "unexpected EOF", true},
		"two lines":        {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-A", "a\r\nX-B: b"); text(w, "ab") }, 200, "ab", false},
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(t, c.handler).dial(t)
			res, body := client.get("/a")
			if res.StatusCode != c.status || body != c.body || res.Header.Get("X-B") != "" {
				t.Errorf("%d %.40q %v", res.StatusCode, body, res.Header)
			}
			if c.last {
				if !client.ended() {
					t.Error("the connection goes on")
				}
			} else if res, again := client.get("/a"); res.StatusCode != c.status || again != c.body {
				t.Errorf("the second answer: %d %.40q", res.StatusCode, again)
			}
		})
	}
}

func copyFile(t *testing.T, w http.ResponseWriter, path string, length, part int) {
	in, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return
	}
	defer in.Close()
	w.Header().Set("Content-Length", strconv.Itoa(length))
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Second))
	io.CopyN(w, in, int64(part))
}

func TestHeadHasNoContent(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { text(w, "content") })
	c := s.dial(t)
	for range 2 {
		c.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n")
		if res, body := c.answer("HEAD"); res.ContentLength != 7 || body != "" {
			t.Errorf("%q of %d bytes", body, res.ContentLength)
		}
	}
}

// TestRepeatedAnswers are sent without the handler.
func TestRepeatedAnswers(t *testing.T) {
	sent := make(chan int64, 2)
	var asked atomic.Pointer[Request]
	s := serveWith(t, listen(t), Config{Handler: http.NotFoundHandler(), Recall: func(r *Request) *Answer {
		asked.Store(r)
		return &Answer{Fields: []byte("Content-Length: 3\r\nEtag: \"a\"\r\n"), Body: []byte("abc"), ID: "one", Done: func(n int64) { sent <- n }}
	}})
	c := s.dial(t)
	res, body := c.get("/a")
	if res.StatusCode != 200 || body != "abc" || res.Header.Get("Etag") != `"a"` || res.Header.Get("X-Request-Id") != "one" || res.Header.Get("Date") == "" || len(res.Header) != 4 {
		t.Errorf("%d %q %v", res.StatusCode, body, res.Header)
	}
	c.send("HEAD /a HTTP/1.1\r\nHost: x\r\nAccept: b\r\n\r\n")
	if _, body := c.answer("HEAD"); body != "" || asked.Load().Accept != "b" {
		t.Errorf("HEAD: %q of %+v", body, asked.Load())
	}
	if first, second := <-sent, <-sent; first != 3 || second != 0 || s.handled.Load() != 0 {
		t.Errorf("%d and %d bytes, the handler was asked %d times", first, second, s.handled.Load())
	}
}
