package webhooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/dynamic/webhooks"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// onBoth runs a test on a store of each kind.
func onBoth(t *testing.T, test func(t *testing.T, b *bed)) {
	t.Run("sqlite", func(t *testing.T) { test(t, newBed(t, openSQLite(t))) })
	t.Run("postgres", func(t *testing.T) {
		s, err := postgres.Open(t.Context(), pgtest.NewStoreURL(t))
		if err != nil {
			t.Fatal(err)
		}
		test(t, newBed(t, s))
	})
}

func openSQLite(t *testing.T) catalog.Store {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bed is the group with a working dispatcher and a receiver.
type bed struct {
	t     *testing.T
	store catalog.Store
	group *webhooks.Group
	mux   *http.ServeMux
	peer  *receiver
	serve *httptest.Server
}

func site() snapshot.Site { return snapshot.Site{BaseURL: "https://register.example"} }

func newBed(t *testing.T, s catalog.Store) *bed {
	b := &bed{t: t, store: s, peer: &receiver{}, mux: http.NewServeMux(),
		group: &webhooks.Group{Store: s, Site: site, Now: time.Now, AllowPlain: true, DrainFor: 5 * time.Second}}
	b.serve = httptest.NewServer(b.peer)
	g := b.group
	for pattern, h := range map[string]web.Handler{
		"GET /webhooks": g.List, "POST /webhooks": g.Create, "GET /webhooks/{id}": g.Get, "PATCH /webhooks/{id}": g.Update,
		"DELETE /webhooks/{id}": g.Delete, "POST /webhooks/{id}/test": g.Test, "POST /webhooks/{id}/rotate-secret": g.Rotate,
		"POST /webhooks/{id}/replay": g.Replay, "GET /webhooks/{id}/deliveries": g.Deliveries, "POST /webhooks/{id}/deliveries/{delivery}/retry": g.Retry,
	} {
		front := &web.Front{Now: time.Now, Site: func() (snapshot.Site, string) { return site(), "" }, Timeout: time.Minute, BodyMax: 64 << 10}
		front.Log = quiet
		b.mux.Handle(pattern, front.Wrap(front.Adapt(h)))
	}
	d := notify.New(notify.Config{Store: s, Client: http.DefaultClient, Site: site, Poll: 10 * time.Millisecond, Timeout: 2 * time.Second,
		Schedule: []time.Duration{0, 20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond}, Log: quiet})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		b.serve.Close()
		s.Close()
	})
	return b
}

// ask sends a request as an administrator and wants a status.
func (b *bed) ask(method, target, body string, want int) []byte {
	b.t.Helper()
	r := httptest.NewRequest(method, target, bytes.NewBufferString(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r = r.WithContext(web.WithCaller(r.Context(), web.Caller{Token: "t1", Name: "Ada", Role: catalog.RoleAdmin}))
	w := httptest.NewRecorder()
	b.mux.ServeHTTP(w, r)
	if w.Code != want {
		b.t.Fatalf("%s %s %s: %d %s, want %d", method, target, body, w.Code, w.Body, want)
	}
	return w.Body.Bytes()
}

func read[T any](t *testing.T, b []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return v
}

// create makes a webhook for the receiver and waits until it is verified.
func (b *bed) create(rest string) wire.Webhook {
	b.t.Helper()
	made := read[wire.Webhook](b.t, b.ask("POST", "/webhooks", `{"url":"`+b.serve.URL+`/hook"`+rest+`}`, 201))
	b.until("the endpoint is verified", func() bool { return b.get(made.ID).Active })
	return made
}

func (b *bed) get(id string) wire.Webhook {
	b.t.Helper()
	return read[wire.Webhook](b.t, b.ask("GET", "/webhooks/"+id, "", 200))
}

func (b *bed) deliveries(id, query string) wire.DeliveriesPage {
	b.t.Helper()
	return read[wire.DeliveriesPage](b.t, b.ask("GET", "/webhooks/"+id+"/deliveries"+query, "", 200))
}

func (b *bed) until(what string, ok func() bool) {
	b.t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("waited too long until %s", what)
		}
	}
}

// event makes entry n, or changes it.
func (b *bed) event(n int, kind catalog.EventKind) {
	b.t.Helper()
	ref := fmt.Sprintf("data.example:dataset:%d", n)
	at := time.Now().UTC()
	e := catalog.Entry{ID: catalog.EntryID(ref, "", 1), Slug: fmt.Sprintf("rain-%d", n), Type: catalog.TypeDataset, Name: "Rain", UpstreamRef: ref,
		IdentityKey: ref, MatchKey: ref, Status: catalog.StatusActive, CreatedAt: time.Unix(1_700_000_000, 0).UTC(), UpdatedAt: at,
		PublishedAt: time.Unix(1_700_000_000, 0).UTC(), CountryCode: []string{"GR", "CY"}[n%2]}
	err := b.store.Update(b.t.Context(), func(tx catalog.Tx) error {
		return tx.Entries().Put(b.t.Context(), catalog.Write{Entry: &e, Events: []catalog.Event{{Type: kind, OccurredAt: at}}})
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// receiver is an endpoint that remembers what it got.
type receiver struct {
	mu  sync.Mutex
	got []message
	// answer decides what a message is answered with, nil for 204.
	answer func(message) (status int, header map[string]string)
	mute   bool
}

// message is one request as the receiver saw it.
type message struct {
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Secret  string            `json:"secret"`
	kind    string
	at      time.Time
}

func (p *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m struct {
		Type string `json:"type"`
		Data struct {
			Challenge string `json:"challenge"`
		} `json:"data"`
	}
	json.Unmarshal(body, &m)
	got := message{Body: string(body), kind: m.Type, at: time.Now(), Headers: map[string]string{}}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		got.Headers[name] = r.Header.Get(name)
	}
	p.mu.Lock()
	p.got = append(p.got, got)
	answer, mute := p.answer, p.mute
	p.mu.Unlock()
	if m.Type == catalog.MessageVerify && !mute {
		json.NewEncoder(w).Encode(map[string]string{"challenge": m.Data.Challenge})
		return
	}
	status := http.StatusNoContent
	if answer != nil {
		var header map[string]string
		status, header = answer(got)
		for k, v := range header {
			w.Header().Set(k, v)
		}
	}
	w.WriteHeader(status)
}

// of returns the messages of a type.
func (p *receiver) of(kind string) (out []message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.got {
		if m.kind == kind {
			out = append(out, m)
		}
	}
	return out
}

func (p *receiver) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.got)
}

func (p *receiver) set(answer func(message) (int, map[string]string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = answer
}
