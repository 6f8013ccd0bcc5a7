package verify_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
)

// Environment of the children that are killed: the store and the internet.
const envStore, envServer = "ASSAY_TEST_VERIFY_STORE", "ASSAY_TEST_VERIFY_SERVER"

func TestMain(m *testing.M) {
	if target := os.Getenv(envStore); target != "" {
		if err := work(target, os.Getenv(envServer)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if os.Getenv(envListen) != "" {
		fmt.Fprintln(os.Stderr, listen())
		os.Exit(1)
	}
	pgtest.Main(m)
}

// The timetable of the killed workers, in real time.
const (
	killCadence = 2 * time.Second
	killGap     = 40 * time.Millisecond
	killConfirm = 100 * time.Millisecond
	killSession = 200 * time.Millisecond
	killTimeout = 400 * time.Millisecond
)

func openStore(ctx context.Context, target string) (catalog.Store, error) {
	if path, ok := strings.CutPrefix(target, "sqlite:"); ok {
		return sqlite.Open(ctx, path)
	}
	return postgres.Open(ctx, target)
}

func killRunner(st catalog.Store, server string) *verify.Runner {
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", server)
	}}
	return &verify.Runner{Store: st, Worker: fmt.Sprint("w", os.Getpid()), Cadence: killCadence, Confirm: killConfirm, Session: killSession,
		Idle: 20 * time.Millisecond, Concurrency: 20,
		Prober: verify.NewProber(verify.ProberOptions{Client: &http.Client{Transport: transport}, Gap: killGap, Timeout: killTimeout})}
}

// work is a child: it checks what is due until it is killed, or its parent has
// gone.
func work(target, server string) error {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	st, err := openStore(ctx, target)
	if err != nil {
		return err
	}
	defer st.Close()
	_, err = killRunner(st, server).Run(ctx, verify.Selection{Forever: true})
	return err
}

// manners is a server that watches how each of its hosts is treated.
type manners struct {
	mu     sync.Mutex
	inside map[string]int
	ended  map[string]time.Time
	asked  int
	faults []string
}

func (m *manners) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	m.asked++
	if m.inside[r.Host]++; m.inside[r.Host] > 1 {
		m.faults = append(m.faults, fmt.Sprintf("%s: %d at once", r.Host, m.inside[r.Host]))
	}
	if d := time.Since(m.ended[r.Host]); d < killGap-time.Millisecond {
		m.faults = append(m.faults, fmt.Sprintf("%s: asked again after %s", r.Host, d))
	}
	m.mu.Unlock()
	time.Sleep(5 * time.Millisecond)
	w.Header().Set("Content-Type", "application/json")
	if strings.HasPrefix(r.Host, "bad") {
		w.WriteHeader(http.StatusInternalServerError)
	}
	m.mu.Lock()
	m.inside[r.Host]--
	m.ended[r.Host] = time.Now()
	m.mu.Unlock()
}

// TestKilledWorkers lets workers share a store and kills them at random, again
// and again: no host is ever asked twice at once or too early, every entry is
// checked in its cadence, no row that was stored is lost, and each verdict is
// that of its rows. ASSAY_SOAK=1 makes more rounds.
func TestKilledWorkers(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]func() string{
		"sqlite":   func() string { return "sqlite:" + t.TempDir() + "/killed.db" },
		"postgres": func() string { return pgtest.NewStoreURL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of it is waiting
			killWorkers(t, target())
		})
	}
}

