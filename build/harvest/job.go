package harvest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// JobKind is the kind of a queued harvest.
const JobKind = catalog.JobDiscovery

// JobPayload is what a queued harvest is asked to do.
type JobPayload = catalog.DiscoveryPayload

// JobProgress is how far a queued harvest is, and in the end what came of it.
type JobProgress = catalog.DiscoveryProgress

// JobResult is the end of one source's harvest.
type JobResult = catalog.DiscoveryResult

// Task harvests what queued jobs name. A job whose sources fail is tried again
// until its attempts are used up; what broke off then goes on. Sources that
// brought nothing (ErrFruitless) wait for their schedule, and named ones that
// another process is harvesting are read once it has ended.
func (b *Batch) Task(st catalog.Store) catalog.JobTask {
	return catalog.JobTask{Name: "discovery", Kinds: []string{JobKind}, Concurrency: jobsAtOnce, Do: func(ctx context.Context, h catalog.HeldJob) error { return b.carryOut(ctx, st, h) },
		Retry: func(_ int, failure error) (time.Duration, bool) {
			return jobRetry, !errors.Is(failure, catalog.ErrInvalid) && !errors.Is(failure, ErrUnknownSource)
		}}
}

const (
	// jobRetry is the pause before a failed job is tried again, busyRetry the one before a job
	// looks again whether a source is free.
	jobRetry, busyRetry = 10 * time.Minute, 10 * time.Second
	// jobsAtOnce is how many queued harvests go on at the same time: what an owner asks for does not wait until all
	// sources that are due have been read. They share the gaps of hosts, and no source is read twice at once.
	jobsAtOnce = 3
)

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
	j := &queued{held: h, named: len(payload.Sources) > 0, records: map[string]int{}}
	if list = j.goOn(list); payload.Anew {
		j.since = h.Job().CreatedAt
	}
	told := b.withProgress(j.tell)
	told.Options.Due = !j.named
	outcomes := told.Run(ctx, st, list)
	for i := range outcomes {
		if err := told.anew(ctx, st, j, &outcomes[i]); err != nil {
			return err
		}
		j.take(&outcomes[i])
	}
	h.Tell(j.progress)
	switch {
	case len(j.failed) > 0:
		return fmt.Errorf("%d of %d sources were not read to their end: %s", len(j.failed), j.progress.Sources, strings.Join(j.failed, ", "))
	case j.waits && ctx.Err() == nil:
		return h.Wait(ctx, b.Clock().Add(busyRetry))
	}
	return nil
}

// queued is a job under way.
type queued struct {
	held     catalog.HeldJob
	progress JobProgress
	// records are those of the sources under way.
	records map[string]int
	// named tells that the job names its sources.
	named bool
	// since is the instant before which no source may have been read, zero for none.
	since time.Time
	// failed are the sources that failed; waits tells that some are being harvested by others.
	failed []string
	waits  bool
}

// goOn are the sources that an earlier attempt has not done with.
func (j *queued) goOn(list []catalog.Source) []catalog.Source {
	j.progress.Sources = len(list)
	var before JobProgress
	if !j.named || json.Unmarshal(j.held.Job().Progress, &before) != nil {
		return list
	}
	done := map[string]bool{}
	for _, r := range before.Results {
		if r.Done {
			done[r.Source] = true
			j.progress.Results = append(j.progress.Results, r)
			j.progress.Ended++
			j.progress.Records += r.In
		}
	}
	return slices.DeleteFunc(list, func(s catalog.Source) bool { return done[nameOf(&s)] })
}

func nameOf(s *catalog.Source) string { return cmp.Or(s.Key, s.ID) }

func (j *queued) tell(s *catalog.Source, p Progress, ended bool) {
	j.progress.Records += p.Records - j.records[s.ID]
	j.records[s.ID] = p.Records
	if ended {
		j.progress.Ended++
	}
	j.held.Tell(j.progress)
}

// anew reads a source again whose run went on with one that began before the job wanted it.
func (b *Batch) anew(ctx context.Context, st catalog.Store, j *queued, o *Outcome) error {
	if j.since.IsZero() || o.Err != nil || o.Failed() || o.Report.Run == "" {
		return nil
	}
	var run *catalog.HarvestRun
	err := st.View(ctx, func(tx catalog.Tx) (err error) {
		run, err = tx.Runs().Get(ctx, o.Report.Run)
		return err
	})
	if err == nil && run.StartedAt.Before(j.since) {
		j.progress.Ended--
		*o = b.one(ctx, st, o.Source)
	}
	return err
}

// take notes what became of a source.
func (j *queued) take(o *Outcome) {
	r, busy := o.result(), new(BusyError)
	switch {
	case j.named && errors.As(o.Err, &busy):
		r.Waits, j.waits = true, true
		j.progress.Ended--
	case o.Failed() && !errors.Is(o.Err, ErrFruitless):
		j.failed = append(j.failed, r.Source)
	default:
		r.Done = true
	}
	j.progress.Results = append(j.progress.Results, r)
}

func (o *Outcome) result() JobResult {
	r := JobResult{Source: nameOf(&o.Source), Run: o.Report.Run, State: o.Report.State, In: o.Report.In}
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
