package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// candidate is what a moderator decides on: a submission, the pending entry
// that was made of it, or one of them.
type candidate struct {
	submission *catalog.Submission
	entry      *catalog.Entry
}

// candidate finds what an id means: a submission with its entry, or a pending
// entry with its submission, if it has one.
func (a *act) candidate(id string) (c candidate, err error) {
	c.submission, err = a.tx.Submissions().Get(a.ctx, id)
	entryID := id
	switch {
	case err == nil:
		if entryID = c.submission.EntryID; entryID == "" || c.submission.State != catalog.SubmissionQuarantined {
			return c, nil
		}
	case errors.Is(err, catalog.ErrNotFound):
		if c.submission, err = a.tx.Submissions().ByEntry(a.ctx, id); err != nil && !errors.Is(err, catalog.ErrNotFound) {
			return c, err
		}
	default:
		return c, err
	}
	list, err := a.tx.Entries().Get(a.ctx, entryID)
	if err != nil {
		return c, err
	}
	if len(list) == 0 {
		return c, web.NotFound("There is no submission and no candidate with this id.")
	}
	c.entry = &list[0]
	return c, nil
}

// Approve makes a candidate public.
func (o *API) Approve() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var req wire.DecisionRequest
		if err := web.Decode(r, &req); err != nil {
			return err
		}
		why, err := reason(req.Reason)
		if err != nil {
			return err
		}
		var answer wire.EntryChange
		err = o.change(r, "approveSubmission", func(a *act) error {
			c, err := a.candidate(r.PathValue("id"))
			if err != nil {
				return err
			}
			if err := ifMatch(r, &c); err != nil {
				return err
			}
			if err := a.approve(&c, why, req.Edits); err != nil {
				return err
			}
			answer = wire.NewEntryChange(c.entry, o.path("/api/v1/entries/"+c.entry.Slug))
			return nil
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, answer)
	}
}

// decided is a 409 that says who decided before, so that nobody's decision is lost unseen.
func (a *act) decided(what string, c *candidate) error {
	if c.submission != nil {
		what += " This submission is " + string(c.submission.State) + "."
	}
	found, err := a.tx.Moderations().Latest(a.ctx, c.subject())
	if err != nil {
		return err
	}
	if d, ok := found[c.subject()]; ok {
		what += fmt.Sprintf(" %s by %s at %s: %s", d.Kind, d.Name, d.At.UTC().Format(time.RFC3339), d.Reason)
	} else if c.entry != nil {
		what += " The entry is " + string(c.entry.Status) + "."
	}
	return conflict("%s", what)
}

func (a *act) approve(c *candidate, why string, edits map[string]json.RawMessage) error {
	if c.entry == nil || c.entry.Status != catalog.StatusPending {
		return a.decided("Only what waits for a moderator can be approved.", c)
	}
	before := *c.entry
	kind, err := c.entry.Transition(catalog.Change{To: catalog.StatusActive, At: a.now})
	if err != nil {
		return err
	}
	c.entry.Admission = &catalog.Admission{Rule: catalog.AdmittedByModerator, Reason: why, By: a.caller.Token, At: a.now}
	c.entry.Publish(a.now, a.api.PublishWindow)
	overrides, err := a.overrides(c.entry, edits, why)
	if err != nil {
		return err
	}
	p, err := a.admission(c.entry.ID, catalog.FieldRow{Basis: catalog.BasisCurator, Transform: string(catalog.AdmittedByModerator), Note: why})
	if err != nil {
		return err
	}
	if err := a.write(kind, &before, c.entry, p); err != nil {
		return err
	}
	if len(overrides) > 0 {
		if err := a.tx.Overrides().Put(a.ctx, overrides...); err != nil {
			return err
		}
	}
	if err := a.note(c, catalog.DecisionApproved, before.Status, why, ""); err != nil {
		return err
	}
	if err := a.end(c.submission, catalog.SubmissionApproved, why); err != nil {
		return err
	}
	return a.audit(c.entry.ID, why, map[string]any{"submission": id(c.submission), "edits": fields(edits), "decision": a.noted.ID, "batch": a.batch})
}

// admission is the provenance of an entry with another origin of its admission.
func (a *act) admission(entryID string, row catalog.FieldRow) (*catalog.Provenance, error) {
	p, err := a.tx.Provenances().Get(a.ctx, entryID)
	if errors.Is(err, catalog.ErrNotFound) {
		p, err = &catalog.Provenance{EntryID: entryID}, nil
	}
	if err != nil {
		return nil, err
	}
	row.Field, row.ObservedAt = "admission", a.now
	p.Rows = append([]catalog.FieldRow{row}, slices.DeleteFunc(p.Rows, func(r catalog.FieldRow) bool {
		return r.Field == "admission" && (r.Transform == quarantine || row.Transform == quarantine)
	})...)
	return p, nil
}

// quarantine is the origin of an admission that a moderator has to give.
const quarantine = "quarantine"

// Reject ends a submission, or removes a candidate.
func (o *API) Reject() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var req wire.ReasonRequest
		if err := web.Decode(r, &req); err != nil {
			return err
		}
		why, err := reason(req.Reason)
		if err != nil {
			return err
		}
		var answer wire.RejectionReceipt
		err = o.change(r, "rejectSubmission", func(a *act) error {
			c, err := a.candidate(r.PathValue("id"))
			if err != nil {
				return err
			}
			if err := ifMatch(r, &c); err != nil {
				return err
			}
			answer = wire.RejectionReceipt{Submission: id(c.submission)}
			return a.reject(&c, why, &answer)
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, answer)
	}
}

