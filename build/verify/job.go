package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Kinds of jobs.
const (
	// JobKind is a queued run of checks: the admin trigger.
	JobKind = catalog.JobVerification
	// JobStale and JobRetain are the scheduled jobs, hourly and daily.
	JobStale  = "verify.stale"
	JobRetain = "verify.retain"
)

// Bounds of jobs.
const (
	jobLease     = 2 * time.Minute
	jobRetry     = 10 * time.Minute
	jobAttempts  = 3
	jobLastWords = 10 * time.Second
)

// JobPayload is what a queued run is asked to check: entries by id or slug,
// all, or what is due when both are left out.
type JobPayload = catalog.VerificationPayload

// JobProgress is how far a queued run is, and in the end what came of it.
type JobProgress struct {
	Progress
	Summary *Summary `json:"summary,omitempty"`
}

// ParsePayload reads a payload; an empty one is that of a run of what is due.
func ParsePayload(doc json.RawMessage) (JobPayload, error) {
	var p JobPayload
	if len(doc) > 0 {
		if err := json.Unmarshal(doc, &p); err != nil {
			return p, fmt.Errorf(`payload %s: use {"entries":[…]}, {"all":true} or {}: %w: %w`, short(string(doc)), catalog.ErrInvalid, err)
		}
	}
	if p.All && len(p.Entries) > 0 {
		return p, fmt.Errorf("payload: name entries, or all, not both: %w", catalog.ErrInvalid)
	}
	return p, nil
}

// Schedule queues the scheduled jobs of the present hour and day, once for all
// workers of a store.
func Schedule(ctx context.Context, st catalog.Store, now time.Time) error {
	job := func(kind string, slot time.Time) catalog.Job {
		key := kind + " " + slot.UTC().Format(time.RFC3339)
		return catalog.Job{ID: catalog.NewID("job", key), Kind: kind, UniqueKey: key, RunAt: slot, CreatedAt: now, MaxAttempts: jobAttempts}
	}
	return st.Update(ctx, func(tx catalog.Tx) error {
		_, err := tx.Jobs().Enqueue(ctx, job(JobStale, now.Truncate(time.Hour)), job(JobRetain, day(now)))
		return err
	})
}

// RunJob takes one job of this package that is due, if there is one, carries it
// out while it holds the lease, and settles it. It tells whether there was one;
// the error is that of the store.
func (r *Runner) RunJob(ctx context.Context) (bool, error) {
	var jobs []catalog.Job
	now := r.now()
	err := r.Store.Update(ctx, func(tx catalog.Tx) (err error) {
		jobs, err = tx.Jobs().Lease(ctx, r.Worker, []string{JobKind, JobStale, JobRetain}, now, now.Add(jobLease), 1)
		return err
	})
	if err != nil || len(jobs) == 0 {
		return false, err
	}
	failure := r.carryOut(ctx, &jobs[0])
	if errors.Is(failure, catalog.ErrLeaseLost) {
		return true, fmt.Errorf("job %s: %w", jobs[0].ID, failure)
	}
	retry := r.now().Add(jobRetry)
	if errors.Is(failure, catalog.ErrInvalid) || errors.Is(failure, ErrUnknownEntry) {
		retry = time.Time{}
	}
	// A worker that is told to stop gives the job back.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), jobLastWords)
	defer cancel()
	err = r.Store.Update(ctx, func(tx catalog.Tx) error {
		return tx.Jobs().Settle(ctx, jobs[0].ID, r.Worker, r.now(), failure, retry)
	})
	return true, err
}

func (r *Runner) carryOut(ctx context.Context, job *catalog.Job) error {
	held, tell, stop := r.hold(ctx, job.ID)
	var err error
	switch job.Kind {
	case JobStale:
		var n int
		n, err = MarkStale(held, r.Store, r.now())
		tell(map[string]int{"stale": n})
	case JobRetain:
		var n int64
		n, err = Retain(held, r.Store, r.now())
		tell(map[string]int64{"summed_up": n})
	default:
		err = r.queuedRun(held, job, tell)
	}
	if err == nil {
		err = ctx.Err()
	}
	return errors.Join(stop(), err)
}

// queuedRun checks what a job names, with a runner of its own beside those
// that go on with what is due.
func (r *Runner) queuedRun(ctx context.Context, job *catalog.Job, tell func(any)) error {
	p, err := ParsePayload(job.Payload)
	if err != nil {
		return err
	}
	sel := Selection{All: p.All}
	if len(p.Entries) > 0 {
		if sel.Entries, err = Resolve(ctx, r.Store, p.Entries); err != nil {
			return err
		}
	}
	own := *r
	own.Worker = r.Worker + " job " + job.ID
	own.Progress = func(now Progress) { tell(JobProgress{Progress: now}) }
	sum, err := own.Run(ctx, sel)
	if err == nil && ctx.Err() == nil {
		tell(JobProgress{Progress{Total: sum.Selected, Checked: sum.Selected}, sum})
	}
	return err
}

// hold extends the lease of a job three times as often as needed and stores
// what was told last. A lost lease ends the context.
func (r *Runner) hold(ctx context.Context, id string) (held context.Context, tell func(any), stop func() error) {
	held, cancel := context.WithCancel(ctx)
	var mu sync.Mutex
	var progress json.RawMessage
	var lost error
	tell = func(v any) {
		mu.Lock()
		defer mu.Unlock()
		if doc, err := json.Marshal(v); err == nil {
			progress = doc
		}
	}
	extend := func(ctx context.Context) error {
		mu.Lock()
		doc := progress
		mu.Unlock()
		return r.Store.Update(ctx, func(tx catalog.Tx) error {
			return tx.Jobs().Extend(ctx, id, r.Worker, r.now().Add(jobLease), doc)
		})
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for sleep(held, jobLease/24) == nil {
			if err := extend(held); errors.Is(err, catalog.ErrLeaseLost) {
				lost = err
				cancel()
			}
		}
	}()
	return held, tell, func() error {
		cancel()
		<-done
		if lost != nil {
			return lost
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), jobLastWords)
		defer cancel()
		return extend(ctx)
	}
}
