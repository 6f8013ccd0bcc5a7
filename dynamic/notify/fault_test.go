package notify

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest/childtest"
	"github.com/assay-register/assay/render/wire"
)

// TestFaults changes the register while its processes, and on PostgreSQL the
// database too, are killed at random and endpoints fail, hang, ask for patience
// or go away. Then every event is in the log once and in order; every endpoint
// that is active got every event, always under the same webhook-id; none came
// before its commit, and none after its endpoint was disabled.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("starts and kills many processes")
	}
	changes := 300
	if os.Getenv("ASSAY_SOAK") != "" {
		changes = 10_000
	}
	t.Run("sqlite", func(t *testing.T) { (&faults{target: filepath.Join(t.TempDir(), "a.db"), changes: changes}).run(t) })
	t.Run("postgres", func(t *testing.T) {
		// What was acknowledged must outlive the server's death.
		(&faults{target: pgtest.NewStoreURL(t) + "&synchronous_commit=on", changes: changes, crash: crashPostgres}).run(t)
	})
}

// faults is one run.
type faults struct {
	target  string
	changes int
	// crash kills the database, nil where it dies with its processes.
	crash func(ctx context.Context, target string)
	store catalog.Store
	peers []*peer

	mu    sync.Mutex
	acked map[int]bool
}

func (f *faults) run(t *testing.T) {
	var err error
	if f.store, err = openStore(t.Context(), f.target); err != nil {
		t.Fatal(err)
	}
	defer f.store.Close()
	f.acked = map[int]bool{}
	f.endpoints(t)
	ctx, stop := context.WithCancel(t.Context())
	var killers sync.WaitGroup
	for range 2 {
		killers.Go(func() { f.keepDelivering(ctx, t) })
	}
	if f.crash != nil {
		killers.Go(func() {
			for sleep(ctx, 700*time.Millisecond+rand.N(900*time.Millisecond)) {
				f.crash(ctx, f.target)
			}
		})
	}
	f.write(t)
	stop()
	killers.Wait()
	f.finish(t)
	f.judge(t)
}

// endpoints makes five peers of different temper and their webhooks.
func (f *faults) endpoints(t *testing.T) {
	for i, temper := range []func(n int) int{
		func(int) int { return 200 },
		func(int) int { return pick(0.1, 500, 200) },
		func(int) int { return pick(0.1, 429, pick(0.03, hang, 200)) },
		func(n int) int { return pick(0.05, 503, after(n, f.changes/4, 410)) },
		func(n int) int { return pick(0.3, 302, 200) },
	} {
		p := &peer{temper: temper, store: f.store}
		server := httptest.NewServer(p)
		t.Cleanup(server.Close)
		f.peers = append(f.peers, p)
		now := time.Now().UTC()
		w := catalog.Webhook{ID: catalog.NewID("webhook", fmt.Sprint(i)), URL: server.URL, State: catalog.WebhookActive, CreatedAt: now, UpdatedAt: now}
		w.Rotate(NewSecret(), now, now)
		p.id = w.ID
		if err := f.store.Update(t.Context(), func(tx catalog.Tx) error { return tx.Webhooks().Put(t.Context(), w) }); err != nil {
			t.Fatal(err)
		}
	}
}

// hang is the answer that does not come in time.
const hang = -1

func pick(chance float64, this, other int) int {
	if rand.Float64() < chance {
		return this
	}
	return other
}

func after(n, limit, status int) int {
	if n > limit {
		return status
	}
	return 200
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// spawn starts a child of this test; out gets its lines.
func (f *faults) spawn(what string, from, n int, out io.Writer) (*exec.Cmd, error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+fmt.Sprint(what, " ", from, " ", n, " ", f.target))
	cmd.Stdout = out
	if err := childtest.Tie(cmd); err != nil {
		return nil, err
	}
	return cmd, cmd.Start()
}

// keepDelivering runs a process that delivers, and kills it again and again.
func (f *faults) keepDelivering(ctx context.Context, t *testing.T) {
	for ctx.Err() == nil {
		cmd, err := f.spawn("deliver", 0, 0, nil)
		if err != nil {
			t.Error(err)
			return
		}
		sleep(ctx, 200*time.Millisecond+rand.N(time.Second))
		cmd.Process.Kill()
		cmd.Wait()
	}
}

// enough is how many changes must be acknowledged for the test to say something.
func (f *faults) enough() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.acked) >= f.changes/3
}

// write lets processes write shares of the changes and kills some of them: more shares
// where most died, or lost the database, before they wrote.
func (f *faults) write(t *testing.T) {
	const share = 50
	for from := 0; from < f.changes || !f.enough() && from < 10*f.changes; from += share {
		r, w := io.Pipe()
		cmd, err := f.spawn("write", from, share, w)
		if err != nil {
			t.Fatal(err)
		}
		var read sync.WaitGroup
		read.Go(func() {
			for lines := bufio.NewScanner(r); lines.Scan(); {
				if n, err := strconv.Atoi(lines.Text()); err == nil {
					f.mu.Lock()
					f.acked[n] = true
					f.mu.Unlock()
				}
			}
		})
		if rand.IntN(3) == 0 {
			time.AfterFunc(rand.N(400*time.Millisecond), func() { cmd.Process.Kill() })
		}
		cmd.Wait()
		w.Close()
		read.Wait()
	}
}

