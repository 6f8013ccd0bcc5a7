package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

const (
	// defaultLease is how long a job is held without a sign of life, defaultBeat
	// how often there is one: a job that was cancelled ends as soon.
	defaultLease = 2 * time.Minute
	defaultBeat  = 5 * time.Second
	// defaultRetry is the pause after a failed attempt.
	defaultRetry = 10 * time.Minute
	// lastWords is how long a runner that stops takes to say what became of a
	// job.
	lastWords = 10 * time.Second
)

func (r *Runner) leaseTime() time.Duration { return cmp.Or(r.Lease, defaultLease) }

// held is a job that this process holds.
type held struct {
	runner *Runner
	job    *catalog.Job

	mu       sync.Mutex
	progress json.RawMessage
	// finished tells that the work ended its job, or put it off, itself.
	finished bool
}

// Job implements catalog.HeldJob.
func (h *held) Job() *catalog.Job { return h.job }

// Tell implements catalog.HeldJob.
func (h *held) Tell(progress any) {
	doc, err := json.Marshal(progress)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		h.progress = doc
	}
}

func (h *held) told() json.RawMessage {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.progress
}

// Finish implements catalog.HeldJob.
func (h *held) Finish(ctx context.Context, outcome func(catalog.Tx) error) error {
	err := h.end(ctx, outcome, func(tx catalog.Tx) error {
		return tx.Jobs().Settle(ctx, h.job.ID, h.job.Worker, h.runner.now(), nil, time.Time{})
	})
	h.finished = h.finished || err == nil
	return err
}

// Wait implements catalog.HeldJob.
func (h *held) Wait(ctx context.Context, until time.Time) error {
	err := h.end(ctx, nothing, func(tx catalog.Tx) error {
		return tx.Jobs().GiveBack(ctx, h.job.ID, h.job.Worker, until)
	})
	h.finished = h.finished || err == nil
	return err
}

// end ends the attempt in the transaction of its outcome. The job comes last:
// whoever waits for the store must not hold its row.
func (h *held) end(ctx context.Context, outcome, how func(catalog.Tx) error) error {
	return h.runner.Store.Update(ctx, func(tx catalog.Tx) error {
		if err := outcome(tx); err != nil {
			return err
		}
		if err := h.extend(ctx, tx); err != nil {
			return err
		}
		return how(tx)
	})
}

func nothing(catalog.Tx) error { return nil }

func (h *held) extend(ctx context.Context, tx catalog.Tx) error {
	r := h.runner
	return tx.Jobs().Extend(ctx, h.job.ID, h.job.Worker, r.now().Add(r.leaseTime()), h.told())
}

// hold gives signs of life until stop is called, which tells whether the lease
// was lost: to another worker, to somebody who cancelled the job, or because the
// store did not answer for as long. A lost lease ends the context.
func (h *held) hold(ctx context.Context) (work context.Context, stop func() (lost bool)) {
	work, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	lost := false
	go func() {
		defer close(done)
		tick := time.NewTicker(min(cmp.Or(h.runner.Beat, defaultBeat), h.runner.leaseTime()/3))
		defer tick.Stop()
		alive := time.Now()
		for {
			select {
			case <-work.Done():
				return
			case <-tick.C:
			}
			err := h.runner.Store.Update(work, func(tx catalog.Tx) error { return h.extend(work, tx) })
			if err == nil {
				alive = time.Now()
			} else if errors.Is(err, catalog.ErrLeaseLost) || time.Since(alive) >= h.runner.leaseTime() {
				lost = true
				cancel()
			}
		}
	}()
	return work, func() bool {
		cancel()
		<-done
		return lost
	}
}

// carryOut makes one attempt at a leased job and writes down what became of it.
// A runner that is told to stop gives the job back: the attempt does not count,
// and the next runner goes on at once. The error is that of the store.
func (r *Runner) carryOut(ctx context.Context, t *catalog.JobTask, j *catalog.Job) error {
	h := &held{runner: r, job: j}
	work, stop := h.hold(ctx)
	failure := t.Do(work, h)
	lost := stop()
	if h.finished {
		return nil
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	var err error
	switch {
	case lost || errors.Is(failure, catalog.ErrLeaseLost):
		err = catalog.ErrLeaseLost
	case failure == nil:
		err = h.Finish(last, nothing)
	case ctx.Err() != nil:
		r.Log.Info("job given back", "task", t.Name, "job", j.ID)
		err = h.end(last, nothing, func(tx catalog.Tx) error { return tx.Jobs().GiveBack(last, j.ID, j.Worker, r.now()) })
	default:
		err = h.fail(last, t, failure)
	}
	if errors.Is(err, catalog.ErrLeaseLost) {
		r.Log.Warn("job was cancelled or taken over", "task", t.Name, "job", j.ID)
		return nil
	}
	return err
}

// fail ends an attempt that failed.
func (h *held) fail(ctx context.Context, t *catalog.JobTask, failure error) error {
	retry := t.Retry
	if retry == nil {
		retry = retryDefault
	}
	r, j := h.runner, h.job
	pause, again := retry(j.Attempt, failure)
	again = again && j.Attempt < j.MaxAttempts
	var at time.Time
	log := r.Log.With("task", t.Name, "job", j.ID, "attempt", j.Attempt, "error", failure)
	if again {
		at = r.now().Add(pause)
		log.Warn("job failed; it is tried again", "at", at)
	} else {
		log.Error("job failed for good")
	}
	outcome := nothing
	if !again && t.GivenUp != nil {
		outcome = func(tx catalog.Tx) error { return t.GivenUp(ctx, tx, j) }
	}
	return h.end(ctx, outcome, func(tx catalog.Tx) error {
		return tx.Jobs().Settle(ctx, j.ID, j.Worker, r.now(), failure, at)
	})
}

func retryDefault(_ int, failure error) (time.Duration, bool) {
	return defaultRetry, !errors.Is(failure, catalog.ErrInvalid) && !errors.Is(failure, catalog.ErrNotFound)
}
