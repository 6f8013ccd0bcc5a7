package proof

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// web serves pages from a table; a status stands for a page without content.
type web struct {
	pages    map[string]string
	moved    map[string]string
	status   map[string]int
	requests map[string]int
}

func (w *web) fetch(_ context.Context, r source.Request) (*source.Response, error) {
	w.requests[r.URL]++
	if s := w.status[r.URL]; s != 0 {
		return nil, &source.FetchError{URL: r.URL, Status: s, Attempts: 1, Err: fmt.Errorf("status %d", s)}
	}
	at := r.URL
	if to := w.moved[at]; to != "" {
		at = to
	}
	body, ok := w.pages[at]
	if !ok {
		return nil, &source.FetchError{URL: r.URL, Status: http.StatusNotFound, Attempts: 1, Err: errors.New("not found")}
	}
	return &source.Response{Body: io.NopCloser(strings.NewReader(body)), URL: at}, nil
}

func newWeb(pages map[string]string) *web {
	return &web{pages: pages, moved: map[string]string{}, status: map[string]int{}, requests: map[string]int{}}
}

func tideOffice(host string) bool {
	return host == "tides.gov.xx" || strings.HasSuffix(host, ".tides.gov.xx")
}

func prove(w *web, served ...string) map[catalog.SignalKind]Finding {
	s := Subject{Served: served, Pages: []string{"https://elsewhere.example/", "https://www.tides.gov.xx/"}, Official: tideOffice}
	out := map[catalog.SignalKind]Finding{}
	for _, f := range NewWeb(w.fetch, Limits{}).Prove(context.Background(), s) {
		out[f.Kind] = f
	}
	return out
}

func TestReciprocalLink(t *testing.T) {
	const api = "https://api.tides.gov.xx/v1"
	for _, tt := range []struct {
		name, page, served string
		want               Outcome
	}{
		{"the address itself", `<a href="https://api.tides.gov.xx/v1/">API</a>`, api, Held},
		{"below it", `<A HREF='https://api.tides.gov.xx/v1/docs'>docs</A>`, api, Held},
		{"above it", `<a href="https://host.example/tides">x</a>`, "https://host.example/tides/v2", Held},
		{"the root of its own host", `<a href="//api.tides.gov.xx/">API</a>`, api, Held},
		{"the root of a platform", `<a href="https://host.example/">x</a>`, "https://host.example/tides/v2", NotHeld},
		{"a relative link", `<a href="/api/">API</a>`, "https://www.tides.gov.xx/api", Held},
		{"a relative link below a base", `<base href="https://api.tides.gov.xx/"><a href="v1">API</a>`, api, Held},
		{"itself", `<a href="https://www.tides.gov.xx/">home</a>`, "https://www.tides.gov.xx/", NotHeld},
		{"a name that only begins alike", `<a href="https://api.tides.gov.xx/v10">x</a>`, api, NotHeld},
		{"a link in a comment", `<!-- <a href="https://api.tides.gov.xx/v1">x</a> -->`, api, NotHeld},
		{"a link in a script", `<script>"<a href='https://api.tides.gov.xx/v1'>"</script>`, api, NotHeld},
		{"no link", `<p>https://api.tides.gov.xx/v1</p>`, api, NotHeld},
		{"another scheme", `<a href="javascript:location='https://api.tides.gov.xx/v1'">x</a>`, api, NotHeld},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := prove(newWeb(map[string]string{"https://www.tides.gov.xx/": tt.page}), tt.served)[catalog.SignalReciprocal]
			if got.Outcome != tt.want || got.EvidenceURL != "https://www.tides.gov.xx/" || got.Detail == "" {
				t.Errorf("%+v, want outcome %d", got, tt.want)
			}
		})
	}
}

func TestPolicy(t *testing.T) {
	const home, there = "https://www.tides.gov.xx/", "https://www.tides.gov.xx/p"
	for _, tt := range []struct {
		name, link string
		page       bool
		want       Outcome
	}{
		{"by relation", `<link rel="terms-of-service" href="/p">`, true, Held},
		{"by its text", `<a href="/p"><b>Privacy</b> policy</a>`, true, Held},
		{"by its address", `<a href="/p?legal-notice">§</a>`, true, Held},
		{"Greek, in capitals", `<a href="/p">ΟΡΟΙ ΧΡΗΣΗΣ</a>`, true, Held},
		{"Ukrainian", `<a href="/p">Умови використання</a>`, true, Held},
		{"French", `<a href="/p">Mentions légales</a>`, true, Held},
		{"no such page", `<a href="/p">Privacy</a>`, false, NotHeld},
		{"of somebody else", `<a href="https://elsewhere.example/privacy">Privacy</a>`, true, NotHeld},
		{"something else", `<a href="/p">Contact</a>`, true, NotHeld},
		{"the word is not in the link", `<a href="/p">Contact</a> Privacy`, true, NotHeld},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWeb(map[string]string{home: tt.link})
			if tt.page {
				w.pages[there], w.pages[there+"?legal-notice"] = "terms", "terms"
			}
			if got := prove(w, "https://api.tides.gov.xx/")[catalog.SignalPolicy]; got.Outcome != tt.want {
				t.Errorf("%+v, want outcome %d", got, tt.want)
			}
		})
	}
}

