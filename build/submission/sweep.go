package submission

import (
	"context"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// JobSweep looks after what was left behind.
const JobSweep = "submission.sweep"

const (
	// sweepEvery is how often it is done; abandoned is how long after the last
	// sign of life a submission is looked after.
	sweepEvery = 10 * time.Minute
	abandoned  = time.Hour
	// giveUpAfter is how long after its receipt a submission that cannot be
	// checked is decided.
	giveUpAfter = 24 * time.Hour
	// replaysFor and jobsFor are how long answers and ended jobs are kept.
	replaysFor = 7 * 24 * time.Hour
	jobsFor    = 30 * 24 * time.Hour
	// sweepMax is how many submissions of a state one sweep looks after.
	sweepMax = 10_000
)

// Schedule queues the sweep of the present slot, once for all workers of a
// store.
func (c *Checker) Schedule(ctx context.Context) error {
	now := c.Clock()
	slot := now.UTC().Truncate(sweepEvery)
	key := JobSweep + " " + slot.Format(time.RFC3339)
	job := catalog.Job{ID: catalog.NewID("job", key), Kind: JobSweep, UniqueKey: key, RunAt: slot, CreatedAt: now, MaxAttempts: 3}
	return c.Store.Update(ctx, func(tx catalog.Tx) error {
		_, err := tx.Jobs().Enqueue(ctx, job)
		return err
	})
}

// sweep queues the checks of submissions again whose job was lost, ends those that
// never could be checked, and deletes what is too old to be of use.
func (c *Checker) sweep(ctx context.Context, tx catalog.Tx, now time.Time) error {
	for _, state := range []catalog.SubmissionState{catalog.SubmissionReceived, catalog.SubmissionChecking} {
		list, err := tx.Submissions().List(ctx, catalog.SubmissionFilter{State: state, Limit: sweepMax})
		if err != nil {
			return err
		}
		for i := range list {
			if err := c.revive(ctx, tx, &list[i], now); err != nil {
				return err
			}
		}
	}
	if err := c.follow(ctx, tx, now); err != nil {
		return err
	}
	if _, err := tx.Replays().Prune(ctx, now.Add(-replaysFor)); err != nil {
		return err
	}
	_, err := tx.Jobs().Prune(ctx, now.Add(-jobsFor))
	return err
}

// revive queues the check of a submission again, which does nothing while its
// job is queued or running, or ends it when that was in vain for a day.
func (c *Checker) revive(ctx context.Context, tx catalog.Tx, s *catalog.Submission, now time.Time) error {
	if now.Sub(s.UpdatedAt) < abandoned {
		return nil
	}
	if now.Sub(s.CreatedAt) < giveUpAfter || s.State == catalog.SubmissionReceived {
		_, err := tx.Jobs().Enqueue(ctx, catalog.NewCheckJob(s.ID, now))
		return err
	}
	if err := s.Move(catalog.SubmissionRejected, catalog.Reason{Class: catalog.ReasonExpired, Text: "it could not be checked within a day; propose it again"}, now); err != nil {
		return err
	}
	if err := tx.Submissions().Put(ctx, *s); err != nil {
		return err
	}
	return announce(ctx, tx, s, now)
}

// settled are the ends of a submission whose candidate left the queue by
// another way: a harvest proved it, an administrator removed it.
var settled = map[catalog.Status]struct {
	state  catalog.SubmissionState
	reason catalog.Reason
}{
	catalog.StatusActive:     {catalog.SubmissionApproved, provedSince},
	catalog.StatusDeprecated: {catalog.SubmissionApproved, provedSince},
	catalog.StatusRemoved:    {catalog.SubmissionRejected, removedBefore},
}

// Reasons that the register itself gives.
var (
	provedSince   = catalog.Reason{Class: catalog.ReasonProofs, Text: "the register has proved it since"}
	removedBefore = catalog.Reason{Class: catalog.ReasonRemoved, Text: "this source was removed from the register"}
)

// follow ends the submissions whose candidates do not wait any more.
func (c *Checker) follow(ctx context.Context, tx catalog.Tx, now time.Time) error {
	list, err := tx.Submissions().List(ctx, catalog.SubmissionFilter{State: catalog.SubmissionQuarantined, Limit: sweepMax})
	if err != nil {
		return err
	}
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].EntryID
	}
	entries, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return err
	}
	status := make(map[string]catalog.Status, len(entries))
	for i := range entries {
		status[entries[i].ID] = entries[i].Status
	}
	for i := range list {
		s := &list[i]
		end, ok := settled[status[s.EntryID]]
		if !ok {
			continue
		}
		if err := s.Move(end.state, end.reason, now); err != nil {
			return err
		}
		if err := tx.Submissions().Put(ctx, *s); err != nil {
			return err
		}
		if err := announce(ctx, tx, s, now); err != nil {
			return err
		}
	}
	return nil
}
