package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	jobRetry    = 10 * time.Minute
	jobAttempts = 3
	// jobsAtOnce is how many queued runs go on at the same time: what an owner asks for does not wait until all entries
	// have been checked.
	jobsAtOnce = 4
	// foundMax is how many findings a job tells.
	foundMax = 20
)

// JobPayload is what a queued run is asked to check: entries by id or slug,
// all, or what is due when both are left out.
type JobPayload = catalog.VerificationPayload

// JobProgress is how far a queued run is, and in the end what came of it.
type JobProgress struct {
	Progress
	// Found are the latest findings of a run that names its entries, oldest first.
	Found   []catalog.ProbeFinding `json:"found,omitempty"`
	Summary *Summary               `json:"summary,omitempty"`
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

// Tasks carry out the queued and the scheduled jobs of this package.
func (r *Runner) Tasks() []catalog.JobTask {
	retry := func(_ int, failure error) (time.Duration, bool) {
		return jobRetry, !errors.Is(failure, catalog.ErrInvalid) && !errors.Is(failure, ErrUnknownEntry)
	}
	return []catalog.JobTask{
		{Name: "verification", Kinds: []string{JobKind}, Concurrency: jobsAtOnce, Do: r.queuedRun, Retry: retry},
		{Name: "stale", Kinds: []string{JobStale}, Retry: retry, Do: func(ctx context.Context, h catalog.HeldJob) error {
			n, err := MarkStale(ctx, r.Store, r.now())
			h.Tell(map[string]int{"stale": n})
			return errors.Join(err, ctx.Err())
		}},
		{Name: "retention", Kinds: []string{JobRetain}, Retry: retry, Do: func(ctx context.Context, h catalog.HeldJob) error {
			n, err := Retain(ctx, r.Store, r.now())
			h.Tell(map[string]int64{"summed_up": n})
			return errors.Join(err, ctx.Err())
		}},
	}
}

// queuedRun checks what a job names, with a runner of its own beside those
// that go on with what is due.
func (r *Runner) queuedRun(ctx context.Context, h catalog.HeldJob) error {
	p, err := ParsePayload(h.Job().Payload)
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
	own.Worker = r.Worker + " job " + h.Job().ID
	var told JobProgress
	own.Progress = func(now Progress) {
		told.Progress = now
		h.Tell(told)
	}
	if len(sel.Entries) > 0 {
		own.Explain = func(x *Explained) {
			told.Found = append(told.Found, x.finding())
			told.Found = told.Found[max(0, len(told.Found)-foundMax):]
			h.Tell(told)
		}
	}
	sum, err := own.Run(ctx, sel)
	if err == nil {
		err = ctx.Err() // a run that is told to stop ends without an error
	}
	if err == nil {
		told.Progress, told.Summary = Progress{Total: sum.Selected, Checked: sum.Selected}, sum
		h.Tell(told)
	}
	return err
}
