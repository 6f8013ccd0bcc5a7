package limit

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/snapshot"
)

// clock is a clock that stands still until it is moved.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func TestAQuotaLastsAWindow(t *testing.T) {
	c := &clock{time.Unix(1000, 0)}
	l := New("reads", 3, c.now)
	for i, want := range []bool{true, true, true, false, false} {
		if got := l.Take("a"); got.OK != want || got.Left != max(0, 2-i) {
			t.Errorf("request %d: %+v", i+1, got)
		}
		c.at = c.at.Add(time.Second)
	}
	if s := l.Take("b"); !s.OK || s.Reset != Window {
		t.Errorf("another client: %+v", s)
	}
	if s := l.Peek("a"); s.OK || s.Reset != Window-5*time.Second {
		t.Errorf("peek: %+v", s)
	}
	c.at = c.at.Add(Window - 6*time.Second)
	if s := l.Take("a"); s.OK {
		t.Errorf("a second before the window ends: %+v", s)
	}
	c.at = c.at.Add(time.Second)
	if s := l.Take("a"); !s.OK || s.Left != 2 {
		t.Errorf("in the next window: %+v", s)
	}
}

func TestPeekCountsNothing(t *testing.T) {
	l := New("guesses", 1, time.Now)
	for range 5 {
		if !l.Peek("a").OK {
			t.Fatal("a peek was counted")
		}
	}
	l.Take("a")
	if l.Peek("a").OK {
		t.Error("a take was not counted")
	}
}

// TestMemoryIsBounded asks as ever new clients, and checks that one that comes
// back all the time stays counted.
func TestMemoryIsBounded(t *testing.T) {
	c := &clock{time.Unix(1000, 0)}
	l := New("reads", 10, c.now)
	for n := range 3 * clientsMax {
		l.Take(fmt.Sprint(n))
		if n%1000 == 0 {
			l.Take("steady")
		}
		if size := len(l.recent) + len(l.older); size > 2*clientsMax+1 {
			t.Fatalf("%d clients are remembered", size)
		}
	}
	if l.Take("steady").OK {
		t.Error("a busy client was forgotten")
	}
	c.at = c.at.Add(Window)
	l.Take("x")
	c.at = c.at.Add(Window)
	l.Take("x")
	if size := len(l.recent) + len(l.older); size > 2 {
		t.Errorf("%d clients are remembered after two windows", size)
	}
}

func TestConcurrentClientsShareAQuotaExactly(t *testing.T) {
	l := New("writes", 500, time.Now)
	var granted atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if l.Take("a").OK {
					granted.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if granted.Load() != 500 {
		t.Errorf("%d of 500 were granted", granted.Load())
	}
}

func ask(h web.Handler, change func(*http.Request) *http.Request) *httptest.ResponseRecorder {
	front := &web.Front{Now: time.Now, Timeout: time.Second, Log: slog.New(slog.DiscardHandler), Site: func() (snapshot.Site, string) { return snapshot.Site{}, "" }}
	w := httptest.NewRecorder()
	front.Wrap(front.Adapt(h)).ServeHTTP(w, change(httptest.NewRequest("GET", "/x", nil)))
	return w
}

func TestGuardTellsWhereAClientStands(t *testing.T) {
	c := &clock{time.Unix(1000, 0)}
	served := 0
	h := New("proxy", 2, c.now).Guard(func(w http.ResponseWriter, _ *http.Request) error {
		served++
		w.WriteHeader(http.StatusNoContent)
		return nil
	})
	same := func(r *http.Request) *http.Request { return r }
	for i, want := range []string{`"proxy";r=1;t=60`, `"proxy";r=0;t=60`, `"proxy";r=0;t=60`} {
		w := ask(h, same)
		if w.Header().Get("RateLimit") != want || w.Header().Get("RateLimit-Policy") != `"proxy";q=2;w=60` {
			t.Errorf("request %d: %v", i+1, w.Header())
		}
		if refused := w.Code == 429; refused != (i == 2) || refused != (w.Header().Get("Retry-After") == "60") {
			t.Errorf("request %d: %d, Retry-After %q", i+1, w.Code, w.Header().Get("Retry-After"))
		}
	}
	ask(h, func(r *http.Request) *http.Request { return r.WithContext(Exempt(r.Context())) })
	ask(h, func(r *http.Request) *http.Request { r.Method = "OPTIONS"; return r })
	if served != 4 {
		t.Errorf("%d requests were served, want 4", served)
	}
}

func TestNoQuotaIsNoLimit(t *testing.T) {
	h := New("reads", 0, time.Now).Guard(func(w http.ResponseWriter, _ *http.Request) error { w.WriteHeader(204); return nil })
	if w := ask(h, func(r *http.Request) *http.Request { return r }); w.Code != 204 || w.Header().Get("RateLimit") != "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func BenchmarkTake(b *testing.B) {
	l := New("reads", 600, time.Now)
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprintf("192.0.2.%d", i)
	}
	for i := 0; b.Loop(); i++ {
		l.Take(names[i%len(names)])
	}
}
