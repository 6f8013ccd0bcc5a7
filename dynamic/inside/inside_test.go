package inside

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/limit"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/snapshot"
)

// asked is what a handler saw of a request.
type asked struct {
	method, target, accept, media, body, client, caller string
}

// recording answers behind a front, as the service does, and keeps what it was asked.
func recording(seen *asked) *API {
	front := &web.Front{Now: time.Now, Timeout: time.Second, BodyMax: 1 << 10, Log: slog.New(slog.DiscardHandler),
		Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, Site: func() (snapshot.Site, string) { return snapshot.Site{}, "" }}
	return New(front.Wrap(front.Adapt(limit.New("reads", 1, time.Now).Guard(func(w http.ResponseWriter, r *http.Request) error {
		b, err := io.ReadAll(r.Body)
		*seen = asked{r.Method, r.RequestURI, r.Header.Get("Accept"), r.Header.Get("Content-Type"), string(b), web.ClientOf(r.Context()), web.CallerOf(r.Context()).Name}
		w.Header().Set("X-Seen", "yes")
		w.WriteHeader(http.StatusAccepted)
		w.Write([]byte("taken"))
		return err
	}))))
}

// TestAsk asks more often than a client may: what the service asks itself is
// not counted. A client whose address a proxy could have stays the client.
func TestAsk(t *testing.T) {
	var seen asked
	api := recording(&seen)
	for _, client := range []string{"192.0.2.7", "2001:db8:1:2::/64", "10.1.2.3", ""} {
		ctx := web.WithCaller(web.WithClient(t.Context(), client), web.Caller{Name: "Ada"})
		a, err := api.Ask(ctx, http.MethodPost, "/a/%C3%A9?x=1", map[string]int{"n": 1})
		if err != nil || a.Status != http.StatusAccepted || string(a.Body) != "taken" || a.Header.Get("X-Seen") != "yes" || a.Problem() != nil {
			t.Fatalf("%+v, %v", a, err)
		}
		if want := (asked{"POST", "/a/%C3%A9?x=1", accept, "application/json", `{"n":1}`, client, "Ada"}); seen != want {
			t.Errorf("the interface saw %+v, not %+v", seen, want)
		}
	}
	if _, err := api.Get(t.Context(), "/a"); err != nil || seen != (asked{"GET", "/a", accept, "", "", "", ""}) {
		t.Errorf("%+v, %v", seen, err)
	}
}

func TestWhatCannotBeAsked(t *testing.T) {
	api := New(http.NotFoundHandler())
	if _, err := api.Get(t.Context(), "/a\nb"); err == nil {
		t.Error("a control character in the target is no error")
	}
	if _, err := api.Ask(t.Context(), "POST", "/a", func() {}); err == nil {
		t.Error("a body that is no JSON is no error")
	}
}

// TestAnswersThatBreakOff gives errors, and never a piece of an answer.
func TestAnswersThatBreakOff(t *testing.T) {
	over := func(w http.ResponseWriter, after func()) {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				after()
				return
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, x := range map[string]struct {
		ctx    context.Context
		answer http.HandlerFunc
		want   string
	}{
		"too long":            {t.Context(), func(w http.ResponseWriter, _ *http.Request) { over(w, func() {}) }, "too long"},
		"too long, given up":  {t.Context(), func(w http.ResponseWriter, _ *http.Request) { over(w, func() { panic(http.ErrAbortHandler) }) }, "too long"},
		"given up":            {t.Context(), func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "broke off"},
		"nobody waits for it": {ended, func(http.ResponseWriter, *http.Request) {}, context.Canceled.Error()},
	} {
		if a, err := New(x.answer).Get(x.ctx, "/a"); err == nil || a != nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, %v", name, a, err)
		}
	}
	defer func() {
		if v := recover(); v == nil {
			t.Error("a fault of a handler is hidden")
		}
	}()
	_, _ = New(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(errors.New("a fault")) })).Get(t.Context(), "/a")
}

func TestProblem(t *testing.T) {
	for _, x := range []struct {
		status       int
		body, detail string
	}{
		{422, `{"status":422,"title":"Invalid","detail":"Not so."}`, "Not so."},
		{503, `<html>`, "The register answered with status 503."},
		{404, `{}`, "The register answered with status 404."},
		{308, ``, "The register answered with status 308."},
	} {
		p := (&Answer{Status: x.status, Body: []byte(x.body)}).Problem()
		if p == nil || p.Status != x.status || p.Detail != x.detail || p.Title == "" {
			t.Errorf("%d %s: %+v", x.status, x.body, p)
		}
	}
}
