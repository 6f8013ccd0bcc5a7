package admin

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// actionPutInstitution is the id of the operation.
const actionPutInstitution = "putInstitution"

// PutInstitution writes what a request says of an institution; what only a
// harvest knows of it stays.
func (o *API) PutInstitution() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		req, err := decoded[wire.InstitutionRequest](r)
		if err != nil {
			return err
		}
		var i catalog.Institution
		err = o.change(r, actionPutInstitution, func(a *act) error {
			i, err = a.putInstitution(r.PathValue("key"), req)
			return err
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, wire.NewAdminInstitution(&i))
	}
}

// AmendInstitution changes other names of an institution and what it is a part of; all else stays.
func (o *API) AmendInstitution() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		ask, err := decoded[wire.InstitutionAmendment](r)
		if err != nil {
			return err
		}
		if ask.Aliases == nil && ask.Parent == nil {
			return invalid("aliases", "", "give other names, or what it is a part of")
		}
		var i catalog.Institution
		err = o.change(r, "amendInstitution", func(a *act) error {
			old, err := FindInstitution(a.ctx, a.tx, r.PathValue("key"))
			if err != nil {
				return err
			}
			req := requestOf(old)
			req.Reason, req.Parent = ask.Reason, ask.Parent
			if ask.Aliases != nil {
				req.Aliases = ask.Aliases
			}
			i, err = a.putInstitution(old.Key, &req)
			return err
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, wire.NewAdminInstitution(&i))
	}
}

// ChangeInstitution changes an institution of the register, by its key or id, as
// the operation putInstitution does; change alters what is said of it, and gives
// the reason. One that is unknown is a web.Error with 404, and what the
// operation refuses one with 422.
func ChangeInstitution(ctx context.Context, store catalog.Store, name string, by access.Actor, now time.Time,
	change func(*wire.InstitutionRequest) error) (i catalog.Institution, err error) {
	now = now.UTC().Truncate(time.Microsecond)
	err = store.Update(ctx, func(tx catalog.Tx) error {
		old, err := FindInstitution(ctx, tx, name)
		if err != nil {
			return err
		}
		req := requestOf(old)
		if err := change(&req); err != nil {
			return err
		}
		a := &act{ctx: ctx, tx: tx, now: now, caller: web.Caller{Token: by.By, Name: by.Name}, action: actionPutInstitution}
		i, err = a.putInstitution(old.Key, &req)
		return err
	})
	return i, err
}

// FindInstitution is the institution with a key or id; a web.Error with 404 if
// there is none.
func FindInstitution(ctx context.Context, tx catalog.Tx, name string) (*catalog.Institution, error) {
	all, err := tx.Institutions().All(ctx)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].Key == name || all[i].ID == name {
			return &all[i], nil
		}
	}
	return nil, web.NotFound("No institution has the key or id " + name + ".")
}

// requestOf says of an institution what the register has.
func requestOf(i *catalog.Institution) wire.InstitutionRequest {
	aliases := slices.Clone(i.Aliases)
	return wire.InstitutionRequest{Aliases: &aliases, Name: i.Name, NameEn: i.NameEn, NativeLang: i.NativeLang, CountryCode: i.CountryCode, Type: i.Type,
		HomepageURL: i.HomepageURL, OfficialDomains: i.OfficialDomains, GithubOrgs: i.GithubOrgs}
}

func (a *act) putInstitution(key string, req *wire.InstitutionRequest) (catalog.Institution, error) {
	i := catalog.Institution{ID: catalog.NewID("institution", key), Key: key, Name: strings.TrimSpace(req.Name), NameEn: req.NameEn, NativeLang: req.NativeLang,
		CountryCode: req.CountryCode, Type: req.Type, HomepageURL: req.HomepageURL, OfficialDomains: req.OfficialDomains, GithubOrgs: req.GithubOrgs,
		Managed: true, CreatedAt: a.now, UpdatedAt: a.now}
	if req.Aliases != nil {
		i.Aliases = *req.Aliases
	}
	why, err := reason(req.Reason)
	if err != nil {
		return i, err
	}
	if err := checkKey(key); err != nil {
		return i, err
	}
	if err := checkInstitution(&i); err != nil {
		return i, err
	}
	old, err := byKey(a, key)
	if err != nil {
		return i, err
	}
	// A catalogue may state a publisher without its kind.
	if old == nil || i.Type != old.Type {
		if err := catalog.OneOf("type", i.Type, catalog.InstitutionTypes()); err != nil {
			return i, err
		}
	}
	if old != nil {
		i.ID, i.CreatedAt, i.Source = old.ID, old.CreatedAt, old.Source
		i.State, i.Names, i.Identifiers = old.State, old.Names, old.Identifiers
		if req.Aliases == nil {
			i.Aliases = old.Aliases
		}
		i.ParentID, i.SourceID, i.MergedIntoID = old.ParentID, old.SourceID, old.MergedIntoID
	}
	if err := tie(a, &i, req); err != nil {
		return i, err
	}
	if err := a.tx.Institutions().Put(a.ctx, i); err != nil {
		return i, err
	}
	return i, a.audit(i.ID, why, map[string]any{"before": old, "after": i})
}

// byKey is the institution with the key, or nil. The id of one that a catalogue
// stated does not follow from its key.
func byKey(a *act, key string) (*catalog.Institution, error) {
	all, err := a.tx.Institutions().All(a.ctx)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].Key == key {
			return &all[i], nil
		}
	}
	return nil, nil
}
