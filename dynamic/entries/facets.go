package entries

import (
	"net/http"

	"github.com/assay-register/assay/dynamic/lru"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
)

// Facets counts the values of a selection of entries; those of all listed
// entries are a page of the tree.
func Facets(library *query.Library, page web.Handler) web.Handler {
	g := &group{library: library, parse: parseFacets, make: makeFacets, answers: lru.New[*answer](answersBudget)}
	return g.unlessPlain(page)
}

func parseFacets(r *http.Request) (*query.Request, error) {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	return query.ParseFacets(values)
}

func makeFacets(r *http.Request, s *query.Snapshot, q *query.Request) (*answer, error) {
	body, err := s.FacetsPage(r.Context(), q)
	if err != nil {
		return nil, err
	}
	return &answer{body: web.NewBody(body)}, nil
}
