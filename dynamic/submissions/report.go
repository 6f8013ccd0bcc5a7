package submissions

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// reportsMax is how many undecided reports an entry may have, reportsOfOne how many of them
// one client may send in a day, so that nobody fills it alone.
const reportsMax, reportsOfOne = 200, 3

// Report takes what a reader says is wrong with an entry.
func (d *Handlers) Report() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		key, err := web.Idempotency(r, "reportEntry "+r.PathValue("idOrSlug"))
		if err != nil {
			return err
		}
		var req wire.ReportRequest
		if err := web.Decode(r, &req); err != nil {
			return err
		}
		clean := strings.TrimSpace
		report := catalog.Report{ID: newID("report"), Category: req.Category, Field: clean(req.Field), Message: clean(req.Message), Evidence: clean(req.Evidence),
			ContactEmail: clean(req.ContactEmail), State: catalog.ReportOpen, CreatedAt: d.now()}
		if err := report.Validate(); err != nil {
			return err
		}
		if err := oneLine("field", report.Field); err != nil {
			return err
		}
		request, err := web.JSON(req)
		if err != nil {
			return err
		}
		body, err := d.file(r.Context(), r.PathValue("idOrSlug"), report, key, web.Digest(string(request)))
		if err != nil {
			return err
		}
		web.ReplyBytes(w, r, http.StatusCreated, body)
		return nil
	}
}

// file stores a report and the answer to it.
func (d *Handlers) file(ctx context.Context, name string, report catalog.Report, key, request string) (body []byte, err error) {
	take := d.reports.Once()
	err = d.store.Update(ctx, func(tx catalog.Tx) error {
		if key != "" {
			before, err := tx.Replays().Get(ctx, key)
			if err != nil {
				return err
			}
			if a, ok := before[key]; ok {
				if body = []byte(a.Body); a.Request != request {
					return web.KeyReused()
				}
				return nil
			}
		}
		e, err := d.entry(ctx, tx, name)
		if err != nil {
			return err
		}
		report.EntryID = e.ID
		if n, err := tx.Reports().OpenOn(ctx, e.ID); err != nil {
			return err
		} else if n >= reportsMax {
			return web.TooMany("Many reports on this entry are not decided yet; try again later.", 24*time.Hour)
		}
		if may := take(web.ClientOf(ctx) + " " + e.ID); !may.OK {
			return web.TooMany("This client has reported this entry often enough for today; go on tomorrow.", may.Reset)
		}
		if body, err = web.JSON(wire.ReportReceipt{ID: report.ID, Status: report.State, EntryID: e.ID}); err != nil {
			return err
		}
		if key != "" {
			answer := catalog.Replay{Key: key, Request: request, Status: http.StatusCreated, Body: string(body), At: report.CreatedAt}
			if err := tx.Replays().Put(ctx, answer); err != nil {
				return err
			}
		}
		return tx.Reports().Put(ctx, report)
	})
	return body, err
}

// entry finds a public entry by its id or slug.
func (d *Handlers) entry(ctx context.Context, tx catalog.Tx, name string) (*catalog.Entry, error) {
	ids := []string{name}
	if !catalog.IsID(name) {
		owners, err := tx.Entries().BySlug(ctx, name)
		if err != nil {
			return nil, err
		}
		ids[0] = owners[name]
	}
	list, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	switch {
	case len(list) == 0 || list[0].Status != catalog.StatusRemoved && !list[0].Visible(d.now()):
		return nil, web.NotFound("No entry is known under this name.")
	case list[0].Status == catalog.StatusRemoved && list[0].PublishedAt.IsZero():
		return nil, web.NotFound("No entry is known under this name.")
	case list[0].Status == catalog.StatusRemoved:
		return nil, &web.Error{Problem: wire.Problem{Status: http.StatusGone, Type: web.ProblemRemoved, Detail: "This entry was removed."}}
	}
	return &list[0], nil
}

// Reports tells what readers reported of an entry, as far as it is public.
func (d *Handlers) Reports() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, err := query.ReadPlain(r, nil); err != nil {
			return err
		}
		var out wire.EntryReports
		err := d.store.View(r.Context(), func(tx catalog.Tx) error {
			e, err := d.entry(r.Context(), tx, r.PathValue("idOrSlug"))
			if err != nil {
				return err
			}
			list, err := tx.Reports().Of(r.Context(), e.ID)
			out = wire.NewEntryReports(e.ID, list)
			return err
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, out)
	}
}

// Published lists all public reports, newest first.
func (d *Handlers) Published() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := query.ReadPlain(r, wire.ReportsParams())
		if err != nil {
			return err
		}
		before, err := base64.RawURLEncoding.Strict().DecodeString(q["cursor"])
		if err != nil || len(before) > 100 {
			return web.Malformed("The cursor is none of this list: follow `next`, or leave it out.")
		}
		var list []catalog.Report
		limit := q.Int("limit")
		page := wire.ReportsPage{Items: []wire.PublicReport{}}
		err = d.store.View(r.Context(), func(tx catalog.Tx) (err error) {
			if list, err = tx.Reports().Published(r.Context(), string(before), limit+1); err != nil {
				return err
			}
			if len(list) > limit {
				list = list[:limit]
				values := url.Values{"limit": {q["limit"]}, "cursor": {base64.RawURLEncoding.EncodeToString([]byte(list[limit-1].ID))}}
				for _, name := range []string{"category", "status"} {
					if q[name] != "" {
						values.Set(name, q[name])
					}
				}
				next := d.path(wire.RouteReports + "?" + values.Encode())
				page.Next = &next
			}
			page.Items, err = d.published(r.Context(), tx, list, q)
			return err
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}

// published are those of the reports that pass the filters and whose entry is public.
func (d *Handlers) published(ctx context.Context, tx catalog.Tx, list []catalog.Report, q query.Plain) ([]wire.PublicReport, error) {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].EntryID
	}
	entries, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	visible := map[string]bool{}
	for i := range entries {
		visible[entries[i].ID] = entries[i].Visible(d.now())
	}
	out := []wire.PublicReport{}
	for i := range list {
		r := &list[i]
		if visible[r.EntryID] && (q["category"] == "" || q["category"] == string(r.Kind())) && (q["status"] == "" || q["status"] == string(r.State)) {
			out = append(out, wire.NewPublicReport(r))
		}
	}
	return out, nil
}
