package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// clock stands still but for what is slept.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.slept = c.now.Add(d), append(c.slept, d)
	return ctx.Err()
}

// serve starts a server and a fetcher whose clock stands still.
func serve(t *testing.T, o Options, h http.HandlerFunc) (*Fetcher, *clock, string) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c := &clock{now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	o.Client, o.Now, o.Sleep = server.Client(), c.Now, c.Sleep
	if o.Jitter == nil {
		o.Jitter = func() float64 { return 0 }
	}
	return New(o), c, server.URL
}

func read(t *testing.T, s *Session, r source.Request) (string, error) {
	t.Helper()
	resp, err := s.Fetch(t.Context(), r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

func TestAttempts(t *testing.T) {
	for _, c := range []struct {
		name     string
		statuses []int
		header   string
		code     source.Code
		slept    []time.Duration
	}{
		{"at once", []int{200}, "", "", nil},
		{"one hiccup", []int{503, 200}, "", "", []time.Duration{2 * time.Second}},
		{"doubling", []int{500, 502, 504, 200}, "", "", []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second}},
		{"given up", []int{500, 500, 500, 500, 200}, "", CodeStatus, []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second}},
		{"retry after seconds", []int{429, 200}, "7", "", []time.Duration{7 * time.Second}},
		{"retry after a date", []int{503, 200}, "Sat, 21 Nov 2026 09:01:30 GMT", "", []time.Duration{90 * time.Second}},
		{"retry after the past", []int{503, 200}, "Sat, 21 Nov 2020 09:01:30 GMT", "", []time.Duration{2 * time.Second}},
		{"retry after junk", []int{429, 200}, "soon", "", []time.Duration{2 * time.Second}},
		{"retry after too long", []int{429, 200}, "3600", CodeThrottled, nil},
		{"retry after beyond any number", []int{429, 200}, "99999999999999999999", "", []time.Duration{2 * time.Second}},
		{"not found", []int{404, 200}, "", CodeStatus, nil},
		{"forbidden, with a pause", []int{403, 200}, "5", CodeStatus, nil},
		{"not implemented", []int{501, 200}, "", CodeStatus, nil},
		{"request timeout", []int{408, 200}, "", "", []time.Duration{2 * time.Second}},
		{"no content", []int{204}, "", CodeStatus, nil},
		{"not modified without being asked", []int{304}, "", CodeStatus, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := 0
			f, clock, url := serve(t, Options{Gap: time.Nanosecond}, func(w http.ResponseWriter, _ *http.Request) {
				status := c.statuses[n]
				n++
				if c.header != "" && status != 200 {
					w.Header().Set("Retry-After", c.header)
				}
				w.WriteHeader(status)
				if status == 200 {
					fmt.Fprint(w, "{}")
				}
			})
			body, err := read(t, f.Session(nil), source.Request{URL: url})
			var e *source.FetchError
			switch {
			case c.code == "" && (err != nil || body != "{}"):
				t.Fatalf("%q, %v", body, err)
			case c.code != "" && (!errors.As(err, &e) || e.Code != c.code || e.Attempts != n || e.Status != c.statuses[n-1]):
				t.Fatalf("error %v (%d requests)", err, n)
			}
			slept := slices.DeleteFunc(clock.slept, func(d time.Duration) bool { return d <= time.Nanosecond })
			if !slices.Equal(slept, c.slept) {
				t.Errorf("slept %v, want %v", slept, c.slept)
			}
		})
	}
}

func TestJitterShortensThePause(t *testing.T) {
	f, clock, url := serve(t, Options{Gap: time.Nanosecond, Attempts: 2, Jitter: func() float64 { return 1 }},
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	if _, err := read(t, f.Session(nil), source.Request{URL: url}); err == nil || clock.slept[0] != time.Second {
		t.Errorf("%v, slept %v", err, clock.slept)
	}
}

func TestGapPerHost(t *testing.T) {
	f, clock, url := serve(t, Options{Gap: 3 * time.Second}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/", http.StatusFound)
		}
	})
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer other.Close()
	s := f.Session(nil)
	for _, c := range []struct {
		url   string
		slept int
	}{{url, 0}, {other.URL, 0}, {url, 1}, {url, 2}, {url + "/moved", 4}, {other.URL, 4}} {
		if _, err := read(t, s, source.Request{URL: c.url}); err != nil {
			t.Fatal(err)
		}
		if len(clock.slept) != c.slept {
			t.Errorf("%s: %v", c.url, clock.slept)
		}
	}
	for _, d := range clock.slept {
		if d != 3*time.Second {
			t.Errorf("slept %v", clock.slept)
		}
	}
	if s.Pages() != 6 {
		t.Errorf("%d pages", s.Pages())
	}
}

