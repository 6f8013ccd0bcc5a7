package submissions

import (
	"context"
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// reportsMax is how many undecided reports an entry may have.
const reportsMax = 20

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
		report := catalog.Report{ID: newID("report"), Field: clean(req.Field), Message: clean(req.Message), ContactEmail: clean(req.ContactEmail),
			State: catalog.ReportOpen, CreatedAt: d.now()}
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
			return tooMany("Many reports on this entry are not decided yet; try again later.", "86400")
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
