package admin

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// subject is the id under which decisions on a candidate are kept.
func (c *candidate) subject() string {
	if c.entry != nil {
		return c.entry.ID
	}
	return c.submission.ID
}

// changed is a 412: the candidate is not the one that was looked at.
func changed(c *candidate, seen int64) error {
	if seen == 0 || c.entry == nil || c.entry.Status != catalog.StatusPending || c.entry.Revision == seen {
		return nil
	}
	return &web.Error{Problem: wire.Problem{Status: http.StatusPreconditionFailed,
		Detail: fmt.Sprintf("The candidate has changed since it was looked at: it is of version %d now, not %d. Look at it again.", c.entry.Revision, seen)}}
}

// ifMatch holds a request to the version that its If-Match header names (RFC 9110 §13.1.1).
func ifMatch(r *http.Request, c *candidate) error {
	given := strings.Trim(strings.TrimSpace(r.Header.Get("If-Match")), `"`)
	if given == "" || given == "*" {
		return nil
	}
	seen, err := strconv.ParseInt(given, 10, 64)
	if err != nil || seen < 1 {
		return &web.Error{Problem: wire.Problem{Status: http.StatusUnprocessableEntity, Detail: "The version cannot be read.",
			Errors: []wire.ProblemError{{Location: "header.If-Match", Message: "send the version that the queue shows, such as 4711"}}}}
	}
	return changed(c, seen)
}

// note keeps a decision, so that it can be taken back and seen by who comes second. What a
// harvest found has no submission that events tell of, so the decision has one of its own.
func (a *act) note(c *candidate, kind catalog.DecisionKind, from catalog.Status, why, into string) error {
	d := catalog.Decision{ID: catalog.NewID("decision", rand.Text()), Batch: a.batch, Kind: kind, Subject: c.subject(), IntoID: into,
		By: a.caller.Token, Name: a.who(), Reason: why, At: a.now}
	var err error
	if c.entry != nil {
		d.EntryID = c.entry.ID
		if d.Mark, err = catalog.MarkOf(c.entry); err != nil {
			return err
		}
	}
	if c.submission != nil {
		d.SubmissionID, d.SubmissionWas = c.submission.ID, c.submission.State
	}
	a.noted = &d
	if err := a.tx.Moderations().Put(a.ctx, d); err != nil {
		return err
	}
	if err := a.tx.Moderations().Release(a.ctx, d.Subject); err != nil {
		return err
	}
	if c.submission != nil {
		return nil
	}
	to := c.entry.Status
	change := catalog.FieldChange{Field: "status", From: json.RawMessage(strconv.Quote(string(from))), To: json.RawMessage(strconv.Quote(string(to)))}
	data, err := json.Marshal(map[string]string{"candidate": c.entry.ID, "reason_class": string(catalog.ReasonDecision), "cause": "curator"})
	if err != nil {
		return err
	}
	return a.tx.Events().Append(a.ctx, catalog.Event{Type: catalog.EventCandidateDecided, OccurredAt: a.now, Changes: []catalog.FieldChange{change}, Data: data})
}

// mergeCandidate makes what waits part of an entry that is there already.
func (a *act) mergeCandidate(c *candidate, into, why string) error {
	if c.entry == nil || c.entry.Status != catalog.StatusPending {
		return a.decided("Only what waits for a moderator can be merged here.", c)
	}
	older, err := find(a.ctx, a.tx, into)
	if err != nil || older.Status == catalog.StatusRemoved {
		return invalid("into", into, "name an older entry of the register by its id or slug")
	}
	from := c.entry.Status
	if err := a.mergeInto(c.entry, older); err != nil {
		return err
	}
	if err := a.note(c, catalog.DecisionMerged, from, why, older.ID); err != nil {
		return err
	}
	if c.submission != nil {
		c.submission.EntryID = older.ID
	}
	if err := a.end(c.submission, catalog.SubmissionDuplicate, why); err != nil {
		return err
	}
	return a.audit(c.entry.ID, why, map[string]any{"submission": id(c.submission), "into": older.ID, "decision": a.noted.ID, "batch": a.batch})
}

// Reopen takes the last decision on a candidate back.
func (o *API) Reopen() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		req, err := decoded[wire.ReasonRequest](r)
		if err != nil {
			return err
		}
		why, err := reason(req.Reason)
		if err != nil {
			return err
		}
		row := wire.BulkRow{ID: r.PathValue("id"), Status: http.StatusOK}
		err = o.change(r, "reopenSubmission", func(a *act) error { return a.reopen(&row, why) })
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, row)
	}
}

