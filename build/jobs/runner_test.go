package jobs_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/build/jobs"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// queue is a store with a runner of one task.
type queue struct {
	t  *testing.T
	st catalog.Store
}

func newQueue(t *testing.T) *queue {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return &queue{t, st}
}

func (q *queue) add(list ...catalog.Job) {
	q.t.Helper()
	for i := range list {
		j := &list[i]
		j.Kind = cmp.Or(j.Kind, "work")
		if j.RunAt.IsZero() {
			j.RunAt, j.CreatedAt = time.Now().UTC(), time.Now().UTC()
		}
		if j.MaxAttempts == 0 {
			j.MaxAttempts = 3
		}
	}
	err := q.st.Update(q.t.Context(), func(tx catalog.Tx) error { _, err := tx.Jobs().Enqueue(q.t.Context(), list...); return err })
	if err != nil {
		q.t.Fatal(err)
	}
}

func (q *queue) job(id string) (j *catalog.Job) {
	q.t.Helper()
	err := q.st.View(context.WithoutCancel(q.t.Context()), func(tx catalog.Tx) (err error) { j, err = tx.Jobs().Get(q.t.Context(), id); return err })
	if err != nil {
		q.t.Fatal(err)
	}
	return j
}

// runner does the jobs of the queue, with little patience. No lease ends because the
// machine is busy: tests move a clock behind its end.
func (q *queue) runner(name string, do func(context.Context, catalog.HeldJob) error) *jobs.Runner {
	return &jobs.Runner{Store: q.st, Worker: name, Idle: time.Millisecond, Lease: time.Minute, Beat: 10 * time.Millisecond,
		Log: slog.New(slog.DiscardHandler), Tasks: []catalog.JobTask{{Name: "work", Kinds: []string{"work"}, Concurrency: 3, Do: do}}}
}

// begun starts a runner and returns what ends it.
func begun(t *testing.T, r *jobs.Runner) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(stop)
	return stop
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within half a minute", what)
		}
	}
}

// TestTaskIsTakenWhenItIsReady leaves the jobs of a task alone until it says so,
// and does those of another one meanwhile.
func TestTaskIsTakenWhenItIsReady(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	q.add(catalog.Job{ID: "early"})
	q.add(catalog.Job{ID: "other", Kind: "other"})
	end := func(ctx context.Context, h catalog.HeldJob) error {
		return h.Finish(ctx, func(catalog.Tx) error { return nil })
	}
	ready := make(chan struct{})
	r := q.runner("w", end)
	r.Tasks[0].Ready = ready
	r.Tasks = append(r.Tasks, catalog.JobTask{Name: "other", Kinds: []string{"other"}, Do: end})
	begun(t, r)
	until(t, "the other is done", func() bool { return q.job("other").State == catalog.JobDone })
	if j := q.job("early"); j.Attempt != 0 {
		t.Errorf("a job was taken before its task was ready: %+v", j)
	}
	close(ready)
	until(t, "it is done", func() bool { return q.job("early").State == catalog.JobDone })
}

func TestRunnerWorksOffWhatIsDue(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	for n := range 20 {
		q.add(catalog.Job{ID: fmt.Sprint(n)})
	}
	var done, under, most, ticks atomic.Int64
	r := q.runner("w", func(context.Context, catalog.HeldJob) error {
		most.Store(max(most.Load(), under.Add(1)))
		time.Sleep(5 * time.Millisecond) // so that others begin meanwhile
		under.Add(-1)
		done.Add(1)
		return nil
	})
	r.Tick, r.Schedules = time.Millisecond, []func(context.Context) error{func(context.Context) error { ticks.Add(1); return nil }}
	begun(t, r)
	until(t, "all are done", func() bool { return done.Load() == 20 && q.job("19").State == catalog.JobDone && ticks.Load() > 2 })
	if n := most.Load(); n < 2 || n > 3 {
		t.Errorf("%d jobs at the same time; there are three slots", n)
	}
}

