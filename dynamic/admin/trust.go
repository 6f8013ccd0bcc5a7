package admin

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// trustFor is how long a rule holds that names no end.
const trustFor = 90 * 24 * time.Hour

// TrustRules lists the rules of trust.
func (o *API) TrustRules() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, err := query.ReadPlain(r, nil); err != nil {
			return err
		}
		page := wire.TrustRulesPage{Items: []wire.TrustRuleItem{}}
		err := o.view(r, func(ctx context.Context, tx catalog.Tx) error {
			all, err := tx.Moderations().Trust(ctx)
			if err != nil {
				return err
			}
			slices.SortFunc(all, func(a, b catalog.TrustRule) int { return b.CreatedAt.Compare(a.CreatedAt) })
			for i := range all {
				item, err := o.trustItem(ctx, tx, &all[i])
				if err != nil {
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

func (o *API) trustItem(ctx context.Context, tx catalog.Tx, t *catalog.TrustRule) (wire.TrustRuleItem, error) {
	source, institution := "", ""
	s, err := tx.Sources().Get(ctx, t.SourceID)
	if err == nil {
		source = cmp.Or(s.Title, s.Key, s.URL)
	}
	if t.InstitutionID != "" && (err == nil || errors.Is(err, catalog.ErrNotFound)) {
		var i *catalog.Institution
		if i, err = tx.Institutions().Get(ctx, t.InstitutionID); err == nil {
			institution = i.Name
		}
	}
	if errors.Is(err, catalog.ErrNotFound) {
		err = nil
	}
	return wire.NewTrustRule(t, source, institution, o.Now()), err
}

// AddTrustRule trusts everything of one publisher from one source, and approves what waits
// of it.
func (o *API) AddTrustRule() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		req, err := decoded[wire.TrustRuleRequest](r)
		if err != nil {
			return err
		}
		if req.Reason, err = reason(req.Reason); err != nil {
			return err
		}
		var answer wire.TrustRuleResult
		err = o.change(r, "addTrustRule", func(a *act) error {
			rule, err := a.trustRule(req)
			if err != nil {
				return err
			}
			items, left, err := a.covered(rule)
			if err != nil {
				return err
			}
			if len(items) > 1 && !req.Preview {
				if err := o.spend(a.ctx, len(items)-1); err != nil {
					return err
				}
			}
			if err := a.tx.Moderations().PutTrust(a.ctx, *rule); err != nil {
				return err
			}
			if err := a.audit(rule.ID, rule.Reason, map[string]any{"rule": rule, "batch": a.batch}); err != nil {
				return err
			}
			result, err := a.bulk(&wire.BulkRequest{Action: wire.BulkApprove, Reason: rule.Words(), Items: items, Preview: req.Preview})
			if err != nil {
				return err
			}
			answer.Result, answer.Left = *result, left
			if answer.Rule, err = o.trustItem(a.ctx, a.tx, rule); err == nil && req.Preview {
				err = errPreview
			}
			return err
		})
		if err != nil && !errors.Is(err, errPreview) {
			return err
		}
		return web.Reply(w, r, http.StatusOK, answer)
	}
}

// trustRule makes the rule that a request asks for.
func (a *act) trustRule(req *wire.TrustRuleRequest) (*catalog.TrustRule, error) {
	t := &catalog.TrustRule{PublisherName: strings.TrimSpace(req.PublisherName), Reason: req.Reason, By: a.caller.Token, Name: a.who(), CreatedAt: a.now, ExpiresAt: a.now.Add(trustFor)}
	sources, err := a.tx.Sources().All(a.ctx)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(sources, func(s catalog.Source) bool { return s.ID == req.Source || s.Key != "" && s.Key == req.Source })
	if at < 0 {
		return nil, invalid("source", req.Source, "name a source of the register by its key or id")
	}
	t.SourceID = sources[at].ID
	switch {
	case (req.Institution == "") == (t.PublisherName == ""):
		return nil, invalid("institution", req.Institution, "name the publisher: either the institution by its key or id, or its name as the source writes it")
	case req.Institution != "":
		i, err := FindInstitution(a.ctx, a.tx, req.Institution)
		if err != nil {
			return nil, invalid("institution", req.Institution, "name an institution of the register by its key or id")
		}
		t.InstitutionID = i.ID
	default:
		if err := catalog.CheckText("publisher_name", t.PublisherName, catalog.SubmissionNameMax); err != nil {
			return nil, err
		}
	}
	if req.ExpiresAt != "" {
		t.ExpiresAt, err = time.Parse(time.RFC3339, req.ExpiresAt)
		if err != nil || !t.ExpiresAt.After(a.now) || t.ExpiresAt.Sub(a.now) > catalog.TrustRuleFor {
			return nil, invalid("expires_at", req.ExpiresAt, "use a coming instant such as 2027-01-31T00:00:00Z, at most 366 days from now")
		}
		t.ExpiresAt = t.ExpiresAt.UTC()
	}
	all, err := a.tx.Moderations().Trust(a.ctx)
	if err != nil {
		return nil, err
	}
	if len(all) >= catalog.TrustRulesMax {
		return nil, conflict("%d rules of trust are kept: no more can be made.", len(all))
	}
	for i := range all {
		if all[i].InForce(a.now) && all[i].SourceID == t.SourceID && all[i].InstitutionID == t.InstitutionID && all[i].PublisherName == t.PublisherName {
			return nil, conflict("%s made this rule at %s; it holds until %s.", all[i].Name, all[i].CreatedAt.Format(time.DateOnly), all[i].ExpiresAt.Format(time.DateOnly))
		}
	}
	t.ID = catalog.NewID("trust", t.SourceID+"|"+t.InstitutionID+"|"+t.PublisherName+"|"+a.now.Format(time.RFC3339Nano))
	return t, nil
}

// covered are the candidates that a rule is about and nobody reopened, as many as one request
// takes, and how many more there are.
func (a *act) covered(t *catalog.TrustRule) (items []wire.BulkItem, left int, err error) {
	for after := ""; ; {
		list, err := a.tx.Candidates().Pending(a.ctx, after, pendingAtOnce)
		if err != nil {
			return nil, 0, err
		}
		var ids []string
		for i := range list {
			if t.Covers(&list[i]) {
				ids = append(ids, strings.Clone(list[i].ID))
			}
		}
		decided, err := a.tx.Moderations().Latest(a.ctx, ids...)
		if err != nil {
			return nil, 0, err
		}
		for _, id := range ids {
			switch {
			case decided[id].Kind == catalog.DecisionReopened:
			case len(items) < wire.BulkMax:
				items = append(items, wire.BulkItem{ID: id})
			default:
				left++
			}
		}
		if len(list) < pendingAtOnce {
			return items, left, nil
		}
		after = list[len(list)-1].ID
	}
}

// EndTrustRule ends a rule.
func (o *API) EndTrustRule() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		req, err := decoded[wire.ReasonRequest](r)
		if err != nil {
			return err
		}
		why, err := reason(req.Reason)
		if err != nil {
			return err
		}
		var answer wire.TrustRuleItem
		err = o.change(r, "endTrustRule", func(a *act) error {
			all, err := a.tx.Moderations().Trust(a.ctx)
			if err != nil {
				return err
			}
			at := slices.IndexFunc(all, func(t catalog.TrustRule) bool { return t.ID == r.PathValue("id") })
			if at < 0 {
				return web.NotFound("There is no rule of trust with this id.")
			}
			if !all[at].InForce(a.now) {
				return conflict("This rule has ended already.")
			}
			all[at].RevokedAt = a.now
			if err := a.tx.Moderations().PutTrust(a.ctx, all[at]); err != nil {
				return err
			}
			if answer, err = o.trustItem(a.ctx, a.tx, &all[at]); err != nil {
				return err
			}
			return a.audit(all[at].ID, why, nil)
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, answer)
	}
}
