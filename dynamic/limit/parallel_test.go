package limit

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
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
	for client, want := range map[string]int{"192.0.2.1": 429, "192.0.2.2": 429, "192.0.2.3": 503} {
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

// TestFewClientsLeavePlaces: clients that take all that they get, one after the other,
// leave places for those that come.
func TestFewClientsLeavePlaces(t *testing.T) {
	t.Parallel()
	for _, greedy := range []int{1, 6, 8, 20, 69} {
		p := NewParallel("calls", 32, 256)
		for k := range greedy {
			for p.enter(fmt.Sprint("greedy ", k)) == nil {
			}
			if has := p.underway[fmt.Sprint("greedy ", k)]; k < 6 && has != 32 || has == 0 {
				t.Errorf("of %d greedy clients the one that came as number %d has %d places", greedy, k, has)
			}
		}
		if err := p.enter("another"); err != nil {
			t.Errorf("beside %d greedy clients with %d places: %v", greedy, p.total, err)
		}
	}
}

// TestSlowBodiesHaveNoPlace: a request has its place when its body is there.
func TestSlowBodiesHaveNoPlace(t *testing.T) {
	t.Parallel()
	p := NewParallel("calls", 1, 1)
	var got string
	h := p.Guard(func(_ http.ResponseWriter, r *http.Request) error {
		b, err := io.ReadAll(r.Body)
		got = string(b)
		return err
	})
	request := func(client string, body io.Reader) *http.Request {
		return httptest.NewRequest("POST", "/x", body).WithContext(web.WithClient(t.Context(), client))
	}
	out, in := io.Pipe()
	done := make(chan error)
	go func() { done <- h(httptest.NewRecorder(), request("192.0.2.1", out)) }()
	if _, err := io.WriteString(in, "slow"); err != nil { // it is being read
		t.Fatal(err)
	}
	if err := h(httptest.NewRecorder(), request("192.0.2.2", strings.NewReader("quick"))); err != nil || got != "quick" {
		t.Errorf("beside a slow body: %q, %v", got, err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil || got != "slow" {
		t.Errorf("the slow one: %q, %v", got, err)
	}
	broken, cut := io.Pipe()
	cut.CloseWithError(io.ErrUnexpectedEOF)
	var problem *web.Error
	if err := h(httptest.NewRecorder(), request("192.0.2.1", broken)); !errors.As(err, &problem) || problem.Problem.Status != http.StatusBadRequest || len(p.underway) != 0 {
		t.Errorf("a body that broke off: %v, %d under way", err, len(p.underway))
	}
}
