package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
)

// short are limits that a hostile server meets within a second.
func short(client *http.Client) Options {
	return Options{Client: client, Gap: time.Millisecond, Attempts: 2, Backoff: time.Millisecond, HeaderTime: 800 * time.Millisecond,
		Stall: 150 * time.Millisecond, BodyTime: 700 * time.Millisecond, MinRate: 1000,
		Limits: source.Limits{Bytes: 4 << 20, Ratio: 20, RatioFrom: 1 << 20}}
}

// bomb unfolds to a thousand times its size.
var bomb = zipped(make([]byte, 3<<20))

func zipped(b []byte) []byte {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	z.Write(b)
	z.Close()
	return buf.Bytes()
}

func write(w http.ResponseWriter, b string) bool {
	_, err := io.WriteString(w, b)
	return err == nil && http.NewResponseController(w).Flush() == nil
}

// abort ends the connection without an answer, or in the middle of one.
func abort() { panic(http.ErrAbortHandler) }

var hostile = []struct {
	name  string
	code  source.Code
	serve http.HandlerFunc
	// bytes is the least that must have been delivered before the end.
	bytes int
	// requests is how many requests must have been made.
	requests int
}{
	{"slow drip", CodeSlow, func(w http.ResponseWriter, r *http.Request) {
		for write(w, "x") {
			time.Sleep(20 * time.Millisecond)
		}
	}, 0, 1},
	{"pause", CodeSlow, func(w http.ResponseWriter, r *http.Request) {
		write(w, strings.Repeat("x", 2<<20))
		<-r.Context().Done()
	}, 1 << 20, 1},
	{"fast enough, for ever", CodeSlow, func(w http.ResponseWriter, r *http.Request) {
		for write(w, strings.Repeat("x", 100)) {
			time.Sleep(10 * time.Millisecond)
		}
	}, 0, 1},
	{"no header", CodeTimeout, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 0, 2},
	{"endless body", source.CodeInputTooLarge, func(w http.ResponseWriter, r *http.Request) {
		for write(w, strings.Repeat("x", 64<<10)) {
		}
	}, 1 << 20, 1},
	{"redirect loop", CodeRedirects, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/again?"+r.URL.RawQuery+"x", http.StatusFound)
	}, 0, 6},
	{"redirect without address", CodeStatus, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusFound) }, 0, 1},
	{"gzip bomb", source.CodeDecompressionBomb, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(bomb)
	}, 1 << 20, 1},
	{"endless gzip", source.CodeInputTooLarge, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z, _ := gzip.NewWriterLevel(w, gzip.NoCompression)
		for {
			if _, err := z.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}, 1 << 20, 1},
	{"cut gzip", source.CodeTruncatedGzip, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		b := zipped([]byte(strings.Repeat("some text ", 1000)))
		w.Write(b[:len(b)/2])
	}, 0, 2},
	{"damaged gzip", source.CodeCorruptGzip, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		b := zipped([]byte(strings.Repeat("some text ", 1000)))
		b[len(b)-6] ^= 0xff
		w.Write(b)
	}, 0, 1},
	{"no gzip at all", source.CodeCorruptGzip, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		fmt.Fprint(w, "{\"plain\":true}")
	}, 0, 1},
	{"coding that was not asked for", CodeEncoding, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		fmt.Fprint(w, "xx")
	}, 0, 1},
	{"hangs up", CodeConnection, func(http.ResponseWriter, *http.Request) { abort() }, 0, 2},
	{"breaks off", source.CodeTruncated, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		write(w, "the beginning")
		abort()
	}, 0, 2},
	{"breaks off late", source.CodeTruncated, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "3000000")
		write(w, strings.Repeat("x", 2<<20))
		abort()
	}, 1 << 20, 1},
	{"500", CodeStatus, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500) }, 0, 2},
	{"web page", CodeContentType, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, "\ufeff\n<!-- portal -->\n<!DOCTYPE HTML><title>Down for maintenance</title>")
	}, 0, 1},
	{"header without end", CodeConnection, func(w http.ResponseWriter, r *http.Request) {
		for i := range 300 {
			w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 1000))
		}
	}, 0, 2},
}

