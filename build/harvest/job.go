package harvest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// JobKind is the kind of a queued harvest.
const JobKind = catalog.JobDiscovery

// JobPayload is what a queued harvest is asked to do.
type JobPayload = catalog.DiscoveryPayload

// JobProgress is how far a queued harvest is, and in the end what came of it.
type JobProgress struct {
	Sources int         `json:"sources"`
	Ended   int         `json:"ended"`
	Records int         `json:"records"`
	Results []JobResult `json:"results,omitempty"`
}

// JobResult is the end of one source's harvest.
type JobResult struct {
	Source string           `json:"source"`
	Run    string           `json:"run,omitempty"`
	State  catalog.RunState `json:"state,omitempty"`
	In     int              `json:"in"`
	Error  string           `json:"error,omitempty"`
}

// Worker takes queued harvests.
type Worker struct {
	// Name tells the workers apart.
	Name string
	// Lease is how long a job is held without a sign of life; 0 is 2 minutes.
	Lease time.Duration
	// Retry is the pause before a failed job is tried again; 0 is 10 minutes.
	Retry time.Duration
	// Batch harvests; its Progress is the worker's.
	Batch *Batch
}

// RunJob takes one queued harvest, if there is one that is due, and carries it
// out: it holds the lease while it works, stores its progress, and settles the
// job. It tells whether there was one. A job whose sources fail is tried again
// until its attempts are used up; what broke off then goes on. Sources that
// brought nothing (ErrFruitless) wait for their schedule. The error is that of
// the store.
func (w *Worker) RunJob(ctx context.Context, st catalog.Store) (bool, error) {
	var jobs []catalog.Job
	now := w.Batch.Clock()
	err := st.Update(ctx, func(tx catalog.Tx) (err error) {
		jobs, err = tx.Jobs().Lease(ctx, w.Name, []string{JobKind}, now, now.Add(w.lease()), 1)
		return err
	})
	if err != nil || len(jobs) == 0 {
		return false, err
	}
	job := &jobs[0]
	failure := w.carryOut(ctx, st, job)
	if errors.Is(failure, catalog.ErrLeaseLost) {
		return true, fmt.Errorf("job %s: %w", job.ID, failure)
	}
	retry := w.Batch.Clock().Add(w.retry())
	if errors.Is(failure, catalog.ErrInvalid) || errors.Is(failure, ErrUnknownSource) {
		retry = time.Time{}
	}
	// A worker that is told to stop gives the job back.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	err = st.Update(ctx, func(tx catalog.Tx) error {
		return tx.Jobs().Settle(ctx, job.ID, w.Name, w.Batch.Clock(), failure, retry)
	})
	return true, err
}

func (w *Worker) lease() time.Duration {
	if w.Lease > 0 {
		return w.Lease
	}
	return 2 * time.Minute
}

func (w *Worker) retry() time.Duration {
	if w.Retry > 0 {
		return w.Retry
	}
	return 10 * time.Minute
}

// carryOut harvests what the job names while the lease is held.
func (w *Worker) carryOut(ctx context.Context, st catalog.Store, job *catalog.Job) error {
	var payload JobPayload
	if len(job.Payload) > 0 {
		if err := json.Unmarshal(job.Payload, &payload); err != nil {
			return fmt.Errorf("payload of job %s: %w: %w", job.ID, catalog.ErrInvalid, err)
		}
	}
	list, err := Choose(ctx, st, payload.Sources, w.Batch.Clock())
	if err != nil {
		return err
	}
	h := newLeased(w, st, job.ID, len(list))
	ctx, stop := h.hold(ctx)
	outcomes := w.Batch.withProgress(h.tell).Run(ctx, st, list)
	if err := stop(); err != nil {
		return err
	}
	var failed []string
	for i := range outcomes {
		r := JobResult{Source: first(outcomes[i].Source.Key, outcomes[i].Source.ID), Run: outcomes[i].Report.Run, State: outcomes[i].Report.State, In: outcomes[i].Report.In}
		if outcomes[i].Failed() {
			if !errors.Is(outcomes[i].Err, ErrFruitless) {
				failed = append(failed, r.Source)
			}
			if r.Error = "it was not read to its end"; outcomes[i].Err != nil {
				r.Error = publicWords(outcomes[i].Source.File, outcomes[i].Err.Error())
			}
		}
		h.progress.Results = append(h.progress.Results, r)
	}
	if err := h.store(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d sources were not read to their end: %s", len(failed), len(list), strings.Join(failed, ", "))
	}
	return nil
}

// scheduleEvery is how often sources are looked through for those that are due.
const scheduleEvery = 10 * time.Minute

// Schedule queues a harvest of what is due in the present slot, once for all
// workers of a store. Nothing is queued while no source is enabled.
func Schedule(ctx context.Context, st catalog.Store, now time.Time) error {
	due, err := Choose(ctx, st, nil, now)
	if err != nil || len(due) == 0 {
		return err
	}
	slot := now.UTC().Truncate(scheduleEvery)
	key := JobKind + " " + slot.Format(time.RFC3339)
	return st.Update(ctx, func(tx catalog.Tx) error {
		_, err := tx.Jobs().Enqueue(ctx, catalog.Job{ID: catalog.NewID("job", key), Kind: JobKind, UniqueKey: JobKind + " scheduled", RunAt: slot,
			CreatedAt: now, MaxAttempts: 3})
		return err
	})
}
