// Package jobs carries out queued work until it is told to stop. It is the one
// place that speaks the protocol of the queue: it leases a job, holds it with a
// sign of life every few seconds, settles it, or gives it back when the process
// has to stop. Several runners may share one store; a job is done by one of them.
package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Pauses of a runner.
const (
	// DefaultIdle is how long a runner waits when nothing is due.
	DefaultIdle = time.Second
	// DefaultTick is how often what is done by the clock is queued.
	DefaultTick = time.Minute
	// failurePause is the first pause after a failure of the store; it doubles
	// up to failureMax.
	failurePause, failureMax = time.Second, time.Minute
)

// Runner takes jobs of several kinds. Its zero times have defaults.
type Runner struct {
	Store catalog.Store
	// Worker tells the processes apart.
	Worker string
	Tasks  []catalog.JobTask
	// Schedules queue what is due by the clock; doing so twice changes nothing.
	Schedules []func(context.Context) error
	// Lease is how long a job is held without a sign of life, Beat how often
	// there is one.
	Lease, Beat time.Duration
	// Idle and Tick are how often the store is asked for jobs, and the clock for
	// what it queues.
	Idle, Tick time.Duration
	// Clock tells the time; nil is the real one.
	Clock func() time.Time
	Log   *slog.Logger
	// taken is how many jobs it has leased.
	taken int
}

func (r *Runner) now() time.Time {
	if r.Clock == nil {
		return time.Now().UTC()
	}
	return r.Clock().UTC()
}

// slots counts what is under way.
type slots struct {
	// free is the number of further jobs that each task may have.
	free []int
	// ended names a task of which a job has ended.
	ended chan int
	under sync.WaitGroup
}

// Run works until ctx ends; what is under way then is given back. A failure of
// the store is logged and followed by a pause: the store may come back.
func (r *Runner) Run(ctx context.Context) error {
	var clock sync.WaitGroup
	clock.Go(func() { r.keepTime(ctx) })
	l := &slots{ended: make(chan int)}
	for i := range r.Tasks {
		l.free = append(l.free, max(r.Tasks[i].Concurrency, 1))
	}
	go func() {
		<-ctx.Done()
		for range l.ended { // nobody else listens any more
		}
	}()
	failures := 0
	for ctx.Err() == nil {
		pause := cmp.Or(r.Idle, DefaultIdle)
		err := r.fill(ctx, l)
		if failures++; err == nil || ctx.Err() != nil {
			failures = 0
		} else {
			r.Log.Error("jobs cannot be taken", "error", err)
			pause = max(pause, min(failurePause<<min(failures-1, 10), failureMax))
		}
		l.wait(ctx, pause)
	}
	l.under.Wait()
	close(l.ended)
	clock.Wait()
	return nil
}

// wait waits for a pause, or until a job has ended.
func (l *slots) wait(ctx context.Context, pause time.Duration) {
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	case i := <-l.ended:
		l.free[i]++
	}
}

// fill begins the jobs that are due, as many as there are free slots.
func (r *Runner) fill(ctx context.Context, l *slots) error {
	for {
		j, err := r.lease(ctx, func(i int) bool { return l.free[i] > 0 && begun(r.Tasks[i].Ready) })
		if err != nil || j == nil {
			return err
		}
		i := r.taskOf(j.Kind)
		l.free[i]--
		l.under.Go(func() {
			if err := r.carryOut(ctx, &r.Tasks[i], j); err != nil {
				r.Log.Error("job", "task", r.Tasks[i].Name, "job", j.ID, "error", err)
			}
			l.ended <- i
		})
	}
}

// begun tells whether a channel is nil or closed.
func begun(ready <-chan struct{}) bool {
	if ready == nil {
		return true
	}
	select {
	case <-ready:
		return true
	default:
		return false
	}
}

// Drain carries out the jobs that are due, one after the other, until there is
// none, and counts them. The error is that of the store, or the end of ctx.
func (r *Runner) Drain(ctx context.Context) (int, error) {
	if err := r.rewind(ctx); err != nil {
		return 0, err
	}
	for n := 0; ; n++ {
		j, err := r.lease(ctx, func(int) bool { return true })
		if err != nil || j == nil {
			return n, err
		}
		if err := r.carryOut(ctx, &r.Tasks[r.taskOf(j.Kind)], j); err != nil {
			return n, err
		}
	}
}

// taskOf is the place of the task that does a kind of job.
func (r *Runner) taskOf(kind string) int {
	for i := range r.Tasks {
		for _, k := range r.Tasks[i].Kinds {
			if k == kind {
				return i
			}
		}
	}
	return -1
}

// lease takes the next job that is due of the tasks that may have one; nil when
// there is none. Each lease has a worker's name of its own: where a lease ran out
// while this process goes on, as when the clock jumped, it may take the job once more,
// and only the second attempt may end it.
func (r *Runner) lease(ctx context.Context, may func(task int) bool) (*catalog.Job, error) {
	var kinds []string
	for i := range r.Tasks {
		if may(i) {
			kinds = append(kinds, r.Tasks[i].Kinds...)
		}
	}
	worker := fmt.Sprintf("%s/%d", r.Worker, r.taken+1)
	var list []catalog.Job
	err := r.Store.Update(ctx, func(tx catalog.Tx) (err error) {
		now := r.now()
		list, err = tx.Jobs().Lease(ctx, worker, kinds, now, now.Add(r.leaseTime()), 1)
		return err
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	r.taken++
	return &list[0], nil
}

// keepTime queues what is due by the clock, at once and then at every tick of the
// clock, which may jump: it is looked at as often as the store. What could not be
// queued because the store was away is tried again at the next look, not a tick later.
func (r *Runner) keepTime(ctx context.Context) {
	look := time.NewTicker(min(cmp.Or(r.Idle, DefaultIdle), cmp.Or(r.Tick, DefaultTick)))
	defer look.Stop()
	var last time.Time
	away := false
	for {
		if now := r.now(); away || last.IsZero() || now.Before(last) || now.Sub(last) >= cmp.Or(r.Tick, DefaultTick) {
			last = now
			err := r.queueDue(ctx)
			if err != nil && !away && ctx.Err() == nil {
				r.Log.Error("what is due by the clock cannot be queued", "error", err)
			}
			away = errors.Is(err, catalog.ErrUnavailable)
		}
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
}

// queueDue queues what is due by the clock.
func (r *Runner) queueDue(ctx context.Context) (err error) {
	for _, schedule := range append([]func(context.Context) error{r.rewind}, r.Schedules...) {
		err = errors.Join(err, schedule(ctx))
	}
	return err
}

// rewind makes due what a clock that ran ahead put off.
func (r *Runner) rewind(ctx context.Context) error {
	var n int64
	err := r.Store.Update(ctx, func(tx catalog.Tx) (err error) {
		n, err = tx.Jobs().Rewind(ctx, r.now())
		return err
	})
	if n > 0 && err == nil {
		r.Log.Warn("jobs were put off by a clock that ran ahead; they are due now", "jobs", n)
	}
	return err
}
