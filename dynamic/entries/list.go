package entries

import (
	"net/http"

	"github.com/assay-register/assay/dynamic/lru"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
)

// List answers a list with parameters; one without is the page of the tree.
func List(library *query.Library, page web.Handler) web.Handler {
	g := &group{library: library, parse: parseList, make: makeList, answers: lru.New[*answer](answersBudget)}
	return g.unlessPlain(page)
}

func parseList(r *http.Request) (*query.Request, error) {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	return query.ParseList(values)
}

func makeList(r *http.Request, s *query.Snapshot, q *query.Request) (*answer, error) {
	page, err := s.ListPage(r.Context(), q)
	if err != nil {
		return nil, err
	}
	return &answer{web.NewBody(page.Body), web.Link(page.Links)}, nil
}
