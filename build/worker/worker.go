// Package worker carries out queued work until it is told to stop: it asks
// each kind of work for a job that is due, and queues what is done by the
// clock. Several workers may share one store; a job is done by one of them.
package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Pauses of a worker.
const (
	// DefaultIdle is how long a worker waits when nothing is due.
	DefaultIdle = time.Second
	// DefaultTick is how often what is done by the clock is queued.
	DefaultTick = time.Minute
	// failurePause is the first pause after a failure of the store; it doubles
	// up to failureMax.
	failurePause, failureMax = time.Second, time.Minute
)

// Task is one kind of work.
type Task struct {
	Name string
	// Run takes one job that is due, carries it out and tells whether there
	// was one. Its error is that of the store.
	Run func(context.Context) (ran bool, err error)
	// Lanes is how many jobs of the kind are done at the same time; 1 if zero.
	Lanes int
}

// Worker takes jobs of several kinds.
type Worker struct {
	Tasks []Task
	// Schedules queue what is due by the clock; doing so twice changes nothing.
	Schedules []func(context.Context) error
	// Idle and Tick are DefaultIdle and DefaultTick if zero.
	Idle, Tick time.Duration
	Log        *slog.Logger
}

// Run works until ctx ends. A failure is logged and followed by a pause: the
// store may come back.
func (w *Worker) Run(ctx context.Context) error {
	var lanes sync.WaitGroup
	if len(w.Schedules) > 0 {
		lanes.Go(func() { w.keepTime(ctx) })
	}
	for i := range w.Tasks {
		for range max(w.Tasks[i].Lanes, 1) {
			lanes.Go(func() { w.work(ctx, &w.Tasks[i]) })
		}
	}
	lanes.Wait()
	return nil
}

// work does one kind of work, one job after the other.
func (w *Worker) work(ctx context.Context, t *Task) {
	failures := 0
	for ctx.Err() == nil {
		ran, err := t.Run(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			w.Log.Error("worker", "task", t.Name, "error", err)
			failures++
			sleep(ctx, min(failurePause<<min(failures-1, 10), failureMax))
		case !ran:
			failures = 0
			sleep(ctx, orDefault(w.Idle, DefaultIdle))
		default:
			failures = 0
		}
	}
}

// keepTime queues what is due by the clock, at once and then at every tick.
func (w *Worker) keepTime(ctx context.Context) {
	for ctx.Err() == nil {
		for _, schedule := range w.Schedules {
			if err := schedule(ctx); err != nil && ctx.Err() == nil {
				w.Log.Error("worker", "task", "schedule", "error", err)
			}
		}
		sleep(ctx, orDefault(w.Tick, DefaultTick))
	}
}

func orDefault(d, other time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return other
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
