package dynamic

import (
	"cmp"
	"context"
	"net"
	"net/http"

	"github.com/assay-register/assay/dynamic/claims"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// claims lets owners prove what is theirs; without a client for requests to strangers no
// proof can be looked for.
func (s *Service) claims() *claims.Group {
	c := &s.config
	resolver := c.Resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	return &claims.Group{Store: c.Store, Now: c.Now, Site: s.site, Mails: c.Mail != nil, Begun: claims.NewBegun(c.Now),
		Prover: &claims.Prover{Client: cmp.Or(c.Outbound, &http.Client{Transport: refuseAll{}}), Resolver: resolver}}
}

// mend tells what the owner of a digest can mend, as the present snapshot has it.
func (s *Service) mend(ctx context.Context, d *catalog.Digest) (*catalog.Mending, error) {
	current := s.library.Current()
	if current == nil {
		return nil, nil
	}
	return s.owners.Mending(ctx, current.Catalog, d)
}

// refuseAll reaches nothing.
type refuseAll struct{}

// RoundTrip implements http.RoundTripper.
func (refuseAll) RoundTrip(*http.Request) (*http.Response, error) { return nil, http.ErrNotSupported }

func (s *Service) claimRoutes() []Route {
	g := s.claims()
	const at, admin = wire.RouteClaims, "/api/v1/admin"
	route := func(id, method, path string, h web.Handler) Route { return Route{id, method, path, web.CacheNever, h} }
	return []Route{
		route("createClaim", http.MethodPost, at, g.Create),
		route("listClaimOptions", http.MethodGet, at+"/options", g.Options),
		route("getOwnedClaim", http.MethodGet, at+"/{id}/owner", g.Owned),
		route("withdrawStatement", http.MethodDelete, at+"/{id}/statements/{statement}", g.Withdraw),
		route("getClaim", http.MethodGet, at+"/{id}", g.Get),
		route("checkClaim", http.MethodPost, at+"/{id}/check", g.Check),
		route("confirmClaim", http.MethodPost, at+"/{id}/confirm", g.Confirm),
		route("endClaim", http.MethodDelete, at+"/{id}", g.End),
		route("stateClaim", http.MethodPost, at+"/{id}/statements", g.State),
		route("probeClaim", http.MethodPost, at+"/{id}/probe", g.Probe),
		route("getEntryStatements", http.MethodGet, "/api/v1/entries/{idOrSlug}/statements", g.Statements),
		route("claimReports", http.MethodGet, at+"/{id}/reports", g.Reports),
		route("answerReport", http.MethodPost, at+"/{id}/reports/{report}/answer", g.AnswerReport),
		route("recheckClaim", http.MethodPost, at+"/{id}/recheck", g.Recheck),
		route("getAskedChecks", http.MethodGet, at+"/{id}/checks", g.Asked),
		route("askDigest", http.MethodPost, at+"/{id}/digest", g.Digest),
		route("adminClaims", http.MethodGet, admin+"/claims", g.List),
		route("revokeClaim", http.MethodPost, admin+"/claims/{id}/revoke", g.Revoke),
		route("adminStatements", http.MethodGet, admin+"/statements", g.Stated),
		route("decideStatement", http.MethodPost, admin+"/statements/{id}/decide", g.Decide),
	}
}
