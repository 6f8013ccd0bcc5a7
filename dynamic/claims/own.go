package claims

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// optionParams are those of listClaimOptions.
var optionParams = []wire.Param{{Name: "institution", In: "query", Kind: wire.KindString}, {Name: "source", In: "query", Kind: wire.KindString}, {Name: "entry", In: "query", Kind: wire.KindString}}

// Options is the operation listClaimOptions.
func (g *Group) Options(w http.ResponseWriter, r *http.Request) error {
	q, err := query.ReadPlain(r, optionParams)
	if err != nil {
		return err
	}
	out := wire.ClaimOptions{Items: []wire.ClaimOption{}, Methods: g.methods()}
	err = g.Store.View(r.Context(), func(tx catalog.Tx) error {
		asked := [][2]string{{q["institution"], q["source"]}}
		if name := q["entry"]; name != "" {
			e, err := g.entry(r.Context(), tx, name)
			if err != nil {
				return err
			}
			asked = [][2]string{{e.InstitutionID, ""}, {"", e.SourceID}}
		}
		for _, a := range asked {
			s, err := g.subject(r.Context(), tx, a[0], a[1])
			if err != nil && q["entry"] == "" {
				return err
			}
			if err == nil {
				out.Items = append(out.Items, s.option())
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, out)
}

// methods are those by which a claim can be proved here.
func (g *Group) methods() []catalog.ClaimMethod {
	return slices.DeleteFunc(catalog.ClaimMethods(), func(m catalog.ClaimMethod) bool { return m == catalog.ClaimMail && !g.Mails })
}

// option is a subject as somebody who wants to claim it sees it.
func (s *subject) option() wire.ClaimOption {
	o := wire.ClaimOption{Name: s.name, Domains: []string{}}
	if s.page != "" {
		o.Page = &s.page
	}
	if s.source {
		o.Source = &s.id
	} else {
		o.Institution = &s.id
	}
	for _, d := range s.official {
		if Admissible(d, s.official) == nil && !slices.Contains(o.Domains, d) {
			o.Domains = append(o.Domains, d)
		}
	}
	return o
}

// Owned is the operation getOwnedClaim.
func (g *Group) Owned(w http.ResponseWriter, r *http.Request) error {
	var out wire.OwnedClaim
	c, err := g.owned(r, func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) error {
		s, err := g.of(ctx, tx, c)
		if err != nil {
			return err
		}
		out = wire.OwnedClaim{Name: s.name}
		if place, proof := Where(c, s.page, g.url(c.ID)); place != "" {
			out.Place, out.Proof = &place, &proof
		}
		return nil
	})
	if err != nil {
		return err
	}
	out.Claim = wire.NewClaim(c)
	return web.Reply(w, r, http.StatusOK, out)
}

// Withdraw is the operation withdrawStatement.
func (g *Group) Withdraw(w http.ResponseWriter, r *http.Request) error {
	var s *catalog.Statement
	_, err := g.owned(r, func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) (err error) {
		if s, err = tx.Claims().Statement(ctx, r.PathValue("statement")); errors.Is(err, catalog.ErrNotFound) || err == nil && s.ClaimID != c.ID {
			return web.NotFound("This claim has no statement with this id.")
		} else if err != nil {
			return err
		}
		if s.State == catalog.StatementWithdrawn {
			return conflict("This was withdrawn already.")
		}
		if err := g.unprobe(ctx, tx, s); err != nil {
			return err
		}
		from := s.State
		s.State, s.DecidedAt = catalog.StatementWithdrawn, g.now()
		return g.put(ctx, tx, s, from, s.DecidedAt)
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, wire.NewOwnerStatement(s))
}