func TestHostileServers(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { requests.Add(1); c.serve(w, r) }))
			defer server.Close()
			client := server.Client()
			client.Transport.(*http.Transport).MaxResponseHeaderBytes = 64 << 10
			began := time.Now()
			opts := short(client)
			if c.code != CodeSlow && c.code != CodeTimeout {
				opts.HeaderTime, opts.Stall, opts.BodyTime = time.Minute, time.Minute, time.Minute
			}
			if c.code == CodeSlow && c.bytes > 0 { // what must arrive first may take its time
				opts.HeaderTime, opts.Stall, opts.BodyTime = time.Minute, 2*time.Second, time.Minute
			}
			n, err := drain(t, New(opts), server.URL)
			var e *source.FetchError
			if !errors.As(err, &e) || e.Code != c.code {
				t.Fatalf("error %v, want code %s", err, c.code)
			}
			if d := time.Since(began); d > time.Minute/2 {
				t.Errorf("took %v", d)
			}
			if n < c.bytes || n > 5<<20 {
				t.Errorf("%d bytes were delivered", n)
			}
			if n := int(requests.Load()); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
			if strings.Contains(e.Error(), "secret") || !strings.Contains(e.Error(), server.URL) {
				t.Errorf("message %q", e)
			}
		})
	}
}

func drain(t *testing.T, f *Fetcher, url string) (int, error) {
	resp, err := f.Session(nil).Fetch(t.Context(), source.Request{URL: url + "/page?key=secret", Accept: "application/json"})
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	return int(n), err
}

func TestHonestServers(t *testing.T) {
	text := strings.Repeat("Größe, ", 400_000)
	packed := zipped([]byte(text))
	for name, serve := range map[string]http.HandlerFunc{
		"plain": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, text) },
		"gzip": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(packed)
		},
		"wrong type": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, text)
		},
		"redirected": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/4" {
				http.Redirect(w, r, map[string]string{"/page": "/1", "/1": "/2", "/2": "/3", "/3": "/4"}[r.URL.Path], http.StatusMovedPermanently)
				return
			}
			fmt.Fprint(w, text)
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(serve)
			defer server.Close()
			o := short(server.Client())
			o.Limits = source.Limits{}
			resp, err := New(o).Session(nil).Fetch(t.Context(), source.Request{URL: server.URL + "/page", Accept: "application/json"})
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			// A reader that takes its time is not the server's fault.
			head := make([]byte, 1<<20+7)
			if _, err := io.ReadFull(resp.Body, head); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * o.Stall)
			rest, err := io.ReadAll(resp.Body)
			if err != nil || string(head)+string(rest) != text {
				t.Errorf("%d bytes, %v", len(head)+len(rest), err)
			}
		})
	}
}

func TestTLSFailureIsNamed(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer plain.Close()
	for _, url := range []string{server.URL, strings.Replace(plain.URL, "http:", "https:", 1)} {
		o := short(&http.Client{Transport: &http.Transport{}})
		o.HeaderTime = 10 * time.Second
		_, err := drain(t, New(o), url)
		var e *source.FetchError
		if !errors.As(err, &e) || e.Code != CodeTLS || e.Attempts != 1 {
			t.Errorf("error %v", err)
		}
	}
}

func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	for url, code := range map[string]source.Code{
		"http://" + l.Addr().String(): CodeConnection, "http://nobody.invalid": CodeDNS, "mailto:x@y": source.CodeBadURL, "http://": source.CodeBadURL,
	} {
		o := short(&http.Client{})
		if code == CodeDNS {
			o.Client.Transport = &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "nobody.invalid", IsNotFound: true}}
			}}
		}
		_, err := New(o).Session(nil).Fetch(t.Context(), source.Request{URL: url})
		var e *source.FetchError
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		write(w, strings.Repeat("x", 2<<20))
		<-r.Context().Done()
	}))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	o := short(server.Client())
	o.Stall = time.Minute
	resp, err := New(o).Session(nil).Fetch(ctx, source.Request{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := io.Copy(io.Discard, resp.Body); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := New(o).Session(nil).Fetch(ctx, source.Request{URL: server.URL}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