// TestTickFollowsTheClock: what is done by the clock is queued when the clock has
// moved by a tick, forth or back, however little time passed.
func TestTickFollowsTheClock(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	var ticks, offset atomic.Int64
	r := q.runner("w", nil)
	r.Clock = func() time.Time { return time.Now().Add(time.Duration(offset.Load())) }
	r.Tick, r.Schedules = time.Hour, []func(context.Context) error{func(context.Context) error { ticks.Add(1); return nil }}
	begun(t, r)
	for n, to := range []time.Duration{0, 2 * time.Hour, 30 * time.Minute} {
		offset.Store(int64(to))
		until(t, fmt.Sprintf("tick %d, at %s", n+1, to), func() bool { return ticks.Load() == int64(n+1) })
	}
}

// TestWhatAStoreAwayLeftOutIsQueued: what could not be queued because the store was away
// is queued when it is back, not a tick later; another failure waits for its tick.
func TestWhatAStoreAwayLeftOutIsQueued(t *testing.T) {
	t.Parallel()
	for failure, want := range map[error]int64{catalog.ErrUnavailable: 3, catalog.ErrInvalid: 1} {
		q := newQueue(t)
		var tries, looks atomic.Int64
		r := q.runner("w", nil)
		r.Tick, r.Schedules = time.Hour, []func(context.Context) error{func(context.Context) error {
			if tries.Add(1) < 3 {
				return fmt.Errorf("begin: %w", failure)
			}
			return nil
		}}
		r.Clock = func() time.Time { looks.Add(1); return time.Now() }
		stop := begun(t, r)
		until(t, "the tries", func() bool { return tries.Load() >= want && looks.Load() > 50 })
		stop()
		if n := tries.Load(); n != want {
			t.Errorf("%v: %d tries within a tick, want %d", failure, n, want)
		}
	}
}

// TestStopGivesBack stops the runner in the middle of a job more often than the
// job has attempts, as deployments do: none counts, nothing waits, and what was
// told of its progress stays.
func TestStopGivesBack(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	q.add(catalog.Job{ID: "long"})
	for n := range 5 {
		working := make(chan bool, 1)
		stop := begun(t, q.runner(fmt.Sprint("w", n), func(ctx context.Context, h catalog.HeldJob) error {
			h.Tell(map[string]int{"deployment": n})
			working <- true
			<-ctx.Done()
			return ctx.Err()
		}))
		<-working
		stop()
		j := q.job("long")
		if j.State != catalog.JobQueued || j.Attempt != 0 || j.LastError != "" || j.RunAt.After(time.Now()) || string(j.Progress) != fmt.Sprintf(`{"deployment":%d}`, n) {
			t.Fatalf("after deployment %d: %+v", n, j)
		}
	}
	if n, err := q.runner("last", func(context.Context, catalog.HeldJob) error { return nil }).Drain(t.Context()); n != 1 || err != nil || q.job("long").Attempt != 1 {
		t.Errorf("%d jobs, %v: %+v", n, err, q.job("long"))
	}
}

// TestJobIsHeld: while a job takes longer than its lease, no other runner gets
// it; one that is cancelled ends soon.
func TestJobIsHeld(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	q.add(catalog.Job{ID: "held"})
	working, goOn := make(chan bool, 1), make(chan bool)
	var ended atomic.Bool
	var offset atomic.Int64
	clock := func() time.Time { return time.Now().Add(time.Duration(offset.Load())) }
	first := q.runner("first", func(ctx context.Context, h catalog.HeldJob) error {
		working <- true
		select {
		case <-goOn:
			return nil
		case <-ctx.Done():
			ended.Store(true)
			return ctx.Err()
		}
	})
	first.Clock = clock
	begun(t, first)
	<-working
	second := q.runner("second", func(context.Context, catalog.HeldJob) error { return nil })
	second.Clock = clock
	for range 4 { // together longer than two leases
		offset.Add(int64(first.Lease * 2 / 3))
		moved := clock()
		if n, err := second.Drain(t.Context()); n != 0 || err != nil {
			t.Fatalf("the second runner got %d jobs, %v", n, err)
		}
		until(t, "the lease is prolonged", func() bool { return !q.job("held").RunAt.Before(moved.Add(first.Lease).Truncate(time.Microsecond)) })
	}
	goOn <- true
	until(t, "it is done", func() bool { return q.job("held").State == catalog.JobDone })

	q.add(catalog.Job{ID: "cancelled"})
	<-working
	if err := q.st.Update(t.Context(), func(tx catalog.Tx) error { return tx.Jobs().Cancel(t.Context(), "cancelled", time.Now()) }); err != nil {
		t.Fatal(err)
	}
	until(t, "the work ends", ended.Load)
}

