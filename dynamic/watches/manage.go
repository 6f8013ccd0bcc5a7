package watches

import (
	"errors"
	"net/http"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Update is the operation updateWatch.
func (g *Group) Update(w http.ResponseWriter, r *http.Request) error {
	if err := errors.Join(noParams(r), g.token(r)); err != nil {
		return err
	}
	var ask wire.WatchChange
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	changed, err := g.change(r.Context(), r.PathValue("id"), func(c *catalog.Watch) error {
		if ask.Frequency != nil {
			c.Frequency = *ask.Frequency
		}
		types := c.Filter.Types
		if ask.Events != nil {
			types = sorted(*ask.Events)
		}
		if ask.Filter != nil {
			c.Filter = filterOf(nil, ask.Filter)
		}
		c.Filter.Types = types
		return nil
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, wire.NewWatch(changed))
}

// Delete is the operation deleteWatch.
func (g *Group) Delete(w http.ResponseWriter, r *http.Request) error {
	if err := errors.Join(noParams(r), g.token(r)); err != nil {
		return err
	}
	if err := g.end(r.Context(), r.PathValue("id")); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", web.CacheNever)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// Verify is the operation verifyWatch: it shows a browser the page whose button
// confirms, and a program the request that does. Programs that look at the links
// of a mail fetch them, so it changes nothing.
func (g *Group) Verify(w http.ResponseWriter, r *http.Request) error {
	if err := noParams(r); err != nil {
		return err
	}
	token := r.PathValue("token")
	found, err := g.look(r.Context(), token)
	if err != nil {
		return g.refuse(w, r, err)
	}
	if wantsJSON(r) {
		return web.Reply(w, r, http.StatusOK, wire.NewWatchConfirmation(found, g.Site().BaseURL+notify.RouteVerify+token))
	}
	return g.step(w, r, http.StatusOK, found.Lang, step{Step: "confirm", Button: true})
}

// Confirm is the operation confirmWatch.
func (g *Group) Confirm(w http.ResponseWriter, r *http.Request) error {
	confirmed, err := g.confirm(r.Context(), r.PathValue("token"))
	if err != nil {
		return g.refuse(w, r, err)
	}
	token, err := g.Keys.Manage(r.Context(), confirmed.ID)
	if err != nil {
		return err
	}
	if wantsJSON(r) {
		shown := wire.NewWatch(confirmed)
		shown.ManagementToken = &token
		return web.Reply(w, r, http.StatusOK, shown)
	}
	return g.step(w, r, http.StatusOK, confirmed.Lang, step{Step: "confirmed", Link: g.managePath(token)})
}

// Manage is the operation manageWatch: the page on which a watch is changed.
func (g *Group) Manage(w http.ResponseWriter, r *http.Request) error {
	if err := noParams(r); err != nil {
		return err
	}
	found, err := g.managed(r.Context(), r.PathValue("token"))
	if err != nil {
		return g.refuse(w, r, err)
	}
	if wantsJSON(r) {
		return web.Reply(w, r, http.StatusOK, wire.NewWatch(found))
	}
	return g.manage(w, r, found, false)
}

// formMax bounds the form of the page, in bytes.
const formMax = 4 << 10

// ManageForm takes the form of the page.
func (g *Group) ManageForm(w http.ResponseWriter, r *http.Request) error {
	found, err := g.managed(r.Context(), r.PathValue("token"))
	if err != nil {
		return g.refuse(w, r, err)
	}
	r.Body = http.MaxBytesReader(w, r.Body, formMax)
	if err := r.ParseForm(); err != nil {
		return web.Malformed("The form cannot be read.")
	}
	changed, err := g.change(r.Context(), found.ID, func(c *catalog.Watch) error {
		c.Frequency = catalog.Frequency(r.PostForm.Get("frequency"))
		return nil
	})
	if err != nil {
		return err
	}
	return g.manage(w, r, changed, true)
}

// AskUnsubscribe shows the page whose button ends the watch; fetching the
// address alone ends nothing (RFC 8058, section 3.2).
func (g *Group) AskUnsubscribe(w http.ResponseWriter, r *http.Request) error {
	if err := noParams(r); err != nil {
		return err
	}
	found, err := g.managed(r.Context(), r.PathValue("token"))
	if err != nil {
		return g.refuse(w, r, err)
	}
	return g.step(w, r, http.StatusOK, found.Lang, step{Step: "unsubscribe", Button: true})
}

// Unsubscribe is the operation unsubscribeWatch: one click in a mail program
// posts here, without cookies and without a redirect (RFC 8058).
func (g *Group) Unsubscribe(w http.ResponseWriter, r *http.Request) error {
	id, err := g.Keys.Managed(r.Context(), r.PathValue("token"))
	if err != nil {
		return g.refuse(w, r, err)
	}
	if err := g.end(r.Context(), id); err != nil {
		return err
	}
	if wantsJSON(r) {
		return web.Reply(w, r, http.StatusOK, wire.WatchReceipt{Status: "ended", Detail: "The watch and its address were deleted."})
	}
	return g.step(w, r, http.StatusOK, "", step{Step: "ended", Link: g.form(Wanted(r))})
}