// reopen takes the last decision on a candidate back: all that it changed is as it was, and the
// candidate waits again.
func (a *act) reopen(row *wire.BulkRow, why string) error {
	found, err := a.tx.Moderations().Latest(a.ctx, row.ID)
	if err != nil {
		return err
	}
	d, ok := found[row.ID]
	switch {
	case !ok:
		return web.NotFound("No moderator has decided on a candidate with this id.")
	case d.Kind == catalog.DecisionReopened || !d.UndoneAt.IsZero():
		return conflict("The last decision was taken back already.")
	}
	c, err := a.decidedOn(&d)
	if err != nil {
		return err
	}
	from := ""
	if c.entry != nil {
		from = string(c.entry.Status)
		if err := a.giveUp(&c, &d, why); err != nil {
			return err
		}
	}
	if c.submission != nil {
		if from == "" {
			from = string(c.submission.State)
		}
		if err := a.resubmit(c.submission, &d, why); err != nil {
			return err
		}
	}
	d.UndoneAt = a.now
	if err := a.tx.Moderations().Put(a.ctx, d); err != nil {
		return err
	}
	if err := a.note(&c, catalog.DecisionReopened, catalog.Status(from), why, ""); err != nil {
		return err
	}
	fillRow(a.api, row, &c, from)
	row.Decision = &a.noted.ID
	return a.audit(d.Subject, why, map[string]any{"submission": id(c.submission), "undone": d.ID, "kind": d.Kind, "decision": a.noted.ID, "batch": a.batch})
}

// decidedOn finds what a decision was about, as long as nothing but the decision changed it.
func (a *act) decidedOn(d *catalog.Decision) (c candidate, err error) {
	if d.SubmissionID != "" {
		if c.submission, err = a.tx.Submissions().Get(a.ctx, d.SubmissionID); err != nil {
			return c, err
		}
		if !c.submission.RedactedAt.IsZero() && c.submission.RedactedAt.After(d.At) {
			return c, conflict("The submission was redacted since: nothing is left to decide on.")
		}
	}
	if d.EntryID == "" {
		return c, nil
	}
	list, err := a.tx.Entries().Get(a.ctx, d.EntryID)
	if err != nil {
		return c, err
	}
	if len(list) == 0 {
		return c, conflict("The entry is no more.")
	}
	c.entry = &list[0]
	mark, err := catalog.MarkOf(c.entry)
	if err != nil {
		return c, err
	}
	if mark != d.Mark {
		return c, conflict("The entry has changed since %s by %s at %s: deprecate, remove or edit it instead.", d.Kind, d.Name, d.At.UTC().Format("2006-01-02T15:04:05Z"))
	}
	return c, nil
}

// giveUp puts an entry back to where it waits, without what the decision laid over it.
func (a *act) giveUp(c *candidate, d *catalog.Decision, why string) error {
	before := *c.entry
	if d.Kind == catalog.DecisionMerged {
		if err := a.giveBack(c.entry, d.IntoID); err != nil {
			return err
		}
	}
	kind, err := c.entry.Reopen("reopened: "+why, a.now)
	if err != nil {
		return conflict("The entry is %s and cannot be decided again.", before.Status)
	}
	stored, err := a.laid(c.entry.ID)
	if err != nil {
		return err
	}
	var revoked []catalog.Override
	for _, o := range stored {
		if o.CreatedAt.Equal(d.At) && o.RevokedAt.IsZero() {
			o.RevokedAt, o.RevokedBy = a.now, a.who()
			revoked = append(revoked, o)
		}
	}
	p, err := a.admission(c.entry.ID, catalog.FieldRow{Basis: catalog.BasisCurator, Transform: quarantine, Note: why})
	if err != nil {
		return err
	}
	if err := a.write(kind, &before, c.entry, p); err != nil {
		return err
	}
	if len(revoked) == 0 {
		return nil
	}
	return a.tx.Overrides().Put(a.ctx, revoked...)
}

// resubmit puts a submission back to where it was; one that was not checked yet is checked.
func (a *act) resubmit(s *catalog.Submission, d *catalog.Decision, why string) error {
	to := catalog.SubmissionQuarantined
	if d.EntryID == "" {
		to = catalog.SubmissionReceived
	}
	if d.SubmissionWas == s.State || s.State.Open() {
		return nil
	}
	if d.EntryID != "" {
		s.EntryID = d.EntryID
	}
	if err := s.Move(to, catalog.Reason{Class: catalog.ReasonDecision, Text: why}, a.now); err != nil {
		return err
	}
	if err := a.tx.Submissions().Put(a.ctx, *s); err != nil {
		return err
	}
	if to == catalog.SubmissionReceived {
		if _, err := a.tx.Jobs().Enqueue(a.ctx, catalog.NewCheckJob(s.ID, a.now)); err != nil && !errors.Is(err, catalog.ErrConflict) {
			return err
		}
	}
	return a.tell(s)
}