// TestFailures: a failure is repeated after its pause until no attempt is left,
// or none can help; what must follow is done once, with the end.
func TestFailures(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	final := errors.New("nothing can help")
	q.add(catalog.Job{ID: "again", MaxAttempts: 2}, catalog.Job{ID: "final", MaxAttempts: 9})
	at := time.Now().UTC().Add(time.Second).Truncate(time.Microsecond)
	var givenUp []string
	r := q.runner("w", func(_ context.Context, h catalog.HeldJob) error {
		if h.Job().ID == "final" {
			return final
		}
		return fmt.Errorf("attempt %d", h.Job().Attempt)
	})
	r.Clock = func() time.Time { return at }
	r.Tasks[0].Retry = func(attempt int, failure error) (time.Duration, bool) {
		return time.Duration(attempt) * time.Minute, !errors.Is(failure, final)
	}
	r.Tasks[0].GivenUp = func(_ context.Context, _ catalog.Tx, j *catalog.Job) error {
		givenUp = append(givenUp, j.ID)
		return nil
	}
	drain := func(want int) {
		t.Helper()
		if n, err := r.Drain(t.Context()); n != want || err != nil {
			t.Fatalf("%d jobs, %v; there are %d", n, err, want)
		}
	}
	drain(2)
	if j := q.job("again"); j.State != catalog.JobQueued || !j.RunAt.Equal(at.Add(time.Minute)) || j.LastError != "attempt 1" {
		t.Errorf("%+v", j)
	}
	drain(0)
	at = at.Add(time.Minute)
	drain(1)
	for id, reason := range map[string]string{"again": "attempt 2", "final": final.Error()} {
		if j := q.job(id); j.State != catalog.JobFailed || j.LastError != reason {
			t.Errorf("%+v", j)
		}
	}
	if got := strings.Join(givenUp, " "); got != "final again" {
		t.Errorf("given up: %s", got)
	}
}

// TestFinish: an outcome and the end of its job stand or fall together.
func TestFinish(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	q.add(catalog.Job{ID: "one"})
	set := func(value string, failure error) func(catalog.Tx) error {
		return func(tx catalog.Tx) error { return errors.Join(tx.Meta().Set(t.Context(), "outcome", value), failure) }
	}
	broken := errors.New("broken")
	r := q.runner("w", func(ctx context.Context, h catalog.HeldJob) error {
		if err := h.Finish(ctx, set("half", broken)); !errors.Is(err, broken) || q.job("one").State != catalog.JobRunning {
			t.Errorf("%v: %+v", err, q.job("one"))
		}
		h.Tell([]int{1})
		return h.Finish(ctx, set("whole", nil))
	})
	if n, err := r.Drain(t.Context()); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	var outcome string
	err := q.st.View(t.Context(), func(tx catalog.Tx) (err error) { outcome, err = tx.Meta().Get(t.Context(), "outcome"); return err })
	if j := q.job("one"); err != nil || outcome != "whole" || j.State != catalog.JobDone || !json.Valid(j.Progress) || string(j.Progress) != "[1]" {
		t.Errorf("%v, %s: %+v", err, outcome, j)
	}
}

