package claims

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// entry finds the public entry of an id or slug.
func (g *Group) entry(ctx context.Context, tx catalog.Tx, name string) (*catalog.Entry, error) {
	id := name
	if !catalog.IsID(name) {
		owners, err := tx.Entries().BySlug(ctx, name)
		if err != nil {
			return nil, err
		}
		id = owners[name]
	}
	list, err := tx.Entries().Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || !list[0].Visible(g.Now()) {
		return nil, web.NotFound("No public entry has this id or slug.")
	}
	return &list[0], nil
}

// own finds an entry of the owner of a proved claim.
func (g *Group) own(ctx context.Context, tx catalog.Tx, c *catalog.Claim, name string) (*catalog.Entry, error) {
	if c.State != catalog.ClaimVerified {
		return nil, conflict("The claim is not proved yet.")
	}
	e, err := g.entry(ctx, tx, name)
	if err != nil {
		return nil, invalid("entry", name, "name a public entry by its id or slug")
	}
	if c.Source && e.SourceID == c.SubjectID || !c.Source && e.InstitutionID == c.SubjectID {
		return e, nil
	}
	return nil, invalid("entry", name, "name an entry of what was claimed: this one is of another institution or source")
}

// State is the operation stateClaim.
func (g *Group) State(w http.ResponseWriter, r *http.Request) error {
	var ask wire.StatementRequest
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	now := g.now()
	s := catalog.Statement{ID: catalog.NewID("statement", rand.Text()), Kind: ask.Kind, Field: strings.TrimSpace(ask.Field), Text: strings.TrimSpace(ask.Text), URL: ask.URL, State: catalog.StatementShown, CreatedAt: now}
	for _, t := range []struct {
		field, text string
		at          *time.Time
	}{{"from", ask.From, &s.From}, {"until", ask.Until, &s.Until}} {
		if t.text == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, t.text)
		if err != nil {
			return invalid(t.field, t.text, "use an instant such as 2027-01-31T00:00:00Z")
		}
		*t.at = at.UTC()
	}
	if err := s.Validate(now); err != nil {
		return err
	}
	if err := named(s.Field); err != nil {
		return err
	}
	if s.Kind == catalog.StateDispute || s.Kind == catalog.StateProbeAddress {
		s.State = catalog.StatementOpen
	}
	_, err := g.owned(r, func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) error {
		e, err := g.own(ctx, tx, c, ask.Entry)
		if err != nil {
			return err
		}
		s.ClaimID, s.EntryID = c.ID, e.ID
		list, err := tx.Claims().Statements(ctx, e.ID)
		if err != nil {
			return err
		}
		if err := room(list, now); err != nil {
			return err
		}
		if s.Kind == catalog.StateProbeAddress {
			if err := g.probeable(ctx, tx, e, s.URL); err != nil {
				return err
			}
		}
		return g.put(ctx, tx, &s, "", now)
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusCreated, wire.NewOwnerStatement(&s))
}

// named refuses the name of a member that entries do not have.
func named(field string) error {
	if field == "" || slices.Contains(wire.EntryMembers(), field) {
		return nil
	}
	return invalid("field", field, "name a member of the entry as the interface has it, or none for the whole")
}

// room refuses a statement where much is said already.
func room(list []catalog.Statement, now time.Time) error {
	held := 0
	for i := range list {
		if x := &list[i]; x.State.Holds() && x.State != catalog.StatementEnded && (x.Until.IsZero() || x.Until.After(now)) {
			held++
		}
	}
	if held >= catalog.StatementsMax || len(list) >= catalog.StatementsKept {
		return conflict("Much is said of this entry already: withdraw what no longer holds.")
	}
	return nil
}

// Probe is the operation probeClaim.
func (g *Group) Probe(w http.ResponseWriter, r *http.Request) error {
	var ask wire.OwnerProbe
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	var out wire.JobReceipt
	_, err := g.owned(r, func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) error {
		e, err := g.own(ctx, tx, c, ask.Entry)
		if err != nil {
			return err
		}
		job, err := g.queue(ctx, tx, catalog.JobVerification, "owner "+e.ID, catalog.ClaimPause, catalog.VerificationPayload{Entries: []string{e.ID}})
		if err != nil {
			return err
		}
		if job == nil {
			return conflict("A check of this entry was asked for within the last ten minutes.")
		}
		out = wire.JobReceipt{Job: *job, StatusURL: g.Site().BaseURL + "/api/v1/entries/" + e.ID + "/checks"}
		return nil
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusAccepted, out)
}

