package submission

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// errStale says that the submission was decided while it was checked.
var errStale = errors.New("the submission was decided meanwhile")

// RunJob takes one check that is due, if there is one, and carries it out. It
// tells whether there was one; the error is that of the store. The outcome is
// written in one transaction with the end of the job, so that a check whose
// worker dies is made again and never counted twice.
func (c *Checker) RunJob(ctx context.Context) (bool, error) {
	var jobs []catalog.Job
	now := c.Clock()
	err := c.Store.Update(ctx, func(tx catalog.Tx) (err error) {
		jobs, err = tx.Jobs().Lease(ctx, c.Worker, []string{catalog.JobCheckSubmission}, now, now.Add(lease), 1)
		return err
	})
	if err != nil || len(jobs) == 0 {
		return false, err
	}
	job := &jobs[0]
	failure := c.carryOut(ctx, job)
	if failure == nil {
		return true, nil
	}
	if errors.Is(failure, catalog.ErrLeaseLost) {
		return true, fmt.Errorf("job %s: %w", job.ID, failure)
	}
	if c.Log != nil {
		c.Log.Warn("check of a submission", "job", job.ID, "attempt", job.Attempt, "error", failure)
	}
	retry := c.Clock().Add(pause(job.Attempt))
	if errors.Is(failure, catalog.ErrInvalid) || errors.Is(failure, catalog.ErrNotFound) {
		retry = time.Time{}
	}
	// A worker that is told to stop gives the job back.
	if ctx.Err() != nil {
		retry = c.Clock()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	return true, c.Store.Update(ctx, func(tx catalog.Tx) error {
		return tx.Jobs().Settle(ctx, job.ID, c.Worker, c.Clock(), failure, retry)
	})
}

// pause is how long to wait after a failed attempt.
func pause(attempt int) time.Duration {
	return []time.Duration{30 * time.Second, 5 * time.Minute, 30 * time.Minute}[min(max(attempt-1, 0), 2)]
}

// carryOut checks the submission of a job and settles the job with the
// outcome; an error means that it is not settled.
func (c *Checker) carryOut(ctx context.Context, job *catalog.Job) error {
	var payload catalog.CheckPayload
	if err := json.Unmarshal(job.Payload, &payload); err != nil {
		return fmt.Errorf("payload of job %s: %w: %w", job.ID, catalog.ErrInvalid, err)
	}
	s, err := c.begin(ctx, payload.Submission)
	if errors.Is(err, errStale) {
		return c.settle(ctx, job)
	}
	if err != nil {
		return err
	}
	looking, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	desk, err := c.open(ctx)
	if err != nil {
		return err
	}
	v, err := c.check(looking, desk, s, job.Attempt >= job.MaxAttempts)
	if err != nil {
		return err
	}
	err = c.finish(ctx, desk, job, s.ID, v)
	if errors.Is(err, errStale) {
		return c.settle(ctx, job)
	}
	return err
}

func (c *Checker) settle(ctx context.Context, job *catalog.Job) error {
	return c.Store.Update(ctx, func(tx catalog.Tx) error {
		return tx.Jobs().Settle(ctx, job.ID, c.Worker, c.Clock(), nil, time.Time{})
	})
}

// begin marks the submission as being checked.
func (c *Checker) begin(ctx context.Context, id string) (s *catalog.Submission, err error) {
	err = c.Store.Update(ctx, func(tx catalog.Tx) error {
		if s, err = tx.Submissions().Get(ctx, id); err != nil {
			return err
		}
		if !s.State.Waiting() {
			return errStale
		}
		if err := s.Move(catalog.SubmissionChecking, "", c.Clock()); err != nil {
			return err
		}
		return tx.Submissions().Put(ctx, *s)
	})
	return s, err
}
