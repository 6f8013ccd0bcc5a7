package submissions

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Status tells what came of one submission.
func (d *Desk) Status() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, err := query.ReadPlain(r, nil); err != nil {
			return err
		}
		var s *catalog.Submission
		var link *wire.EntryLink
		ctx := r.Context()
		err := d.store.View(ctx, func(tx catalog.Tx) error {
			var err error
			if s, err = tx.Submissions().Get(ctx, r.PathValue("id")); err != nil || s.EntryID == "" {
				return err
			}
			list, err := tx.Entries().Get(ctx, s.EntryID)
			if len(list) == 1 && list[0].Visible(d.now()) {
				link = d.link(&list[0])
			}
			return err
		})
		if errors.Is(err, catalog.ErrNotFound) {
			return web.NotFound("There is no submission with this id.")
		}
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, wire.NewSubmissionStatus(s, link))
	}
}

// List lists the submissions, newest first.
func (d *Desk) List() web.Handler {
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
		var list []catalog.Submission
		ctx := r.Context()
		err = d.store.View(ctx, func(tx catalog.Tx) error {
			var err error
			list, err = tx.Submissions().List(ctx, f)
			return err
		})
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
			page.Items = append(page.Items, wire.NewSubmissionItem(&list[i]))
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
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
