package admin

import (
	"fmt"
	"net/http"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// decoded reads the body of a request.
func decoded[T any](r *http.Request) (*T, error) {
	req := new(T)
	return req, web.Decode(r, req)
}

// changeEntry decodes a request, finds its entry, changes it in one
// transaction and answers with its new state.
func changeEntry[T any](o *API, action string, fn func(*act, *catalog.Entry, *T) error) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		req, err := decoded[T](r)
		if err != nil {
			return err
		}
		var answer wire.EntryChange
		err = o.change(r, action, func(a *act) error {
			e, err := find(a.ctx, a.tx, r.PathValue("id"))
			if err != nil {
				return err
			}
			if err := fn(a, e, req); err != nil {
				return err
			}
			answer = wire.NewEntryChange(e, o.path("/api/v1/entries/"+e.Slug))
			return nil
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, answer)
	}
}

// move changes the status of an entry with its event and its audit row.
func (a *act) move(e *catalog.Entry, c catalog.Change, why string, details any) error {
	before := *e
	c.At = a.now
	kind, err := e.Transition(c)
	if err != nil {
		return conflict("The entry is %s and cannot become %s.", before.Status, c.To)
	}
	if c.To == catalog.StatusRemoved {
		e.SuccessorID = c.SuccessorID
	}
	if err := a.write(kind, &before, e, nil); err != nil {
		return err
	}
	return a.audit(e.ID, why, details)
}

// successor is the id of the entry that is to be used instead, "" for none.
func (a *act) successor(e *catalog.Entry, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	next, err := find(a.ctx, a.tx, name)
	if err != nil || next.Status != catalog.StatusActive || next.ID == e.ID {
		return "", invalid("successor", name, "name another active entry by its id or slug")
	}
	return next.ID, nil
}

// Deprecate marks an active entry as deprecated.
func (o *API) Deprecate() web.Handler {
	return changeEntry(o, "deprecateEntry", func(a *act, e *catalog.Entry, req *wire.DeprecateRequest) error {
		why, err := reason(req.Reason)
		if err != nil {
			return err
		}
		c := catalog.Change{To: catalog.StatusDeprecated, Reason: why}
		if c.SuccessorID, err = a.successor(e, req.Successor); err != nil {
			return err
		}
		if req.SunsetAt != "" {
			if c.SunsetAt, err = time.Parse(time.RFC3339, req.SunsetAt); err != nil || c.SunsetAt.Before(a.now) {
				return invalid("sunset_at", req.SunsetAt, "use a coming instant such as 2027-01-31T00:00:00Z")
			}
			c.SunsetAt = c.SunsetAt.UTC()
		}
		return a.move(e, c, why, map[string]any{"successor": c.SuccessorID, "sunset_at": req.SunsetAt})
	})
}

// Reactivate makes a deprecated entry active again.
func (o *API) Reactivate() web.Handler {
	return changeEntry(o, "reactivateEntry", func(a *act, e *catalog.Entry, req *wire.ReasonRequest) error {
		why, err := reason(req.Reason)
		if err != nil {
			return err
		}
		if e.Status != catalog.StatusDeprecated {
			return conflict("The entry is %s: only a deprecated one can be reactivated.", e.Status)
		}
		return a.move(e, catalog.Change{To: catalog.StatusActive}, why, nil)
	})
}

// Remove takes an entry out of the register; its tombstone stays.
func (o *API) Remove() web.Handler {
	return changeEntry(o, "removeEntry", func(a *act, e *catalog.Entry, req *wire.RemoveRequest) error {
		why, err := reason(req.Reason)
		if err != nil {
			return err
		}
		c := catalog.Change{To: catalog.StatusRemoved, Reason: why}
		if c.SuccessorID, err = a.successor(e, req.Successor); err != nil {
			return err
		}
		return a.move(e, c, why, map[string]any{"successor": c.SuccessorID})
	})
}

// Merge makes an entry part of an older one.
func (o *API) Merge() web.Handler {
	return changeEntry(o, "mergeEntry", func(a *act, e *catalog.Entry, req *wire.MergeRequest) error {
		why, err := reason(req.Reason)
		if err != nil {
			return err
		}
		older, err := find(a.ctx, a.tx, req.Into)
		if err != nil {
			return invalid("into", req.Into, "name an older entry by its id or slug")
		}
		return a.merge(e, older, why)
	})
}

// windowMax is the longest window of a target, in days.
const windowMax = 366

// Target sets a reliability target; there is one for each window.
func (o *API) Target() web.Handler {
	return changeEntry(o, "setTarget", func(a *act, e *catalog.Entry, req *wire.TargetRequest) error {
		why, err := reason(req.Reason)
		switch {
		case err != nil:
			return err
		case req.Availability <= 0 || req.Availability > 100:
			return invalid("availability", fmt.Sprint(req.Availability), "use a share in percent, above 0 and up to 100")
		case req.WindowDays < 1 || req.WindowDays > windowMax:
			return invalid("window_days", fmt.Sprint(req.WindowDays), fmt.Sprintf("use 1 to %d days", windowMax))
		case e.Status == catalog.StatusRemoved:
			return conflict("The entry was removed.")
		}
		t := catalog.Target{ID: catalog.NewID("target", fmt.Sprintf("%s|%d", e.ID, req.WindowDays)), EntryID: e.ID, Availability: req.Availability,
			WindowDays: req.WindowDays, Active: req.Active, By: a.who(), Reason: why, CreatedAt: a.now, UpdatedAt: a.now}
		if err := a.keepAge(&t); err != nil {
			return err
		}
		to, err := web.JSON(req)
		if err != nil {
			return err
		}
		event := catalog.Event{Type: catalog.EventUpdated, OccurredAt: a.now,
			Changes: []catalog.FieldChange{{Field: "reliability_target", From: []byte("null"), To: to}}}
		if err := a.put(e, nil, event); err != nil {
			return err
		}
		if err := a.tx.Targets().Put(a.ctx, t); err != nil {
			return err
		}
		return a.audit(e.ID, why, req)
	})
}

// keepAge keeps the creation time of a target that is there already.
func (a *act) keepAge(t *catalog.Target) error {
	return a.tx.Targets().Scan(a.ctx, catalog.Only(t.EntryID), func(old *catalog.Target) error {
		if old.ID == t.ID {
			t.CreatedAt = old.CreatedAt
		}
		return nil
	})
}