// crashPostgres kills a backend: the server then ends all connections and
// recovers from its log, as after its own death.
func crashPostgres(ctx context.Context, target string) {
	conn, err := pgx.Connect(ctx, target)
	if err != nil {
		return // still recovering
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var pid int
	if conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid) == nil {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// finish lets one more process deliver what is left. How long that takes is the machine's affair:
// it fails where nothing has moved for a minute.
func (f *faults) finish(t *testing.T) {
	cmd, err := f.spawn("deliver", 0, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	defer cmd.Process.Kill()
	for before, moved := "", time.Now(); ; time.Sleep(50 * time.Millisecond) {
		left := f.left(t)
		if left == "" {
			return
		}
		if left != before {
			before, moved = left, time.Now()
		}
		select {
		case err := <-ended:
			t.Fatalf("%s, and who delivers has ended: %v", left, err)
		default:
		}
		if time.Since(moved) > time.Minute {
			t.Fatalf("%s, and nothing moved for a minute", left)
		}
	}
}

// left says what is still to be delivered.
func (f *faults) left(t *testing.T) (left string) {
	err := f.store.View(t.Context(), func(tx catalog.Tx) error {
		last, err := tx.Events().Last(t.Context())
		if err != nil {
			return err
		}
		hooks, err := tx.Webhooks().All(t.Context())
		for _, w := range hooks {
			if w.State == catalog.WebhookDisabled {
				continue
			}
			pending, err := tx.Deliveries().List(t.Context(), catalog.DeliveryFilter{WebhookID: w.ID, State: catalog.DeliveryPending, Limit: 1})
			if err != nil {
				return err
			}
			if w.Cursor < last || len(pending) > 0 {
				left += fmt.Sprintf("webhook %s is at %d of %d", w.ID, w.Cursor, last)
			}
			for _, d := range pending {
				left += fmt.Sprintf(", delivery %s had %d attempts", d.ID, len(d.Attempts))
			}
		}
		return err
	})
	if err != nil {
		return err.Error()
	}
	return left
}

// judge compares the log, the acknowledged changes and what the peers got.
func (f *faults) judge(t *testing.T) {
	var log []catalog.Event
	var hooks []catalog.Webhook
	err := f.store.View(t.Context(), func(tx catalog.Tx) (err error) {
		if log, err = tx.Events().After(t.Context(), 0, 10*f.changes); err != nil {
			return err
		}
		hooks, err = tx.Webhooks().All(t.Context())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	told := map[int]int{}
	for i, e := range log {
		if e.Number != int64(i+1) {
			t.Fatalf("event %d is at place %d", e.Number, i+1)
		}
		n, err := strconv.Atoi(string(e.Changes[0].To))
		if err != nil {
			t.Fatal(err)
		}
		told[n]++
	}
	for n := range f.acked {
		if told[n] != 1 {
			t.Errorf("change %d was acknowledged and is in the log %d times", n, told[n])
		}
	}
	disabled := 0
	for i := range hooks {
		for _, p := range f.peers {
			if p.id == hooks[i].ID {
				p.judge(t, &hooks[i], len(log))
			}
		}
		if hooks[i].State == catalog.WebhookDisabled {
			disabled++
		}
	}
	if disabled != 1 || !f.enough() {
		t.Errorf("%d endpoints are disabled, %d of %d changes acknowledged", disabled, len(f.acked), f.changes)
	}
	t.Logf("%d changes, %d acknowledged, %d in the log", f.changes, len(f.acked), len(log))
}

// peer is an endpoint with a temper.
type peer struct {
	id     string
	temper func(n int) int
	store  catalog.Store

	mu       sync.Mutex
	requests []request
	early    []string
}

// request is what a peer remembers of one.
type request struct {
	id, event string
	at        time.Time
	status    int
}

func (p *peer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		Data wire.FeedEvent `json:"data"`
	}
	at := time.Now()
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		return // the sender died
	}
	number, err := strconv.ParseInt(m.Data.ID[len("evt_"):], 10, 64)
	if err != nil {
		panic(err)
	}
	early := p.absent(r.Context(), number)
	p.mu.Lock()
	status := p.temper(len(p.requests))
	p.requests = append(p.requests, request{r.Header.Get("webhook-id"), m.Data.ID, at, status})
	if early {
		p.early = append(p.early, m.Data.ID)
	}
	p.mu.Unlock()
	if status == hang {
		sleep(r.Context(), time.Second)
		return
	}
	w.WriteHeader(status)
}

// absent tells whether an event is not committed; while the database recovers,
// nobody can tell.
func (p *peer) absent(ctx context.Context, number int64) (absent bool) {
	err := p.store.View(ctx, func(tx catalog.Tx) error {
		list, err := tx.Events().After(ctx, number-1, 1)
		absent = err == nil && (len(list) == 0 || list[0].Number != number)
		return err
	})
	return absent && err == nil
}

func (p *peer) judge(t *testing.T, w *catalog.Webhook, events int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.early) > 0 {
		t.Errorf("events came before their commit: %v", p.early)
	}
	ids, accepted := map[string]string{}, map[string]bool{}
	for _, r := range p.requests {
		if known := ids[r.event]; known != "" && known != r.id {
			t.Errorf("event %s came as %s and as %s", r.event, known, r.id)
		}
		ids[r.event] = r.id
		accepted[r.event] = accepted[r.event] || r.status == 200
		// What had begun before may still arrive.
		if w.State == catalog.WebhookDisabled && r.at.After(w.DisabledAt.Add(300*time.Millisecond)) {
			t.Errorf("event %s came %s after the endpoint was disabled", r.event, r.at.Sub(w.DisabledAt))
		}
	}
	if w.State != catalog.WebhookActive {
		return
	}
	missing := 0
	for n := range events {
		if !accepted[wire.EventID(int64(n+1))] {
			missing++
		}
	}
	if missing > 0 {
		t.Errorf("endpoint %s lacks %d of %d events", w.ID, missing, events)
	}
}
