package webhooks

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Deliveries is the operation listDeliveries.
func (g *Group) Deliveries(w http.ResponseWriter, r *http.Request) error {
	values, err := params(r, "state", "before", "limit")
	if err != nil {
		return err
	}
	f, err := deliveryFilter(values)
	if err != nil {
		return err
	}
	f.WebhookID = r.PathValue("id")
	limit := f.Limit
	f.Limit++ // one more tells whether the list goes on
	var list []catalog.Delivery
	err = g.Store.View(r.Context(), func(tx catalog.Tx) (err error) {
		if _, err := tx.Webhooks().Get(r.Context(), f.WebhookID); err != nil {
			return err
		}
		list, err = tx.Deliveries().List(r.Context(), f)
		return err
	})
	if err != nil {
		return err
	}
	page := wire.DeliveriesPage{Items: []wire.Delivery{}}
	for i := range list[:min(len(list), limit)] {
		page.Items = append(page.Items, wire.NewDelivery(g.Site(), &list[i]))
	}
	if len(list) > limit {
		values.Set("before", list[limit-1].ID)
		next := wire.Path(g.Site(), "/api/v1/webhooks/"+f.WebhookID+"/deliveries?"+values.Encode())
		page.Next = &next
		w.Header().Set("Link", "<"+next+`>; rel="next"`)
	}
	return web.Reply(w, r, http.StatusOK, page)
}

func deliveryFilter(values url.Values) (f catalog.DeliveryFilter, err error) {
	f.Limit = wire.DefaultLimit
	f.State, f.Before = catalog.DeliveryState(values.Get("state")), values.Get("before")
	if values.Has("state") && !slices.Contains(catalog.DeliveryStates(), f.State) {
		return f, wrong("query.state", string(f.State), fmt.Sprintf("use one of %v", catalog.DeliveryStates()))
	}
	if values.Has("limit") {
		f.Limit, err = strconv.Atoi(values.Get("limit"))
		if err != nil || f.Limit < 1 || f.Limit > wire.MaxLimit {
			return f, wrong("query.limit", values.Get("limit"), fmt.Sprintf("use an integer from 1 to %d", wire.MaxLimit))
		}
	}
	return f, nil
}

// Retry is the operation retryDelivery: the delivery begins its schedule anew.
func (g *Group) Retry(w http.ResponseWriter, r *http.Request) error {
	if err := noParams(r); err != nil {
		return err
	}
	id := r.PathValue("delivery")
	var again *catalog.Delivery
	_, err := g.change(r, "retryDelivery", map[string]string{"delivery": id}, func(ctx context.Context, tx catalog.Tx, hook *catalog.Webhook) (err error) {
		if again, err = tx.Deliveries().Get(ctx, id); err != nil {
			return err
		}
		switch {
		case again.WebhookID != hook.ID:
			return catalog.ErrNotFound
		case hook.State == catalog.WebhookDisabled:
			return disabled()
		case hook.State == catalog.WebhookUnverified && again.Type != catalog.MessageVerify:
			return &web.Error{Problem: wire.Problem{Status: http.StatusConflict, Detail: "The webhook has not echoed its challenge yet."}}
		}
		again.State, again.Tries, again.NextAt, again.DoneAt = catalog.DeliveryPending, 0, g.Now().UTC(), time.Time{}
		return tx.Deliveries().Put(ctx, *again)
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusAccepted, wire.NewDelivery(g.Site(), again))
}