// TestClockThatRanAhead: a job that was leased, and one that was queued, by a
// clock a year ahead do not wait for a year.
func TestClockThatRanAhead(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	ahead := time.Now().UTC().AddDate(1, 0, 0)
	q.add(catalog.Job{ID: "leased"}, catalog.Job{ID: "queued", RunAt: ahead, CreatedAt: ahead})
	err := q.st.Update(t.Context(), func(tx catalog.Tx) error {
		_, err := tx.Jobs().Lease(t.Context(), "dead", []string{"work"}, time.Now().Add(time.Second), ahead, 1)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := q.runner("w", func(context.Context, catalog.HeldJob) error { return nil }).Drain(t.Context()); n != 2 || err != nil {
		t.Errorf("%d jobs were due, %v", n, err)
	}
}

// shaky is a store that is away for a while.
type shaky struct {
	catalog.Store
	failures atomic.Int64
}

// Update implements catalog.Store.
func (s *shaky) Update(ctx context.Context, fn func(catalog.Tx) error) error {
	if s.failures.Add(-1) >= 0 {
		return errors.New("the store is away")
	}
	return s.Store.Update(ctx, fn)
}

func TestRunnerSurvivesAFailingStore(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	q.add(catalog.Job{ID: "one"})
	var log lockedBuffer
	r := q.runner("w", func(context.Context, catalog.HeldJob) error { return nil })
	st := &shaky{Store: q.st}
	st.failures.Store(2)
	r.Store, r.Log = st, slog.New(slog.NewTextHandler(&log, nil))
	begun(t, r)
	until(t, "it is done", func() bool { return q.job("one").State == catalog.JobDone })
	if !strings.Contains(log.String(), "the store is away") {
		t.Errorf("the log does not say so: %s", log.String())
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String gives what was written.
func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestTwoAttemptsOfOneProcess: where the clock jumped behind the end of a lease, a
// process takes its own job again, and what the first attempt did is not stored.
func TestTwoAttemptsOfOneProcess(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	q.add(catalog.Job{ID: "one"})
	var offset, attempts atomic.Int64
	first, tried, stored := make(chan error, 1), make(chan struct{}), []int64{}
	r := q.runner("w", func(ctx context.Context, h catalog.HeldJob) error {
		n := attempts.Add(1)
		finish := func() error {
			return h.Finish(context.WithoutCancel(ctx), func(catalog.Tx) error { stored = append(stored, n); return nil })
		}
		if n == 1 {
			offset.Store(int64(time.Hour))
			<-tried
			err := finish()
			first <- err
			return err
		}
		close(tried)
		if err := <-first; !errors.Is(err, catalog.ErrLeaseLost) {
			t.Errorf("the first attempt ended with %v", err)
		}
		stored = nil // its transaction came to nothing
		return finish()
	})
	r.Clock, r.Beat = func() time.Time { return time.Now().Add(time.Duration(offset.Load())) }, time.Hour
	r.Lease = time.Minute
	stop := begun(t, r)
	until(t, "it is done", func() bool { return q.job("one").State == catalog.JobDone })
	stop()
	if j := q.job("one"); j.Attempt != 2 || !slices.Equal(stored, []int64{2}) {
		t.Errorf("left %+v, stored by %v", j, stored)
	}
}

// TestJobsThatWait: what was begun too early goes back with the time that it
// waits for, uncounted, and no tick takes it for what a wrong clock put off, nor does
// that of a process which does not carry it out.
func TestJobsThatWait(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	q.add(catalog.Job{ID: "one", Kind: catalog.JobAnnounce})
	chosen, ran := time.Now().UTC().AddDate(1, 0, 0).Truncate(time.Second), 0
	r := q.runner("w", func(ctx context.Context, h catalog.HeldJob) error {
		ran++
		return h.Wait(ctx, chosen)
	})
	other := q.runner("v", r.Tasks[0].Do)
	r.Tasks[0].Kinds = []string{catalog.JobAnnounce}
	for _, r := range []*jobs.Runner{r, r, other} {
		if _, err := r.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if j := q.job("one"); ran != 1 || j.State != catalog.JobQueued || j.Attempt != 0 || !j.RunAt.Equal(chosen) {
		t.Errorf("ran %d times, left %+v", ran, j)
	}
}
