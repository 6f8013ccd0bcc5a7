package query

import (
	"context"
	"slices"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// InstitutionsPage makes the page of the list of institutions that a request asks
// for, in the order of the snapshot's own pages.
func (s *Snapshot) InstitutionsPage(ctx context.Context, r *Request) (*Page, error) {
	leave, err := s.gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	var found []snapshot.Holding
	countries := r.Query.Where[snapshot.ByCountry]
	for _, h := range s.holdings() {
		if (r.State == "" || h.State() == r.State) && (len(countries) == 0 || slices.Contains(countries, h.Institution.CountryCode)) {
			found = append(found, h)
		}
	}
	p := wire.NewInstitutionsPage(s.Catalog, found, r.Page, r.Limit)
	p.Links = s.links(r, p.TotalPages, institutionList)
	body, err := wire.Seal(p, s.AsOf, true)
	return &Page{body, p.Links}, err
}