// Statements is the operation getEntryStatements.
func (g *Group) Statements(w http.ResponseWriter, r *http.Request) error {
	out := wire.OwnerStatements{Items: []wire.OwnerStatement{}}
	err := g.Store.View(r.Context(), func(tx catalog.Tx) error {
		e, err := g.entry(r.Context(), tx, r.PathValue("idOrSlug"))
		if err != nil {
			return err
		}
		list, err := tx.Claims().Statements(r.Context(), e.ID)
		slices.SortFunc(list, func(a, b catalog.Statement) int { return b.CreatedAt.Compare(a.CreatedAt) })
		for i := range list {
			out.Items = append(out.Items, wire.NewOwnerStatement(&list[i]))
		}
		return err
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, out)
}

// List is the operation adminClaims.
func (g *Group) List(w http.ResponseWriter, r *http.Request) error {
	q, err := query.ReadPlain(r, wire.AdminListParams())
	if err != nil {
		return err
	}
	after, err := base64.RawURLEncoding.Strict().DecodeString(q["cursor"])
	if err != nil || len(after) > 100 {
		return web.Malformed("The cursor is none of this list: follow `next`, or leave it out.")
	}
	var list []catalog.Claim
	limit := q.Int("limit")
	err = g.Store.View(r.Context(), func(tx catalog.Tx) (err error) {
		list, err = tx.Claims().After(r.Context(), string(after), limit+1)
		return err
	})
	if err != nil {
		return err
	}
	page := wire.ClaimsPage{Items: []wire.Claim{}}
	if len(list) > limit {
		list = list[:limit]
		next := wire.Path(g.Site(), "/api/v1/admin/claims?"+url.Values{"limit": {q["limit"]}, "cursor": {base64.RawURLEncoding.EncodeToString([]byte(list[limit-1].ID))}}.Encode())
		page.Next = &next
	}
	for i := range list {
		page.Items = append(page.Items, wire.NewClaim(&list[i]))
	}
	return web.Reply(w, r, http.StatusOK, page)
}

// audit writes down what a moderator did.
func audit(ctx context.Context, tx catalog.Tx, action, subject, reason string, now time.Time) error {
	by := web.CallerOf(ctx)
	return tx.Audits().Append(ctx, catalog.AuditRow{At: now, By: by.Token, Name: by.Name, Action: action, Subject: subject, Reason: reason})
}

func why(text string) (string, error) {
	if text = strings.TrimSpace(text); text == "" {
		return "", invalid("reason", "", "say why; the reason is public and kept")
	}
	return text, catalog.CheckText("reason", text, catalog.ReasonMax)
}

// Revoke is the operation revokeClaim.
func (g *Group) Revoke(w http.ResponseWriter, r *http.Request) error {
	var ask wire.ReasonRequest
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	reason, err := why(ask.Reason)
	if err != nil {
		return err
	}
	var c *catalog.Claim
	err = g.Store.Update(r.Context(), func(tx catalog.Tx) error {
		if c, err = tx.Claims().Get(r.Context(), r.PathValue("id")); errors.Is(err, catalog.ErrNotFound) {
			return unknown()
		} else if err != nil {
			return err
		}
		if c.State == catalog.ClaimEnded {
			return conflict("This claim has ended already.")
		}
		now := g.now()
		kind := c.End("revoked: "+reason, now)
		if err := tx.Claims().Put(r.Context(), *c); err != nil {
			return err
		}
		if err := g.announce(r.Context(), tx, c, kind, now); err != nil {
			return err
		}
		return audit(r.Context(), tx, "revokeClaim", c.ID, reason, now)
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, wire.NewClaim(c))
}

// put stores a statement with the event of its new state.
func (g *Group) put(ctx context.Context, tx catalog.Tx, s *catalog.Statement, from catalog.StatementState, now time.Time) error {
	if err := tx.Claims().PutStatement(ctx, *s); err != nil {
		return err
	}
	return tx.Events().Append(ctx, catalog.SaidEvent(s.EntryID, catalog.FieldStatements, string(from), string(s.State), now))
}

// adopt has the entry of an accepted address probed there.
func (g *Group) adopt(ctx context.Context, tx catalog.Tx, s *catalog.Statement) error {
	e, err := g.entry(ctx, tx, s.EntryID)
	if err != nil {
		return err
	}
	if err := g.probeable(ctx, tx, e, s.URL); err != nil {
		return err
	}
	return g.probeAt(ctx, tx, e, s.URL)
}
