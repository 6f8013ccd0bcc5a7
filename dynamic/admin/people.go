package admin

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Tokens lists who may administer the register.
func (o *API) Tokens() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, err := query.ReadPlain(r, nil); err != nil {
			return err
		}
		page := wire.TokensPage{Items: []wire.TokenItem{}}
		err := o.view(r, func(ctx context.Context, tx catalog.Tx) error {
			all, err := tx.Tokens().All(ctx)
			if err != nil {
				return err
			}
			for i := range all {
				item := wire.NewTokenItem(&all[i])
				if item.Logins, err = logins(ctx, tx, all[i].ID, o.Now()); err != nil {
					return err
				}
				page.Items = append(page.Items, item)
			}
			return nil
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}

// logins counts the logins that a token has now.
func logins(ctx context.Context, tx catalog.Tx, token string, now time.Time) (n int, err error) {
	list, err := tx.Sessions().Of(ctx, token)
	for i := range list {
		if now.Before(list[i].ExpiresAt) {
			n++
		}
	}
	return n, err
}

// RevokeToken ends the right of a token and its logins.
func (o *API) RevokeToken() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		caller := web.CallerOf(r.Context())
		t, err := access.Revoke(r.Context(), o.Store, r.PathValue("id"), access.Actor{By: caller.Token, Name: caller.Name}, o.Now())
		switch {
		case errors.Is(err, catalog.ErrNotFound):
			return web.NotFound("There is no token with this id.")
		case errors.Is(err, catalog.ErrConflict):
			return conflict("This token was revoked before.")
		case err != nil:
			return err
		}
		return web.Reply(w, r, http.StatusOK, wire.NewTokenItem(&t))
	}
}

// Audit lists who changed what, newest first.
func (o *API) Audit() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := query.ReadPlain(r, wire.AuditParams())
		if err != nil {
			return err
		}
		after, err := place(q["cursor"])
		if err != nil {
			return err
		}
		before, err := strconv.ParseInt(after, 10, 64)
		if after != "" && (err != nil || before < 1) {
			return web.Malformed("The cursor is none of this list: follow `next`, or leave it out.")
		}
		limit := q.Int("limit")
		var rows []catalog.AuditRow
		err = o.view(r, func(ctx context.Context, tx catalog.Tx) (err error) {
			rows, err = tx.Audits().Before(ctx, before, q["subject"], limit+1)
			return err
		})
		if err != nil {
			return err
		}
		page := wire.AuditPage{Items: []wire.AuditItem{}}
		if len(rows) > limit {
			rows = rows[:limit]
			values := url.Values{"limit": {strconv.Itoa(limit)}}
			if q["subject"] != "" {
				values.Set("subject", q["subject"])
			}
			page.Next = o.next("/api/v1/admin/audit", strconv.FormatInt(rows[limit-1].Number, 10), values)
		}
		for i := range rows {
			page.Items = append(page.Items, wire.NewAuditItem(&rows[i]))
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}
