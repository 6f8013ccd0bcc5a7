package admin

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Publishers lists which institution was taken for each publisher of a source.
func (o *API) Publishers() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := query.ReadPlain(r, wire.DecisionParams())
		if err != nil {
			return err
		}
		after, err := place(q["cursor"])
		if err != nil {
			return err
		}
		from, err := strconv.Atoi(after)
		if after != "" && (err != nil || from < 1) {
			return web.Malformed("The cursor is none of this list: follow `next`, or leave it out.")
		}
		key := r.PathValue("key")
		var list []catalog.PublisherDecision
		err = o.view(r, func(ctx context.Context, tx catalog.Tx) error {
			id, err := sourceID(ctx, tx, key)
			if err != nil {
				return err
			}
			list, err = tx.PublisherDecisions().Of(ctx, id)
			return err
		})
		if err != nil {
			return err
		}
		page, limit := wire.DecisionsPage{Source: key, Items: []wire.Decision{}}, q.Int("limit")
		for i := range list {
			d := wire.NewDecision(&list[i])
			if !d.Fits(q["state"]) || q["portal"] != "" && !d.Portal || !hasLetters(q["q"], []string{d.Publisher, list[i].IRI, list[i].Evidence, list[i].Key}) {
				continue
			}
			if page.Total >= from && len(page.Items) < limit {
				page.Items = append(page.Items, d)
			}
			page.Total, page.Records = page.Total+1, page.Records+d.Records
		}
		if end := from + len(page.Items); end < page.Total && len(page.Items) > 0 {
			page.Next = o.next("/api/v1/admin/sources/"+url.PathEscape(key)+"/publishers", strconv.Itoa(end), asked(q, "limit", "state", "portal", "q"))
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}

// asked are the named parameters that were given.
func asked(q query.Plain, names ...string) url.Values {
	out := url.Values{}
	for _, name := range names {
		if q[name] != "" {
			out.Set(name, q[name])
		}
	}
	return out
}

// sourceID is the id of the source with a key or id; a web.Error with 404 if there
// is none.
func sourceID(ctx context.Context, tx catalog.Tx, name string) (string, error) {
	all, err := tx.Sources().All(ctx)
	if err != nil {
		return "", err
	}
	for i := range all {
		if all[i].Key == name || all[i].ID == name {
			return all[i].ID, nil
		}
	}
	return "", web.NotFound("No source has the key or id " + name + ".")
}