func TestFailureIsNotAbsence(t *testing.T) {
	const home = "https://www.tides.gov.xx/"
	w := newWeb(nil)
	w.status[home] = http.StatusServiceUnavailable
	for kind, f := range prove(w, "https://api.tides.gov.xx/v1") {
		if f.Outcome != Failed || f.EvidenceURL != home {
			t.Errorf("%s: %+v", kind, f)
		}
	}
	w.status[home] = http.StatusGone
	for kind, f := range prove(w, "https://api.tides.gov.xx/v1") {
		if f.Outcome != NotHeld {
			t.Errorf("%s: %+v", kind, f)
		}
	}
	delete(w.status, home)
	w.moved[home] = "https://elsewhere.example/"
	w.pages = map[string]string{"https://elsewhere.example/": `<a href="https://api.tides.gov.xx/v1">API</a><a href="https://www.tides.gov.xx/p">Privacy</a>`}
	for kind, f := range prove(w, "https://api.tides.gov.xx/v1") {
		if f.Outcome != NotHeld {
			t.Errorf("%s is held by a page that leads elsewhere: %+v", kind, f)
		}
	}
}

func TestPagesAreFetchedOnceAndWithinTheBudget(t *testing.T) {
	w := newWeb(map[string]string{"https://www.tides.gov.xx/": `<a href="https://api.tides.gov.xx/v1">API</a>`})
	p := NewWeb(w.fetch, Limits{Pages: 2})
	for i := range 5 {
		s := Subject{Served: []string{"https://api.tides.gov.xx/v1"}, Official: tideOffice,
			Pages: []string{"https://www.tides.gov.xx/", fmt.Sprintf("https://www.tides.gov.xx/%d", i)}}
		for _, f := range p.Prove(context.Background(), s) {
			if f.Kind == catalog.SignalReciprocal && f.Outcome != Held {
				t.Errorf("source %d: %+v", i, f)
			}
			if f.Kind == catalog.SignalPolicy && i > 0 && f.Outcome != Untried {
				t.Errorf("source %d: %+v although the budget is spent", i, f)
			}
		}
	}
	for u, n := range w.requests {
		if n > 1 {
			t.Errorf("%s was fetched %d times", u, n)
		}
	}
	if len(w.requests) != 2 {
		t.Errorf("%d pages were fetched", len(w.requests))
	}
	if f := NewWeb(w.fetch, Limits{}).Prove(context.Background(), Subject{Official: tideOffice}); f[0].Outcome != Untried || f[1].Outcome != Untried {
		t.Errorf("without a page: %+v", f)
	}
}

func TestHugePagesAreBounded(t *testing.T) {
	filler := strings.Repeat(`<a href="/x">x</a>`, 200_000)
	w := newWeb(map[string]string{"https://www.tides.gov.xx/": filler + `<a href="https://api.tides.gov.xx/v1">API</a>`})
	if f := prove(w, "https://api.tides.gov.xx/v1")[catalog.SignalReciprocal]; f.Outcome != NotHeld {
		t.Errorf("%+v", f)
	}
	w.pages["https://www.tides.gov.xx/"] = "<a title='" + strings.Repeat("x", 1<<20)
	if f := prove(w, "https://api.tides.gov.xx/v1")[catalog.SignalReciprocal]; f.Outcome != NotHeld {
		t.Errorf("one endless tag: %+v", f)
	}
}

func FuzzReadLinks(f *testing.F) {
	f.Add(`<a href="/p" rel="license">Privacy</a>`)
	f.Add(`<base href="::"><a href="\x00"><link href=//[`)
	f.Fuzz(func(t *testing.T, doc string) {
		links, err := readLinks(&source.Response{Body: io.NopCloser(strings.NewReader(doc)), URL: "https://www.tides.gov.xx/"}, 1<<16)
		if err != nil || len(links) > linkMax {
			t.Fatalf("%d links, error %v", len(links), err)
		}
		for i := range links {
			if !strings.HasPrefix(links[i].url, "http") {
				t.Fatalf("link %+v", links[i])
			}
			_ = namesPolicy(&links[i])
		}
	})
}
