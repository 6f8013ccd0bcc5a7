package verify

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// server answers as the path says.
func server(w http.ResponseWriter, r *http.Request) {
	typed := func(contentType, body string) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
	switch r.URL.Path {
	case "/json":
		typed("application/json; charset=utf-8", `{"ok":true}`)
	case "/html":
		typed("text/html", "<!doctype html><title>x</title>")
	case "/untyped":
		w.Header()["Content-Type"] = nil
		_, _ = io.WriteString(w, "<!DOCTYPE html><html>")
	case "/cut":
		w.Header().Set("Content-Length", "100")
		typed("application/json", "{")
	case "/401", "/403", "/404", "/410", "/451", "/500", "/503", "/429":
		w.Header().Set("Retry-After", "120")
		code := map[string]int{"/401": 401, "/403": 403, "/404": 404, "/410": 410, "/451": 451, "/500": 500, "/503": 503, "/429": 429}[r.URL.Path]
		w.WriteHeader(code)
	case "/wall":
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "The Amazon CloudFront distribution is configured to block access from your Country.")
	case "/private":
		http.Redirect(w, r, "/account/login?next=/private", http.StatusFound)
	case "/account/login":
		typed("text/html", "<html>")
	case "/moved":
		http.Redirect(w, r, "/json", http.StatusMovedPermanently)
	case "/loop":
		http.Redirect(w, r, "/loop", http.StatusFound)
	case "/nohead":
		if r.Method == http.MethodHead {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Range", "bytes 0-3/4000")
		w.Header().Set("Content-Type", "text/csv")
		w.WriteHeader(http.StatusPartialContent)
		_, _ = io.WriteString(w, "a,b\n")
	case "/file":
		w.Header().Set("Content-Length", "4000")
		typed("text/csv", strings.Repeat("x", 4000))
	case "/slow":
		<-r.Context().Done()
	case "/endless":
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 32<<10)); err != nil {
				return
			}
		}
	case "/graphql":
		body, _ := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || !strings.Contains(string(body), "__typename") {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		typed("application/graphql-response+json", `{"data":{"__typename":"Query"}}`)
	case "/hangup":
		c, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = c.Close()
		}
	case "/garbage":
		c, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9.6\r\n\r\n")
			_ = c.Close()
		}
	}
}

func testProber(timeout time.Duration) *Prober {
	transport := &http.Transport{DialContext: (&net.Dialer{}).DialContext, DisableKeepAlives: true}
	return NewProber(ProberOptions{Client: &http.Client{Transport: transport}, Gap: time.Millisecond, Timeout: timeout})
}

