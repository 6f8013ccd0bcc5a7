package limit

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/assay-register/assay/dynamic/web"
)

// held begins requests of clients that stay under way until release is called.
func held(t *testing.T, p *Parallel, clients ...string) (release func()) {
	t.Helper()
	begun, end := make(chan struct{}), make(chan struct{})
	h := p.Guard(func(http.ResponseWriter, *http.Request) error { begun <- struct{}{}; <-end; return nil })
	var group sync.WaitGroup
	for _, client := range clients {
		group.Go(func() {
			if err := h(httptest.NewRecorder(), httptest.NewRequest("GET", "/x", nil).WithContext(web.WithClient(t.Context(), client))); err != nil {
				t.Error(err)
			}
		})
		<-begun
	}
	return func() { close(end); group.Wait() }
}

// TestRequestsUnderWayAreBounded fills a client's share and the room of all:
// the client with too many is told so first, and everything is free again when
// the requests have ended.
func TestRequestsUnderWayAreBounded(t *testing.T) {
	t.Parallel()
	p := NewParallel("calls", 2, 3)
	ask := func(client string, change func(*http.Request) *http.Request) *httptest.ResponseRecorder {
		return ask(p.Guard(func(w http.ResponseWriter, _ *http.Request) error { w.WriteHeader(204); return nil }), func(r *http.Request) *http.Request {
			r.RemoteAddr = client + ":1"
			return change(r)
		})
	}
	same := func(r *http.Request) *http.Request { return r }
	release := held(t, p, "192.0.2.1", "192.0.2.1", "192.0.2.2")
	for client, want := range map[string]int{"192.0.2.1": 429, "192.0.2.2": 503, "192.0.2.3": 503} {
		if w := ask(client, same); w.Code != want || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %d, Retry-After %q; want %d", client, w.Code, w.Header().Get("Retry-After"), want)
		}
	}
	if w := ask("192.0.2.1", func(r *http.Request) *http.Request { return r.WithContext(Exempt(r.Context())) }); w.Code != 204 {
		t.Errorf("what the service asks itself: %d", w.Code)
	}
	release()
	if len(p.underway) != 0 || p.total != 0 {
		t.Errorf("after all ended, %d clients have %d requests under way", len(p.underway), p.total)
	}
	if w := ask("192.0.2.1", same); w.Code != 204 {
		t.Errorf("after all ended: %d", w.Code)
	}
}
