package admin

import (
	"context"
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

// Queue shows what waits for a moderator.
func (o *API) Queue() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := query.ReadPlain(r, wire.QueueParams())
		if err != nil {
			return err
		}
		after, err := placeOf(q["cursor"], candidateCursorMax)
		if err != nil {
			return err
		}
		if after != "" && q["kind"] == "" {
			return web.Malformed("A cursor needs its kind: follow next_candidates or next_reports.")
		}
		page := wire.QueuePage{Candidates: []wire.QueueCandidate{}, Reports: []wire.QueueReport{}, Groups: []wire.QueueGroup{}}
		caller := web.CallerOf(r.Context())
		err = o.view(r, func(ctx context.Context, tx catalog.Tx) error {
			counts, err := tx.Candidates().Count(ctx)
			if err != nil {
				return err
			}
			page.Total.Candidates = counts[catalog.StatusPending]
			if page.Total.Reports, err = tx.Reports().CountOpen(ctx); err != nil {
				return err
			}
			if q["kind"] != "reports" {
				if err := o.candidates(ctx, tx, &page, newSelection(q, caller, after, o.Now())); err != nil {
					return err
				}
			}
			if q["kind"] == "candidates" {
				return nil
			}
			return o.reports(ctx, tx, &page, after, q.Int("limit"))
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}

// candidates lists pending entries, each with its submission and with those
// that have the same address.
func (o *API) candidates(ctx context.Context, tx catalog.Tx, page *wire.QueuePage, sel *selection) error {
	if err := sel.read(ctx, tx); err != nil {
		return err
	}
	page.Matching, page.Overdue, page.Groups = sel.matching, sel.overdue, sel.listGroups()
	chosen := sel.chosen
	if len(chosen) > sel.limit {
		chosen = chosen[:sel.limit]
		page.NextCandidates = o.next("/api/v1/admin/queue", chosen[sel.limit-1].key, sel.again())
	}
	ids := make([]string, len(chosen))
	for i := range chosen {
		ids[i] = chosen[i].id
	}
	list, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return err
	}
	byID := map[string]*catalog.Entry{}
	for i := range list {
		byID[list[i].ID] = &list[i]
	}
	for _, id := range ids {
		e := byID[id]
		s, err := tx.Submissions().ByEntry(ctx, id)
		if err != nil && !errors.Is(err, catalog.ErrNotFound) {
			return err
		}
		similar, err := o.similar(ctx, tx, e)
		if err != nil {
			return err
		}
		c := wire.NewQueueCandidate(e, similar, s)
		var taken *catalog.Assignment
		if a, ok := sel.taken[id]; ok {
			taken = &a
		}
		c.Place(e, sel.sources[e.SourceID], taken, sel.now)
		page.Candidates = append(page.Candidates, c)
	}
	return nil
}

// similarMax bounds the entries that are shown beside a candidate.
const similarMax = 5

func (o *API) similar(ctx context.Context, tx catalog.Tx, e *catalog.Entry) ([]wire.EntryLink, error) {
	if e.PrimarySourceURL == "" {
		return nil, nil
	}
	found, err := tx.Candidates().At(ctx, e.PrimarySourceURL)
	if err != nil {
		return nil, err
	}
	ids := found[e.PrimarySourceURL]
	list, err := tx.Entries().Get(ctx, ids[:min(len(ids), similarMax+1)]...)
	if err != nil {
		return nil, err
	}
	var links []wire.EntryLink
	for i := range list {
		if list[i].ID != e.ID && len(links) < similarMax {
			links = append(links, o.link(&list[i]))
		}
	}
	return links, nil
}

func (o *API) reports(ctx context.Context, tx catalog.Tx, page *wire.QueuePage, after string, limit int) error {
	list, err := tx.Reports().Open(ctx, after, limit+1)
	if err != nil {
		return err
	}
	if len(list) > limit {
		list = list[:limit]
		page.NextReports = o.next("/api/v1/admin/queue", list[limit-1].ID, url.Values{"kind": {"reports"}, "limit": {strconv.Itoa(limit)}})
	}
	for i := range list {
		rep := &list[i]
		entries, err := tx.Entries().Get(ctx, rep.EntryID)
		if err != nil {
			return err
		}
		link := wire.EntryLink{ID: rep.EntryID}
		if len(entries) == 1 {
			link = o.link(&entries[0])
		}
		page.Reports = append(page.Reports, wire.NewQueueReport(rep, link))
	}
	return nil
}

// Submissions lists the submissions with all that was sent.
func (o *API) Submissions() web.Handler {
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
		err = o.view(r, func(ctx context.Context, tx catalog.Tx) (err error) {
			list, err = tx.Submissions().List(ctx, f)
			return err
		})
		if err != nil {
			return err
		}
		page := wire.AdminSubmissionsPage{Items: []wire.AdminSubmission{}}
		if len(list) > limit {
			list = list[:limit]
			values := url.Values{"limit": {strconv.Itoa(limit)}}
			if f.State != "" {
				values.Set("status", string(f.State))
			}
			page.Next = o.next("/api/v1/admin/submissions", list[limit-1].ID, values)
		}
		for i := range list {
			page.Items = append(page.Items, wire.NewAdminSubmission(&list[i]))
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}

// next is the path of the page behind a place.
func (o *API) next(route, after string, values url.Values) *string {
	values.Set("cursor", base64.RawURLEncoding.EncodeToString([]byte(after)))
	next := o.path(route + "?" + values.Encode())
	return &next
}

// cursorMax is the longest place, in bytes.
const cursorMax = 100

func place(cursor string) (string, error) { return placeOf(cursor, cursorMax) }

func placeOf(cursor string, longest int) (string, error) {
	after, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(after) > longest {
		return "", web.Malformed("The cursor is none of this list: follow `next`, or leave it out.")
	}
	return string(after), nil
}