func killWorkers(t *testing.T, target string) {
	rounds := 3
	if os.Getenv("ASSAY_SOAK") != "" {
		rounds = 60
	}
	m := &manners{inside: map[string]int{}, ended: map[string]time.Time{}}
	srv := httptest.NewServer(m)
	defer srv.Close()
	st, err := openStore(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	ids := killEntries(t, st)
	children := []*child{newChild(t, target, srv), newChild(t, target, srv), newChild(t, target, srv)}
	defer func() {
		for _, c := range children {
			c.kill()
		}
	}()
	kept := map[string]int{}
	for range rounds {
		time.Sleep(killCadence/2 + rand.N(killCadence/2))
		i := rand.IntN(len(children))
		children[i].kill()
		rec := readRecord(t, st)
		for _, id := range ids {
			if n := len(rec.checks[id]); n < kept[id] {
				t.Errorf("%s had %d rows and has %d", id, kept[id], n)
			}
			kept[id] = len(rec.checks[id])
		}
		children[i] = newChild(t, target, srv)
	}
	time.Sleep(2 * killCadence)
	end := time.Now()
	for _, c := range children {
		c.kill()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.faults {
		t.Error(f)
	}
	judgeKilled(t, st, ids, end)
	t.Logf("%d rounds, %d requests, %d entries", rounds, m.asked, len(ids))
}

// judgeKilled compares rows, verdicts and the timetable.
func judgeKilled(t *testing.T, st catalog.Store, ids []string, end time.Time) {
	t.Helper()
	// A lease that died has to run out first; the rest is for a busy machine.
	limit := killCadence + killRunner(st, "").Lease() + 3*time.Second
	rec := readRecord(t, st)
	for _, id := range ids {
		var state *catalog.CheckState
		rows := rec.checks[id]
		for i := range rows {
			next, _ := verify.Next(state, &rows[i])
			state = &next
			if i > 0 && rows[i].At.Sub(rows[i-1].At) > limit {
				t.Errorf("%s: %s between two checks", id, rows[i].At.Sub(rows[i-1].At))
			}
		}
		if state == nil || end.Sub(state.LastCheckedAt) > limit {
			t.Errorf("%s was last checked at %+v", id, state)
			continue
		}
		if got := rec.states[id]; got.State != state.State || got.ConsecutiveFailures != state.ConsecutiveFailures || got.ConsecutiveSuccesses != state.ConsecutiveSuccesses {
			t.Errorf("%s: the verdict %+v is not that of its %d rows, %+v", id, got, len(rows), state)
		}
	}
}

// killEntries stores 45 entries on 30 hosts; every tenth host fails.
func killEntries(t *testing.T, st catalog.Store) (ids []string) {
	t.Helper()
	var writes []catalog.Write
	now := time.Now().UTC().Truncate(time.Second)
	for i := range 30 {
		name := fmt.Sprintf("good%d.example.gov", i)
		if i%10 == 3 {
			name = "bad" + name
		}
		for k := range 1 + i%2 {
			id := catalog.NewID("entry", fmt.Sprint(name, k))
			ids = append(ids, id)
			writes = append(writes, newEntry(id, "http://"+name+"/"+id, now))
		}
	}
	ctx := t.Context()
	if err := st.Update(ctx, func(tx catalog.Tx) error { return tx.Entries().Put(ctx, writes...) }); err != nil {
		t.Fatal(err)
	}
	return ids
}

type child struct {
	cmd  *exec.Cmd
	pipe io.Closer
	out  bytes.Buffer
	once sync.Once
	t    *testing.T
}

func newChild(t *testing.T, target string, srv *httptest.Server) *child {
	t.Helper()
	c := &child{cmd: exec.Command(os.Args[0]), t: t}
	c.cmd.Env = append(os.Environ(), envStore+"="+target, envServer+"="+srv.Listener.Addr().String())
	c.cmd.Stdout, c.cmd.Stderr = &c.out, &c.out
	pipe, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.pipe = pipe
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// kill ends a child with SIGKILL; one that has ended before says why.
func (c *child) kill() {
	c.once.Do(func() {
		_ = c.cmd.Process.Kill()
		err := c.cmd.Wait()
		_ = c.pipe.Close()
		if err == nil || !strings.Contains(err.Error(), "killed") {
			c.t.Errorf("a worker ended by itself: %v: %s", err, c.out.Bytes())
		}
	})
}