func TestProbe(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(server))
	defer srv.Close()
	for _, c := range []struct {
		kind, path string
		data       bool
		up         bool
		status     int
		class      catalog.ErrorClass
		requests   int
	}{
		{KindHTTP, "/json", true, true, 200, "", 1},
		{KindHTTP, "/html", false, true, 200, "", 1},
		{KindHTTP, "/html", true, false, 200, catalog.ErrorContentType, 1},
		{KindHTTP, "/untyped", true, false, 200, catalog.ErrorContentType, 1},
		{KindHTTP, "/cut", true, true, 200, "", 1},
		{KindHTTP, "/401", true, true, 401, "", 1},
		{KindHTTP, "/403", true, true, 403, "", 1},
		{KindHTTP, "/404", true, false, 404, catalog.ErrorHTTP, 1},
		{KindHTTP, "/500", true, false, 500, catalog.ErrorHTTP, 1},
		{KindHTTP, "/451", true, false, 451, catalog.ErrorGeoBlocked, 1},
		{KindHTTP, "/wall", true, false, 403, catalog.ErrorGeoBlocked, 1},
		{KindHTTP, "/429", true, false, 429, catalog.ErrorRateLimited, 1},
		{KindHTTP, "/private", true, false, 200, catalog.ErrorAuthWall, 2},
		{KindHTTP, "/private", false, false, 200, catalog.ErrorAuthWall, 2},
		{KindHTTP, "/moved", true, true, 200, "", 2},
		{KindHTTP, "/loop", true, false, 0, catalog.ErrorHTTP, 10},
		{KindHTTP, "/endless", false, true, 200, "", 1},
		{KindHTTP, "/slow", true, false, 0, catalog.ErrorTimeout, 1},
		{KindHTTP, "/hangup", true, false, 0, catalog.ErrorConnect, 1},
		{KindHTTP, "/garbage", true, false, 0, catalog.ErrorHTTP, 1},
		{KindGraphQL, "/graphql", true, true, 200, "", 1},
		{KindGraphQL, "/html", true, false, 200, catalog.ErrorContentType, 1},
		{KindDistribution, "/file", true, true, 200, "", 1},
		{KindDistribution, "/nohead", true, true, 206, "", 2},
		{KindDistribution, "/404", true, false, 404, catalog.ErrorHTTP, 2},
		{KindDistribution, "/429", true, false, 429, catalog.ErrorRateLimited, 1},
		{KindDistribution, "/403", true, true, 403, "", 2},
		{KindDistribution, "/html", true, false, 200, catalog.ErrorContentType, 2},
	} {
		p := testProber(300 * time.Millisecond) // whose host does not rest
		o := p.Probe(t.Context(), Target{EntryID: "e", Kind: c.kind, URL: srv.URL + c.path, Data: c.data})
		k := &o.Check
		if k.Up != c.up || k.HTTPStatus != c.status || k.Class != c.class || len(o.Exchanges) != c.requests || !o.Reached {
			t.Errorf("%s %s: %+v, %d requests, reached %v", c.kind, c.path, k, len(o.Exchanges), o.Reached)
		}
		if k.EntryID != "e" || k.Kind != c.kind || k.Vantages != 1 || k.At.IsZero() || (k.Error == "") != k.Up || k.RequiresAuth != (c.status == 401 || c.status == 403 && c.up) {
			t.Errorf("%s %s: row %+v", c.kind, c.path, k)
		}
		if k.HTTPStatus != 0 && k.LatencyMS <= 0 {
			t.Errorf("%s %s: no latency", c.kind, c.path)
		}
		if asks := c.path == "/429" || c.path == "/503"; asks == o.RestUntil.IsZero() {
			t.Errorf("%s: rests until %s", c.path, o.RestUntil)
		}
	}
}

// TestProbeBytes: the length that a server announces counts, and an endless
// answer is cut.
func TestProbeBytes(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(server))
	defer srv.Close()
	p := testProber(5 * time.Second)
	for path, want := range map[string]int64{"/file": 4000, "/endless": headBytes, "/json": 11} {
		o := p.Probe(t.Context(), Target{Kind: KindHTTP, URL: srv.URL + path})
		if o.Check.Bytes != want {
			t.Errorf("%s: %d bytes, want %d", path, o.Check.Bytes, want)
		}
	}
}

// TestProbeOfNobody: failures before a connection are those that may be the
// whole host's.
func TestProbeOfNobody(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(server))
	defer plain.Close()
	secure := httptest.NewUnstartedServer(http.HandlerFunc(server))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	closed := httptest.NewServer(http.HandlerFunc(server))
	closed.Close()
	p := testProber(2 * time.Second)
	for url, class := range map[string]catalog.ErrorClass{
		closed.URL: catalog.ErrorConnect, secure.URL + "/json": catalog.ErrorTLS,
		"https" + strings.TrimPrefix(plain.URL, "http") + "/json": catalog.ErrorTLS, "https://no-such-host.invalid/": catalog.ErrorDNS,
	} {
		o := p.Probe(t.Context(), Target{Kind: KindHTTP, URL: url})
		if o.Check.Class != class || o.Reached || o.Check.Up {
			t.Errorf("%s: %+v, reached %v", url, o.Check, o.Reached)
		}
	}
}

// TestProbeLetsAHostRest: a host that asked for a pause is not asked, and the
// probe says nothing about the source.
func TestProbeLetsAHostRest(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(server))
	defer srv.Close()
	p := testProber(time.Second)
	first := p.Probe(t.Context(), Target{Kind: KindHTTP, URL: srv.URL + "/429"})
	o := p.Probe(t.Context(), Target{Kind: KindHTTP, URL: srv.URL + "/json"})
	if o.Deferred.IsZero() || len(o.Exchanges) != 0 || o.Deferred.Sub(first.RestUntil).Abs() > time.Second {
		t.Errorf("%+v after %+v", o, first)
	}
}

func TestProbeEndsWithItsContext(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(server))
	defer srv.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	began := time.Now()
	testProber(time.Minute).Probe(ctx, Target{Kind: KindHTTP, URL: srv.URL + "/slow"})
	if time.Since(began) > 5*time.Second {
		t.Error("the probe went on")
	}
}
