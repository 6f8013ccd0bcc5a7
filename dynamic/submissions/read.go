package submissions

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Status tells everybody what came of one submission.
func (d *Handlers) Status() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		s, link, err := d.find(r, r.PathValue("id"))
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, wire.NewSubmissionStatus(s, link, told(s, link != nil)))
	}
}

// Own tells the submitter, who has the token of the status address.
func (d *Handlers) Own() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, secret, _ := strings.Cut(r.PathValue("token"), ".")
		s, link, err := d.find(r, id)
		if err != nil {
			return err
		}
		if s.StatusHash == "" || subtle.ConstantTimeCompare([]byte(s.StatusHash), []byte(web.Digest(secret))) != 1 {
			return errUnknown()
		}
		w.Header().Set("Referrer-Policy", "no-referrer")
		return web.Reply(w, r, http.StatusOK, wire.NewSubmissionStatus(s, link, true))
	}
}

// told tells whether everybody may see what was proposed: it was approved, and
// its entry is public.
func told(s *catalog.Submission, public bool) bool {
	return s.State == catalog.SubmissionApproved && public
}

func errUnknown() error { return web.NotFound("There is no submission with this id.") }

// find returns a submission and the link to its entry, nil when that is not
// public.
func (d *Handlers) find(r *http.Request, id string) (s *catalog.Submission, link *wire.EntryLink, err error) {
	if _, err := query.ReadPlain(r, nil); err != nil {
		return nil, nil, err
	}
	ctx := r.Context()
	err = d.store.View(ctx, func(tx catalog.Tx) error {
		var err error
		if s, err = tx.Submissions().Get(ctx, id); err != nil || s.EntryID == "" {
			return err
		}
		list, err := tx.Entries().Get(ctx, s.EntryID)
		if len(list) == 1 && list[0].Visible(d.now()) {
			link = d.link(&list[0])
		}
		return err
	})
	if errors.Is(err, catalog.ErrNotFound) {
		err = errUnknown()
	}
	return s, link, err
}

// List lists the submissions, newest first.
func (d *Handlers) List() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := query.ReadPlain(r, wire.SubmissionListParams())
		if err != nil {
			return err
		}
		limit := q.Int("limit")
		f := catalog.SubmissionFilter{State: catalog.SubmissionState(q["status"]), Limit: limit + 1}
		if f.Before, err = place(q["cursor"]); err != nil {
			return err
		}
		list, public, err := d.list(r.Context(), f)
		if err != nil {
			return err
		}
		page := wire.SubmissionsPage{Items: []wire.SubmissionItem{}}
		if len(list) > limit {
			list = list[:limit]
			values := url.Values{"cursor": {cursor(list[limit-1].ID)}, "limit": {strconv.Itoa(limit)}}
			if f.State != "" {
				values.Set("status", string(f.State))
			}
			next := d.path("/api/v1/submissions?" + values.Encode())
			page.Next = &next
		}
		for i := range list {
			page.Items = append(page.Items, wire.NewSubmissionItem(&list[i], told(&list[i], public[list[i].EntryID])))
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}

// list reads submissions, and tells which of the entries of approved ones are
// public.
func (d *Handlers) list(ctx context.Context, f catalog.SubmissionFilter) (list []catalog.Submission, public map[string]bool, err error) {
	err = d.store.View(ctx, func(tx catalog.Tx) error {
		var err error
		if list, err = tx.Submissions().List(ctx, f); err != nil {
			return err
		}
		var ids []string
		for i := range list {
			if list[i].State == catalog.SubmissionApproved {
				ids = append(ids, list[i].EntryID)
			}
		}
		entries, err := tx.Entries().Get(ctx, ids...)
		public = make(map[string]bool, len(entries))
		for i := range entries {
			public[entries[i].ID] = entries[i].Visible(d.now())
		}
		return err
	})
	return list, public, err
}

// cursor is the opaque place behind a submission.
func cursor(id string) string { return base64.RawURLEncoding.EncodeToString([]byte(id)) }

func place(cursor string) (string, error) {
	id, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || cursor != "" && !catalog.IsID(string(id)) {
		return "", web.Malformed("The cursor is none of this list: follow `next`, or leave it out.")
	}
	return string(id), nil
}
