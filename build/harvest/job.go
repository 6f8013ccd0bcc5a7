package harvest

import (
	"cmp"
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

// Task harvests what queued jobs name. A job whose sources fail is tried again
// until its attempts are used up; what broke off then goes on. Sources that
// brought nothing (ErrFruitless) wait for their schedule.
func (b *Batch) Task(st catalog.Store) catalog.JobTask {
	return catalog.JobTask{Name: "discovery", Kinds: []string{JobKind}, Concurrency: jobsAtOnce, Do: func(ctx context.Context, h catalog.HeldJob) error { return b.carryOut(ctx, st, h) },
		Retry: func(_ int, failure error) (time.Duration, bool) {
			return jobRetry, !errors.Is(failure, catalog.ErrInvalid) && !errors.Is(failure, ErrUnknownSource)
		}}
}

// jobRetry is the pause before a failed job is tried again.
const jobRetry = 10 * time.Minute

// jobsAtOnce is how many queued harvests go on at the same time: what an owner asks for does not wait until all
// sources that are due have been read. They share the gaps of hosts, and no source is read twice at once.
const jobsAtOnce = 3

// carryOut harvests what the job names.
func (b *Batch) carryOut(ctx context.Context, st catalog.Store, h catalog.HeldJob) error {
	var payload JobPayload
	if doc := h.Job().Payload; len(doc) > 0 {
		if err := json.Unmarshal(doc, &payload); err != nil {
			return fmt.Errorf("payload of job %s: %w: %w", h.Job().ID, catalog.ErrInvalid, err)
		}
	}
	list, err := Choose(ctx, st, payload.Sources, b.Clock())
	if err != nil {
		return err
	}
	progress, records := JobProgress{Sources: len(list)}, map[string]int{}
	tell := func(s *catalog.Source, p Progress, ended bool) {
		progress.Records += p.Records - records[s.ID]
		records[s.ID] = p.Records
		if ended {
			progress.Ended++
		}
		h.Tell(progress)
	}
	told := b.withProgress(tell)
	told.Options.Due = len(payload.Sources) == 0
	outcomes := told.Run(ctx, st, list)
	var failed []string
	for i := range outcomes {
		r := outcomes[i].result()
		if outcomes[i].Failed() {
			if !errors.Is(outcomes[i].Err, ErrFruitless) {
				failed = append(failed, r.Source)
			}
		}
		progress.Results = append(progress.Results, r)
	}
	h.Tell(progress)
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d sources were not read to their end: %s", len(failed), len(list), strings.Join(failed, ", "))
	}
	return nil
}

func (o *Outcome) result() JobResult {
	r := JobResult{Source: cmp.Or(o.Source.Key, o.Source.ID), Run: o.Report.Run, State: o.Report.State, In: o.Report.In}
	switch {
	case o.Err != nil:
		r.Error = publicWords(o.Source.File, o.Err.Error())
	case o.Failed():
		r.Error = "it was not read to its end"
	}
	return r
}

// withProgress is the batch with another listener.
func (b *Batch) withProgress(tell func(*catalog.Source, Progress, bool)) *Batch {
	return &Batch{Connectors: b.Connectors, Hosts: b.Hosts, Fetcher: b.Fetcher, Clock: b.Clock, Limits: b.Limits, Options: b.Options,
		AllowPrivate: b.AllowPrivate, Worker: b.Worker, Log: b.Log, Progress: tell}
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
