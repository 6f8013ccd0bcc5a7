package admin

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// write stores a changed entry with the event of the change.
func (a *act) write(kind catalog.EventKind, before, after *catalog.Entry, p *catalog.Provenance, fields ...string) error {
	changes, err := catalog.Diff(before, after, append(catalog.LifeCycleFields(), fields...)...)
	if err != nil {
		return err
	}
	return a.put(after, p, catalog.Event{Type: kind, OccurredAt: a.now, Changes: changes})
}

func (a *act) put(e *catalog.Entry, p *catalog.Provenance, event catalog.Event) error {
	if e.UpdatedAt.Before(a.now) {
		e.UpdatedAt = a.now
	}
	if err := e.Validate(); err != nil {
		return err
	}
	return a.tx.Entries().Put(a.ctx, catalog.Write{Entry: e, Provenance: p, Events: []catalog.Event{event}})
}

// Edit lays values over harvested ones, or takes such edits back.
func (o *API) Edit() web.Handler {
	return changeEntry(o, "editEntry", func(a *act, e *catalog.Entry, req *wire.EditRequest) error {
		why, err := reason(req.Reason)
		if err != nil {
			return err
		}
		if len(req.Set) == 0 && len(req.Revoke) == 0 {
			return invalid("set", "", "name fields to set, or fields to revoke")
		}
		if e.Status == catalog.StatusRemoved {
			return conflict("The entry was removed.")
		}
		stored, err := a.laid(e.ID)
		if err != nil {
			return err
		}
		revoked, err := a.revoke(stored, req.Revoke)
		if err != nil {
			return err
		}
		set, err := a.overrides(e, req.Set, why)
		if err != nil {
			return err
		}
		before, err := catalog.Apply(*e, stored)
		if err != nil {
			return err
		}
		after, err := catalog.Apply(*e, append(merged(stored, revoked), set...))
		if err != nil {
			return err
		}
		if err := a.check(&after); err != nil {
			return err
		}
		touched := slices.Concat(slices.Collect(maps.Keys(req.Set)), req.Revoke)
		changes, err := catalog.Diff(&before, &after, touched...)
		if err != nil {
			return err
		}
		e.ContentChangedAt = a.now
		if err := a.put(e, nil, catalog.Event{Type: catalog.EventUpdated, OccurredAt: a.now, Changes: changes, Data: catalog.ByCurator}); err != nil {
			return err
		}
		if err := a.tx.Overrides().Put(a.ctx, append(revoked, set...)...); err != nil {
			return err
		}
		return a.audit(e.ID, why, map[string]any{"set": req.Set, "revoke": req.Revoke})
	})
}

// laid are the overrides of an entry, revoked ones too.
func (a *act) laid(entryID string) (list []catalog.Override, err error) {
	err = a.tx.Overrides().Scan(a.ctx, catalog.Only(entryID), func(o *catalog.Override) error {
		list = append(list, *o)
		return nil
	})
	return list, err
}

// revoke takes back the overrides in force of the fields.
func (a *act) revoke(stored []catalog.Override, names []string) (list []catalog.Override, err error) {
	for _, name := range names {
		found := false
		for _, o := range stored {
			if o.Field == name && o.RevokedAt.IsZero() {
				o.RevokedAt, o.RevokedBy, found = a.now, a.who(), true
				list = append(list, o)
			}
		}
		if !found {
			return nil, conflict("There is no edit of %s in force.", web.Shorten(name))
		}
	}
	return list, nil
}

// merged is the list with the later versions of some of its overrides.
func merged(stored, changed []catalog.Override) []catalog.Override {
	out := slices.Clone(stored)
	for i := range out {
		for _, c := range changed {
			if c.ID == out[i].ID {
				out[i] = c
			}
		}
	}
	return out
}

// overrides makes the edits of an entry, sorted by field.
func (a *act) overrides(e *catalog.Entry, edits map[string]json.RawMessage, why string) (list []catalog.Override, err error) {
	for _, field := range slices.Sorted(maps.Keys(edits)) {
		o := catalog.Override{EntryID: e.ID, Field: field, Value: sorted(edits[field]), By: a.who(), Reason: why, CreatedAt: a.now}
		o.ID = catalog.NewID("override", e.ID+"|"+field+"|"+a.now.Format(time.RFC3339Nano))
		if err := o.Validate(); err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	after, err := catalog.Apply(*e, list)
	if err != nil {
		return nil, err
	}
	return list, a.check(&after)
}

// sorted puts a list of texts into the order in which the register keeps it.
func sorted(value json.RawMessage) json.RawMessage {
	var list []string
	if json.Unmarshal(value, &list) != nil || list == nil {
		return value
	}
	slices.Sort(list)
	doc, err := web.JSON(slices.Compact(list))
	if err != nil {
		return value
	}
	return doc
}

// check looks whether an entry may be as the edits make it.
func (a *act) check(e *catalog.Entry) error {
	if err := e.Validate(); err != nil {
		return err
	}
	if e.InstitutionID != "" {
		if _, err := a.tx.Institutions().Get(a.ctx, e.InstitutionID); err != nil {
			return invalid("institution_id", e.InstitutionID, "use the id of an institution of the register")
		}
	}
	if e.LicenseID == "" {
		return nil
	}
	all, err := a.tx.Licences().All(a.ctx)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all, func(l catalog.Licence) bool { return l.ID == e.LicenseID }) {
		return invalid("license_id", e.LicenseID, "use an id of the licence table")
	}
	return nil
}

func fields(edits map[string]json.RawMessage) []string {
	return slices.Sorted(maps.Keys(edits))
}

// Entry shows an entry as it is stored.
func (o *API) Entry() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		out := wire.AdminEntry{Overrides: []wire.AdminOverride{}, Targets: []wire.AdminTarget{}, Audit: []wire.AuditItem{}}
		err := o.view(r, func(ctx context.Context, tx catalog.Tx) error {
			e, err := find(ctx, tx, r.PathValue("id"))
			if err != nil {
				return err
			}
			if out.Entry, err = web.JSON(e); err != nil {
				return err
			}
			err = tx.Overrides().Scan(ctx, catalog.Only(e.ID), func(o *catalog.Override) error {
				out.Overrides = append(out.Overrides, wire.NewAdminOverride(o))
				return nil
			})
			if err != nil {
				return err
			}
			err = tx.Targets().Scan(ctx, catalog.Only(e.ID), func(t *catalog.Target) error {
				out.Targets = append(out.Targets, wire.NewAdminTarget(t))
				return nil
			})
			if err != nil {
				return err
			}
			rows, err := tx.Audits().Before(ctx, 0, e.ID, auditShown)
			for i := range rows {
				out.Audit = append(out.Audit, wire.NewAuditItem(&rows[i]))
			}
			return err
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, out)
	}
}

// auditShown is how many changes are shown beside an entry.
const auditShown = 50