// TestRetryAfterHoldsForTheHost: the next page of the host waits too.
func TestRetryAfterHoldsForTheHost(t *testing.T) {
	f, clock, url := serve(t, Options{Attempts: 1}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/busy" {
			w.Header().Set("Retry-After", "40")
			w.WriteHeader(503)
		}
	})
	_, busy := read(t, f.Session(nil), source.Request{URL: url + "/busy"})
	_, err := read(t, f.Session(nil), source.Request{URL: url})
	if busy == nil || err != nil || len(clock.slept) != 1 || clock.slept[0] != 40*time.Second {
		t.Errorf("%v, %v, slept %v", busy, err, clock.slept)
	}
}

func TestConditional(t *testing.T) {
	asked := []string{}
	f, _, url := serve(t, Options{Gap: time.Nanosecond}, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("If-None-Match")+"|"+r.Header.Get("If-Modified-Since"))
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Last-Modified", "Sat, 21 Nov 2026 08:00:00 GMT")
		if r.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
		}
	})
	s := f.Session(nil)
	for range 2 {
		if _, err := read(t, s, source.Request{URL: url + "/p"}); err != nil {
			t.Fatal(err)
		}
	}
	want := []catalog.Validator{{URL: url + "/p", ETag: `"v1"`, LastModified: "Sat, 21 Nov 2026 08:00:00 GMT"}}
	if !slices.Equal(s.Validators(), want) {
		t.Fatalf("validators %+v", s.Validators())
	}
	again := f.Session(want)
	if _, err := read(t, again, source.Request{URL: url + "/p"}); !Unchanged(err) {
		t.Errorf("error %v", err)
	}
	if _, err := read(t, again, source.Request{URL: url + "/p"}); err != nil {
		t.Errorf("the second page was asked for with a condition: %v", err)
	}
	if _, err := read(t, f.Session(want), source.Request{URL: url + "/q"}); err != nil {
		t.Errorf("another page was asked for with a condition: %v", err)
	}
	plain := f.Session(want)
	if _, err := read(t, plain, source.Request{URL: url + "/p", Unconditional: true}); err != nil || plain.Validators() != nil {
		t.Errorf("a page that says nothing of the rest was asked for with a condition, or left one: %v, %v", err, plain.Validators())
	}
	if _, err := read(t, plain, source.Request{URL: url + "/p"}); err != nil {
		t.Errorf("the page after it was asked for with a condition: %v", err)
	}
	if conditions := slices.DeleteFunc(asked, func(s string) bool { return s == "|" }); len(conditions) != 1 {
		t.Errorf("asked %q", asked)
	}
}

func TestHeaderOfTheRequest(t *testing.T) {
	var got http.Header
	f, _, url := serve(t, Options{}, func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Clone() })
	if _, err := read(t, f.Session(nil), source.Request{URL: url, Accept: "text/turtle, application/rdf+xml;q=0.5"}); err != nil {
		t.Fatal(err)
	}
	if got.Get("Accept") != "text/turtle, application/rdf+xml;q=0.5" || got.Get("Accept-Encoding") != "gzip" || got.Get("If-None-Match") != "" {
		t.Errorf("%v", got)
	}
}

func TestPublicAddress(t *testing.T) {
	for raw, want := range map[string]string{
		"https://user:secret@data.example/a/b?api_key=s3cret#x": "https://data.example/a/b",
		"http://data.example":    "http://data.example",
		"://":                    "an address that cannot be read",
		"file:///etc/passwd":     "an address that cannot be read",
		"https://[::1]:8080/a b": "https://[::1]:8080/a%20b",
	} {
		if got := Public(raw); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}
