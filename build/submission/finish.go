package submission

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// verdict is what a check came to.
type verdict struct {
	state    catalog.SubmissionState
	reason   catalog.Reason
	findings []string
	// subject is the draft that was judged, nil when nothing could be made of
	// the address.
	subject *harvest.Case
}

// finish writes the outcome: the entry, the submission, the event and the end
// of the job, in one transaction. It tells what the submission is now.
func (c *Checker) finish(ctx context.Context, intake *harvest.Intake, h catalog.HeldJob, id string, v verdict) (state catalog.SubmissionState, err error) {
	err = h.Finish(ctx, func(tx catalog.Tx) error {
		s, err := tx.Submissions().Get(ctx, id)
		if err != nil {
			return err
		}
		if s.State != catalog.SubmissionChecking {
			return errStale
		}
		var reason catalog.Reason
		if state, reason, err = file(ctx, tx, intake, s, v); err != nil {
			return err
		}
		now := c.Clock()
		if err := s.Move(state, reason, now); err != nil {
			return err
		}
		s.Findings = v.findings
		if v.subject != nil {
			s.Officialness, s.Signals = v.subject.Confidence(), v.subject.Entry().Signals
		}
		if err := tx.Submissions().Put(ctx, *s); err != nil {
			return err
		}
		return announce(ctx, tx, s, now)
	})
	return state, err
}

// file puts the candidate into the register when the verdict says so, and
// tells what the submission is in the end.
func file(ctx context.Context, tx catalog.Tx, intake *harvest.Intake, s *catalog.Submission, v verdict) (catalog.SubmissionState, catalog.Reason, error) {
	status := map[catalog.SubmissionState]catalog.Status{
		catalog.SubmissionApproved: catalog.StatusActive, catalog.SubmissionQuarantined: catalog.StatusPending}[v.state]
	if status == "" {
		return v.state, v.reason, nil
	}
	filed, err := intake.File(ctx, tx, v.subject, status, v.reason.Text)
	var broken *catalog.FieldError
	switch {
	case errors.As(err, &broken):
		why := fmt.Sprintf("the register cannot keep it: %s: %s", broken.Field, broken.Remedy)
		return catalog.SubmissionRejected, catalog.Reason{Class: catalog.ReasonUnfit, Text: why}, nil
	case err != nil:
		return "", catalog.Reason{}, err
	case filed.Found && filed.Entry.Status == catalog.StatusRemoved && filed.Entry.MergedIntoID == "":
		return catalog.SubmissionRejected, removedBefore, nil
	case filed.Found:
		s.EntryID = filed.Entry.ID
		return catalog.SubmissionDuplicate, catalog.Reason{Class: catalog.ReasonKnown, Text: "the register has this source"}, nil
	}
	s.EntryID = filed.Entry.ID
	return v.state, v.reason, nil
}

// announced are the events of the states that end a submission.
var announced = map[catalog.SubmissionState]catalog.EventKind{
	catalog.SubmissionApproved: catalog.EventSubmissionApproved, catalog.SubmissionRejected: catalog.EventSubmissionRejected,
	catalog.SubmissionDuplicate: catalog.EventSubmissionRejected,
}

// announce writes the event of a decided submission. It is public and kept, so it
// tells the class of the reason only.
func announce(ctx context.Context, tx catalog.Tx, s *catalog.Submission, now time.Time) error {
	kind := announced[s.State]
	if kind == "" {
		return nil
	}
	data, err := json.Marshal(map[string]string{"submission": s.ID, "status": string(s.State), "reason_class": string(s.ReasonClass())})
	if err != nil {
		return err
	}
	return tx.Events().Append(ctx, catalog.Event{Type: kind, OccurredAt: now, Data: data})
}