func (a *act) reject(c *candidate, why string, answer *wire.RejectionReceipt) error {
	subject := ""
	if c.entry != nil {
		if c.entry.Status != catalog.StatusPending {
			return a.decided("Only what waits for a moderator can be rejected.", c)
		}
		before := *c.entry
		kind, err := c.entry.Transition(catalog.Change{To: catalog.StatusRemoved, Reason: why, At: a.now})
		if err != nil {
			return err
		}
		if err := a.write(kind, &before, c.entry, nil); err != nil {
			return err
		}
		subject, answer.Entry = c.entry.ID, &c.entry.ID
	} else if !c.submission.State.Open() {
		return a.decided("This submission is decided.", c)
	}
	if err := a.note(c, catalog.DecisionRejected, catalog.StatusPending, why, ""); err != nil {
		return err
	}
	if c.submission != nil && (c.entry == nil || c.submission.State.Open()) {
		if err := a.end(c.submission, catalog.SubmissionRejected, why); err != nil {
			return err
		}
		if subject == "" {
			subject = c.submission.ID
		}
	}
	return a.audit(subject, why, map[string]any{"submission": id(c.submission), "decision": a.noted.ID, "batch": a.batch})
}

// end decides a submission and writes its event; nil is none to decide.
func (a *act) end(s *catalog.Submission, to catalog.SubmissionState, why string) error {
	if s == nil || !s.State.Open() {
		return nil
	}
	// A submission that was never looked at may be rejected, too.
	if err := s.Move(to, catalog.Reason{Class: catalog.ReasonDecision, Text: why}, a.now); err != nil {
		return err
	}
	if err := a.tx.Submissions().Put(a.ctx, *s); err != nil {
		return err
	}
	return a.tell(s)
}

// tell writes the event of what became of a submission.
func (a *act) tell(s *catalog.Submission) error {
	data, err := json.Marshal(map[string]string{"submission": s.ID, "status": string(s.State), "reason_class": string(s.ReasonClass())})
	if err != nil {
		return err
	}
	kind := catalog.EventSubmissionReopened
	switch s.State {
	case catalog.SubmissionApproved:
		kind = catalog.EventSubmissionApproved
	case catalog.SubmissionRejected, catalog.SubmissionDuplicate:
		kind = catalog.EventSubmissionRejected
	}
	return a.tx.Events().Append(a.ctx, catalog.Event{Type: kind, OccurredAt: a.now, Data: data})
}

func id(s *catalog.Submission) *string {
	if s == nil {
		return nil
	}
	return &s.ID
}

// DecideReport accepts, answers or closes a report.
func (o *API) DecideReport() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var req wire.ReportDecision
		if err := web.Decode(r, &req); err != nil {
			return err
		}
		why, err := reason(req.Reason)
		if err != nil {
			return err
		}
		if req.Status != catalog.ReportAccepted && req.Status != catalog.ReportResolved && req.Status != catalog.ReportDismissed {
			return invalid("status", string(req.Status), "use ACCEPTED, RESOLVED or DISMISSED")
		}
		var answer wire.ReportChange
		err = o.change(r, "decideReport", func(a *act) error {
			report, err := a.tx.Reports().Get(a.ctx, r.PathValue("id"))
			if errors.Is(err, catalog.ErrNotFound) {
				return web.NotFound("There is no report with this id.")
			}
			if err != nil {
				return err
			}
			shown, from := report.Public(), report.State
			if err := a.settle(report, &req, why); err != nil {
				return err
			}
			if err := a.tx.Reports().Put(a.ctx, *report); err != nil {
				return err
			}
			if err := a.tellReport(report, shown, from); err != nil {
				return err
			}
			answer = wire.ReportChange{ID: report.ID, Status: report.State}
			return a.audit(report.EntryID, why, map[string]any{"report": report.ID, "status": report.State})
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, answer)
	}
}

// tellReport writes the event of a report that is or was on the page of its entry; of others nobody learns.
func (a *act) tellReport(r *catalog.Report, shown bool, from catalog.ReportState) error {
	before, after := string(from), string(r.State)
	if !shown {
		before = ""
	}
	if !r.Public() {
		after = ""
	}
	if before == "" && after == "" {
		return nil
	}
	return a.tx.Events().Append(a.ctx, catalog.SaidEvent(r.EntryID, catalog.FieldReports, before, after, a.now))
}

// settle changes a report as a moderator decided.
func (a *act) settle(report *catalog.Report, req *wire.ReportDecision, why string) error {
	if !report.Undecided() || req.Status == catalog.ReportAccepted && report.State == catalog.ReportAccepted && req.Answer == "" {
		return conflict("This report is %s already.", report.State)
	}
	var err error
	switch {
	case req.Status != catalog.ReportAccepted:
		err = report.Close(req.Status, why, a.now)
	case report.State == catalog.ReportOpen:
		err = report.Accept(why, a.now)
	}
	if err == nil && req.Answer != "" {
		err = report.Answer("", req.Answer, a.now)
	}
	report.Hidden = req.Hide
	if errors.Is(err, catalog.ErrConflict) {
		return conflict("This report has %d answers: no more are kept.", len(report.Answers))
	}
	return err
}
