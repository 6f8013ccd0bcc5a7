package verify_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// The behaviours of the hosts of the simulated internet.
const (
	healthy = iota
	credentials
	webPage
	missing
	slowly
	redirects
	loginPage
	busy // now and then 429 with Retry-After
	breaks
	refuses
	hangs
	vanishes
	behaviours
)

// hasOutages tells whether a behaviour has outages; the others are always the same.
func hasOutages(behaviour int) bool { return behaviour >= breaks }

// span is a stretch of time.
type span struct{ from, to time.Time }

func within(list []span, at time.Time) bool {
	for _, s := range list {
		if !at.Before(s.from) && at.Before(s.to) {
			return true
		}
	}
	return false
}

// seen is one probe as the internet saw it: nobody but it decides how the
// probe ended.
type seen struct {
	at          time.Time
	entry       string
	up, reached bool
	// onward is a redirect: the probe goes on.
	onward bool
}

// host is one server of the simulated internet.
type host struct {
	name      string
	behaviour int
	entries   []string
	outages   []span
	// planned are the outages before any of them was over.
	planned []span
	// losses are bursts in which every packet is lost.
	losses, rests *bursts

	mu     sync.Mutex
	inside int
	// quiet is how long the host asked to be left alone, asked when it did.
	quiet time.Time
	asked []span
	ended time.Time
	seen  []seen
}

// world is the simulated internet: an injected dialer in front of one server
// that answers for all hosts.
type world struct {
	t     *testing.T
	gap   time.Duration
	hosts map[string]*host
	// cutOff tells of which hosts nothing comes back, for the fault is with who asks; nil is none.
	cutOff atomic.Pointer[func(host string) bool]
	names  []string
	conns  chan net.Conn
	srv    *http.Server
	closed sync.Once
}

// newWorld makes n hosts. lossy loses 5 % of the time in bursts of a minute;
// with outages each host of a kind that has them is down for 30 to 50 hours.
func newWorld(t *testing.T, n int, begin time.Time, days int, lossy, outages bool) *world {
	w := &world{t: t, gap: time.Second, hosts: map[string]*host{}, conns: make(chan net.Conn)}
	rng := rand.New(rand.NewPCG(7, 11))
	for i := range n {
		h := &host{name: fmt.Sprintf("h%05d.example.gov", i), behaviour: i % behaviours}
		entries := 1
		if i%40 == 9 || i%40 == 11 || i%40 == 0 {
			entries = 6
		}
		for k := range entries {
			h.entries = append(h.entries, catalog.NewID("entry", fmt.Sprint(i, "/", k)))
		}
		if outages && hasOutages(h.behaviour) {
			for at := begin.Add(24*time.Hour + upTo(rng, 24*time.Hour)); at.Before(begin.AddDate(0, 0, days)); at = at.Add(100*time.Hour + upTo(rng, 72*time.Hour)) {
				h.outages = append(h.outages, span{at, at.Add(30*time.Hour + upTo(rng, 20*time.Hour))})
			}
		}
		if lossy {
			h.losses = newBursts(rng.Uint64(), begin, 19*time.Minute, time.Minute)
		}
		if h.behaviour == busy {
			h.rests = newBursts(rng.Uint64(), begin, 90*time.Minute, 10*time.Minute)
		}
		h.planned = h.outages
		w.hosts[h.name] = h
		w.names = append(w.names, h.name)
	}
	w.srv = &http.Server{Handler: w}
	go func() { _ = w.srv.Serve(w) }()
	return w
}

// bursts are spans of a mean length with a mean pause between them, drawn as
// time goes on: nobody asks for the past.
type bursts struct {
	rng           *rand.Rand
	pause, length time.Duration
	next          span
}

func newBursts(seed uint64, begin time.Time, pause, length time.Duration) *bursts {
	return &bursts{rand.New(rand.NewPCG(seed, 13)), pause, length, span{begin, begin}}
}

// during tells whether an instant is within a burst; nil has none.
func (b *bursts) during(at time.Time) bool {
	if b == nil {
		return false
	}
	draw := func(mean time.Duration) time.Duration { return time.Duration(b.rng.ExpFloat64() * float64(mean)) }
	for !b.next.to.After(at) {
		from := b.next.to.Add(draw(b.pause))
		b.next = span{from, from.Add(draw(b.length))}
	}
	return !at.Before(b.next.from)
}

// during moves on through a host's spans, which lie in order.
func (h *host) during(list *[]span, at time.Time) bool {
	for len(*list) > 0 && !(*list)[0].to.After(at) {
		*list = (*list)[1:]
	}
	return within((*list)[:min(len(*list), 1)], at)
}

// enter asserts the manners of the prober, from the servers' side.
func (w *world) enter(h *host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.inside++; h.inside > 1 {
		w.t.Errorf("%s: %d requests at once", h.name, h.inside)
	}
	if time.Now().Before(h.quiet) {
		w.t.Errorf("%s: a request although it asked to be left alone until %s", h.name, h.quiet)
	}
	if d := time.Since(h.ended); !h.ended.IsZero() && d < w.gap {
		w.t.Errorf("%s: a request %s after the last one", h.name, d)
	}
}

func (w *world) leave(h *host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.inside--
	h.ended = time.Now()
}

