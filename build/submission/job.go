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

// Tasks check what people propose, with so many checks at the same time, and
// look after what was left behind.
func (c *Checker) Tasks(checks int) []catalog.JobTask {
	return []catalog.JobTask{
		{Name: "submissions", Kinds: []string{catalog.JobCheckSubmission}, Concurrency: checks, Do: c.carryOut,
			Retry: func(attempt int, failure error) (time.Duration, bool) {
				return pause(attempt), !errors.Is(failure, catalog.ErrInvalid) && !errors.Is(failure, catalog.ErrNotFound)
			}},
		{Name: "sweep", Kinds: []string{JobSweep}, Do: func(ctx context.Context, h catalog.HeldJob) error {
			return h.Finish(ctx, func(tx catalog.Tx) error { return c.sweep(ctx, tx, c.Clock()) })
		}},
	}
}

// pause is how long to wait after a failed attempt.
func pause(attempt int) time.Duration {
	return []time.Duration{30 * time.Second, 5 * time.Minute, 30 * time.Minute}[min(max(attempt-1, 0), 2)]
}

// carryOut checks the submission of a job. The outcome is written in one
// transaction with the end of the job, so that a check whose worker dies is made
// again and never counted twice.
func (c *Checker) carryOut(ctx context.Context, h catalog.HeldJob) error {
	began := c.Clock()
	job := h.Job()
	var payload catalog.CheckPayload
	if err := json.Unmarshal(job.Payload, &payload); err != nil {
		return fmt.Errorf("payload of job %s: %w: %w", job.ID, catalog.ErrInvalid, err)
	}
	s, err := c.begin(ctx, payload.Submission)
	if errors.Is(err, errStale) {
		return nil
	}
	if err != nil {
		return err
	}
	looking, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	intake, err := c.open(ctx)
	if err != nil {
		return err
	}
	v, err := c.check(looking, intake, s, job.Attempt >= job.MaxAttempts)
	if err != nil {
		return err
	}
	state, err := c.finish(ctx, intake, h, s.ID, v)
	if errors.Is(err, errStale) {
		return nil
	}
	if err == nil && c.Log != nil {
		c.Log.Info("submission checked", "submission", s.ID, "state", state, "attempt", job.Attempt, "seconds", catalog.Seconds(began, c.Clock()))
	}
	return err
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
		if err := s.Move(catalog.SubmissionChecking, catalog.Reason{}, c.Clock()); err != nil {
			return err
		}
		return tx.Submissions().Put(ctx, *s)
	})
	return s, err
}
