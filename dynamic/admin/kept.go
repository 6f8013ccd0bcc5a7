package admin

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Decisions lists what moderators decided.
func (o *API) Decisions() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := query.ReadPlain(r, wire.DecisionListParams())
		if err != nil {
			return err
		}
		before, err := place(q["cursor"])
		if err != nil {
			return err
		}
		limit := q.Int("limit")
		page := wire.DecisionsList{Items: []wire.DecisionItem{}}
		err = o.view(r, func(ctx context.Context, tx catalog.Tx) error {
			var list []catalog.Decision
			var err error
			if q["batch"] != "" {
				list, err = tx.Moderations().Batch(ctx, q["batch"])
			} else {
				list, err = tx.Moderations().List(ctx, before, limit+1)
				if len(list) > limit {
					list = list[:limit]
					page.Next = o.next("/api/v1/admin/decisions", list[limit-1].ID, url.Values{"limit": {q["limit"]}})
				}
			}
			if err != nil {
				return err
			}
			return o.decisionItems(ctx, tx, &page, list)
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}

func (o *API) decisionItems(ctx context.Context, tx catalog.Tx, page *wire.DecisionsList, list []catalog.Decision) error {
	var ids []string
	for i := range list {
		ids = append(ids, list[i].EntryID)
	}
	entries, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return err
	}
	links := map[string]*wire.EntryLink{}
	for i := range entries {
		link := o.link(&entries[i])
		links[entries[i].ID] = &link
	}
	for i := range list {
		page.Items = append(page.Items, wire.NewDecisionItem(&list[i], links[list[i].EntryID]))
	}
	return nil
}

// Reasons lists the reasons that moderators saved.
func (o *API) Reasons() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, err := query.ReadPlain(r, nil); err != nil {
			return err
		}
		var page wire.SavedReasonsPage
		err := o.view(r, func(ctx context.Context, tx catalog.Tx) (err error) {
			page, err = reasonsPage(ctx, tx)
			return err
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}

func reasonsPage(ctx context.Context, tx catalog.Tx) (wire.SavedReasonsPage, error) {
	page := wire.SavedReasonsPage{Items: []wire.SavedReasonItem{}}
	all, err := tx.Moderations().Reasons(ctx)
	slices.SortFunc(all, func(a, b catalog.SavedReason) int { return strings.Compare(a.Text, b.Text) })
	for i := range all {
		page.Items = append(page.Items, wire.NewSavedReason(&all[i]))
	}
	return page, err
}

// SaveReason keeps a reason.
func (o *API) SaveReason() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		req, err := decoded[wire.SavedReasonRequest](r)
		if err != nil {
			return err
		}
		text, err := reason(req.Text)
		if err != nil {
			return invalid("text", req.Text, "write the reason, of at most 1000 characters")
		}
		if req.Kind != "" {
			if err := catalog.OneOf("kind", req.Kind, catalog.DecisionKinds()); err != nil {
				return err
			}
		}
		kept := catalog.SavedReason{ID: catalog.NewID("reason", text), Text: text, Kind: req.Kind}
		err = o.change(r, "saveReason", func(a *act) error {
			all, err := a.tx.Moderations().Reasons(a.ctx)
			if err != nil {
				return err
			}
			known := slices.ContainsFunc(all, func(s catalog.SavedReason) bool { return s.ID == kept.ID })
			if len(all) >= catalog.SavedReasonsMax && !known {
				return conflict("%d reasons are saved: forget one first.", len(all))
			}
			kept.Name, kept.At = a.who(), a.now
			if err := a.tx.Moderations().PutReason(a.ctx, kept); err != nil {
				return err
			}
			return a.audit(kept.ID, text, nil)
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusCreated, wire.NewSavedReason(&kept))
	}
}

// ForgetReason takes a reason from the list.
func (o *API) ForgetReason() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var page wire.SavedReasonsPage
		err := o.change(r, "forgetReason", func(a *act) error {
			all, err := a.tx.Moderations().Reasons(a.ctx)
			if err != nil {
				return err
			}
			at := slices.IndexFunc(all, func(s catalog.SavedReason) bool { return s.ID == r.PathValue("id") })
			if at < 0 {
				return web.NotFound("There is no saved reason with this id.")
			}
			if err := a.tx.Moderations().DeleteReason(a.ctx, all[at].ID); err != nil {
				return err
			}
			if page, err = reasonsPage(a.ctx, a.tx); err != nil {
				return err
			}
			return a.audit(all[at].ID, all[at].Text, nil)
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}
