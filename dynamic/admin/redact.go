package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// actionRedact is the id of the operation.
const actionRedact = "redactSubmission"

// redactedName is what a candidate is called whose name was taken out.
const redactedName = "Redacted"

// Redact takes out of the store what somebody proposed: the texts and addresses
// of a submission, and of a candidate that was rejected. State, times and classes
// of reasons stay. Of a submission that is not decided, contact and notes go and
// the rest stays; the entry that was made of an approved one is left alone, as it
// is public. Of an id that is unknown it is an ErrNotFound, of a candidate that
// nobody proposed and that was not rejected an ErrConflict.
func Redact(ctx context.Context, store catalog.Store, id, why string, by access.Actor, now time.Time) (r wire.Redaction, err error) {
	if why, err = reason(why); err != nil {
		return r, err
	}
	now = now.UTC().Truncate(time.Microsecond)
	err = store.Update(ctx, func(tx catalog.Tx) error {
		a := &act{ctx: ctx, tx: tx, now: now, caller: web.Caller{Token: by.By, Name: by.Name}, action: actionRedact}
		r, err = a.redact(id, why)
		return err
	})
	return r, err
}

func (a *act) redact(id, why string) (r wire.Redaction, err error) {
	s, e, err := a.proposed(id)
	if err != nil {
		return r, err
	}
	subject := ""
	if e != nil {
		if err := a.redactEntry(e); err != nil {
			return r, err
		}
		subject, r.Entry = e.ID, &e.ID
	}
	if s != nil {
		s.Redact(a.now)
		if err := a.tx.Submissions().Put(a.ctx, *s); err != nil {
			return r, err
		}
		subject, r.Submission = s.ID, &s.ID
	}
	r.RedactedAt = a.now.Format(time.RFC3339)
	return r, a.audit(subject, why, map[string]any{"submission": r.Submission, "entry": r.Entry})
}

// proposed finds a submission and the candidate that was made of it, by the id
// of either; one of them may be nil. The candidate is nil too while it waits, once
// it is public, and of a duplicate, which has none of its own.
func (a *act) proposed(id string) (s *catalog.Submission, e *catalog.Entry, err error) {
	s, err = a.tx.Submissions().Get(a.ctx, id)
	entryID := id
	if errors.Is(err, catalog.ErrNotFound) {
		if s, err = a.tx.Submissions().ByEntry(a.ctx, id); errors.Is(err, catalog.ErrNotFound) {
			s, err = nil, nil
		}
	} else if err == nil {
		entryID = s.EntryID
	}
	if err != nil || s != nil && (s.State.Open() || s.State == catalog.SubmissionApproved || s.State == catalog.SubmissionDuplicate) {
		return s, nil, err
	}
	list, err := a.tx.Entries().Get(a.ctx, entryID)
	if err != nil {
		return nil, nil, err
	}
	if len(list) == 1 {
		e = &list[0]
	}
	if s == nil && e == nil {
		return nil, nil, fmt.Errorf("submission or candidate %q: %w", id, catalog.ErrNotFound)
	}
	return s, e, nil
}

// redactEntry leaves of a candidate that was rejected that there was one. What
// was public once has a public history, and is removed instead.
func (a *act) redactEntry(e *catalog.Entry) error {
	if e.Status != catalog.StatusRemoved || !e.PublishedAt.IsZero() {
		return fmt.Errorf("entry %s is %s and not a rejected candidate: %w", e.ID, e.Status, catalog.ErrConflict)
	}
	key := "redacted|" + e.ID
	*e = catalog.Entry{ID: e.ID, Slug: "redacted-" + e.ID, Type: e.Type, Name: redactedName, IdentityKey: key, MatchKey: key,
		FreeAccessClass: catalog.AccessUnknown, AuthType: catalog.AuthUnknown, Status: e.Status, RemovedAt: e.RemovedAt,
		CreatedAt: e.CreatedAt, UpdatedAt: a.now}
	if err := e.Validate(); err != nil {
		return err
	}
	return a.tx.Entries().Redact(a.ctx, catalog.Write{Entry: e, Provenance: &catalog.Provenance{EntryID: e.ID},
		Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: a.now}}})
}

// Redact is the operation redactSubmission.
func (o *API) Redact() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var req wire.ReasonRequest
		if err := web.Decode(r, &req); err != nil {
			return err
		}
		caller := web.CallerOf(r.Context())
		done, err := Redact(r.Context(), o.Store, r.PathValue("id"), req.Reason, access.Actor{By: caller.Token, Name: caller.Name}, o.Now())
		switch {
		case errors.Is(err, catalog.ErrNotFound):
			return web.NotFound("There is no submission and no candidate with this id.")
		case errors.Is(err, catalog.ErrConflict):
			return conflict("Of what nobody proposed only a rejected candidate can be redacted: reject it first; remove what is public.")
		case err != nil:
			return err
		}
		return web.Reply(w, r, http.StatusOK, done)
	}
}