// dial is the network: it loses packets, refuses, knows no name, or connects.
func (w *world) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	name, _, _ := net.SplitHostPort(addr)
	if cut := w.cutOff.Load(); cut != nil && (*cut)(name) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ENETUNREACH}
	}
	h := w.hosts[name]
	w.enter(h)
	entry, _ := ctx.Value(entryKey{}).(string)
	fail := func(err error) (net.Conn, error) {
		w.leave(h)
		h.see(seen{at: time.Now(), entry: entry})
		return nil, err
	}
	h.mu.Lock()
	lost, out := h.losses.during(time.Now()), h.during(&h.outages, time.Now())
	h.mu.Unlock()
	switch {
	case lost:
		t := time.NewTimer(10 * time.Second)
		defer t.Stop()
		select {
		case <-ctx.Done():
		case <-t.C:
		}
		return fail(&net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded})
	case out && h.behaviour == refuses:
		return fail(&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED})
	case out && h.behaviour == vanishes:
		return fail(&net.DNSError{Err: "no such host", Name: name, IsNotFound: true})
	}
	w.leave(h)
	h.mu.Lock()
	h.ended = time.Time{} // this very request goes on in ServeHTTP
	h.mu.Unlock()
	client, server := net.Pipe()
	w.conns <- server
	return client, nil
}

func (h *host) see(s seen) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen = append(h.seen, s)
}

// ServeHTTP answers for all hosts.
func (w *world) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	h := w.hosts[r.Host]
	w.enter(h)
	defer w.leave(h)
	entry := path.Base(strings.TrimSuffix(r.URL.Path, "/final"))
	h.mu.Lock()
	out, rests := h.during(&h.outages, time.Now()), h.rests.during(time.Now())
	h.mu.Unlock()
	s := seen{entry: entry, reached: true}
	defer func() {
		s.at = time.Now()
		h.see(s)
	}()
	rw.Header().Set("Content-Type", "application/json")
	time.Sleep(20 * time.Millisecond)
	switch b := h.behaviour; {
	case b == credentials:
		s.up = true
		rw.Header().Set("WWW-Authenticate", `Basic realm="data"`)
		rw.WriteHeader(http.StatusUnauthorized)
	case b == webPage:
		rw.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(rw, "<html>")
	case b == missing:
		rw.WriteHeader(http.StatusNotFound)
	case b == busy && rests:
		rw.Header().Set("Retry-After", "600")
		rw.WriteHeader(http.StatusTooManyRequests)
		h.mu.Lock()
		h.quiet = time.Now().Add(10 * time.Minute)
		h.asked = append(h.asked, span{time.Now(), h.quiet})
		h.mu.Unlock()
	case b == redirects && !strings.HasSuffix(r.URL.Path, "/final"):
		s.onward = true
		http.Redirect(rw, r, r.URL.Path+"/final", http.StatusFound)
	case b == loginPage && !strings.HasPrefix(r.URL.Path, "/login"):
		s.onward = true
		http.Redirect(rw, r, "/login/"+entry, http.StatusFound)
	case b == loginPage:
		rw.Header().Set("Content-Type", "text/html")
	case b == breaks && out:
		rw.WriteHeader(http.StatusServiceUnavailable)
	case b == hangs && out:
		<-r.Context().Done()
	default:
		if b == slowly {
			time.Sleep(5 * time.Second)
		}
		s.up = true
		_, _ = io.WriteString(rw, "{}")
	}
}

// Accept, Close and Addr make the world a listener.
func (w *world) Accept() (net.Conn, error) {
	c, ok := <-w.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (w *world) Close() error   { w.closed.Do(func() { close(w.conns) }); return nil }
func (w *world) Addr() net.Addr { return &net.TCPAddr{} }

type entryKey struct{}

// client is the injected network. Requests tell the dialer for whom they are,
// so that what it loses can be told apart.
func (w *world) client() *http.Client {
	return &http.Client{Transport: knowing{&http.Transport{DialContext: w.dial, DisableKeepAlives: true}}}
}

type knowing struct{ next http.RoundTripper }

func (k knowing) RoundTrip(r *http.Request) (*http.Response, error) {
	entry := path.Base(strings.TrimSuffix(r.URL.Path, "/final"))
	return k.next.RoundTrip(r.WithContext(context.WithValue(r.Context(), entryKey{}, entry)))
}

// register stores the entries of the world.
func (w *world) register(at time.Time) catalog.Store {
	w.t.Helper()
	st, err := sqlite.Open(context.Background(), w.t.TempDir()+"/verify.db")
	if err != nil {
		w.t.Fatal(err)
	}
	var writes []catalog.Write
	for _, name := range w.names {
		for _, id := range w.hosts[name].entries {
			writes = append(writes, newEntry(id, "http://"+name+"/"+id, at))
		}
	}
	err = st.Update(context.Background(), func(tx catalog.Tx) error { return tx.Entries().Put(context.Background(), writes...) })
	if err != nil {
		w.t.Fatal(err)
	}
	return st
}

// newEntry is an API whose ping address promises data.
func newEntry(id, url string, at time.Time) catalog.Write {
	return catalog.Write{Entry: &catalog.Entry{ID: id, Slug: "s-" + id, Type: catalog.TypeAPI, Name: id, IdentityKey: id, MatchKey: id,
		Status: catalog.StatusActive, CreatedAt: at, UpdatedAt: at, PublishedAt: at, API: &catalog.APIDetails{PingURL: url}},
		Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: at}}}
}

func upTo(rng *rand.Rand, d time.Duration) time.Duration { return time.Duration(rng.Int64N(int64(d))) }
