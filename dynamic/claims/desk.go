package claims

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Stated is the operation adminStatements.
func (g *Group) Stated(w http.ResponseWriter, r *http.Request) error {
	q, err := query.ReadPlain(r, wire.StatedParams())
	if err != nil {
		return err
	}
	after, err := base64.RawURLEncoding.Strict().DecodeString(q["cursor"])
	if err != nil || len(after) > 100 {
		return web.Malformed("The cursor is none of this list: follow `next`, or leave it out.")
	}
	limit := q.Int("limit")
	page := wire.StatementsPage{Items: []wire.AdminStatement{}}
	err = g.Store.View(r.Context(), func(tx catalog.Tx) error {
		list, err := tx.Claims().InState(r.Context(), catalog.StatementState(q["state"]), string(after), limit+1)
		if err != nil {
			return err
		}
		if len(list) > limit {
			list = list[:limit]
			next := wire.Path(g.Site(), "/api/v1/admin/statements?"+url.Values{"limit": {q["limit"]}, "state": {q["state"]}, "cursor": {base64.RawURLEncoding.EncodeToString([]byte(list[limit-1].ID))}}.Encode())
			page.Next = &next
		}
		for i := range list {
			x, err := beside(r.Context(), tx, &list[i])
			if err != nil {
				return err
			}
			page.Items = append(page.Items, x)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, page)
}

// beside is a statement with its claim, its entry, and what the register says.
func beside(ctx context.Context, tx catalog.Tx, s *catalog.Statement) (out wire.AdminStatement, err error) {
	out.OwnerStatement = wire.NewOwnerStatement(s)
	c, err := tx.Claims().Get(ctx, s.ClaimID)
	if err == nil {
		out.Claim = wire.NewClaim(c)
	} else if !errors.Is(err, catalog.ErrNotFound) {
		return out, err
	}
	found, err := tx.Entries().Get(ctx, s.EntryID)
	if err != nil || len(found) == 0 {
		return out, err
	}
	e := &found[0]
	out.Entry = &wire.StatementEntry{ID: e.ID, Slug: e.Slug, Name: e.Name, Type: e.Type}
	if s.Kind == catalog.StateProbeAddress {
		out.RegisterSays, err = json.Marshal(e.PrimarySourceURL)
		return out, err
	}
	if s.Field == "" {
		return out, nil
	}
	doc, err := json.Marshal(e)
	if err != nil {
		return out, err
	}
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(doc, &members); err != nil {
		return out, err
	}
	out.RegisterSays = members[s.Field]
	return out, nil
}

// Decide is the operation decideStatement.
func (g *Group) Decide(w http.ResponseWriter, r *http.Request) error {
	var ask wire.StatementDecision
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	reason, err := why(ask.Reason)
	if err != nil {
		return err
	}
	if ask.State != catalog.StatementAccepted && ask.State != catalog.StatementDeclined {
		return invalid("state", string(ask.State), "use accepted or declined")
	}
	var s *catalog.Statement
	err = g.Store.Update(r.Context(), func(tx catalog.Tx) error {
		if s, err = tx.Claims().Statement(r.Context(), r.PathValue("id")); errors.Is(err, catalog.ErrNotFound) {
			return web.NotFound("There is no statement with this id.")
		} else if err != nil {
			return err
		}
		if s.State != catalog.StatementOpen {
			return conflict("This statement is " + string(s.State) + " and waits for nobody.")
		}
		if s.Kind == catalog.StateProbeAddress && ask.State == catalog.StatementAccepted {
			if err := g.adopt(r.Context(), tx, s); err != nil {
				return err
			}
		}
		s.State, s.Reason, s.DecidedAt = ask.State, reason, g.now()
		if err := g.put(r.Context(), tx, s, catalog.StatementOpen, s.DecidedAt); err != nil {
			return err
		}
		return audit(r.Context(), tx, "decideStatement", s.EntryID, reason, s.DecidedAt)
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, wire.NewOwnerStatement(s))
}
