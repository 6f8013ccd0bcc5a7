package entries

import (
	"net/http"
	"net/url"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
)

// Facets counts the values of a selection of entries; those of all listed
// entries are a document.
func Facets(answers *Answers, page web.Handler) web.Handler {
	return unlessPlain(page, remembered(answers, operation[*query.Request]{"facets", parseFacets, snapshotAlone, makeFacets}))
}

func parseFacets(values url.Values) (*query.Request, string, error) {
	q, err := query.ParseFacets(values)
	if err != nil {
		return nil, "", err
	}
	return q, q.Snapshot, nil
}

func makeFacets(r *http.Request, s *query.Snapshot, q *query.Request) (*answer, error) {
	body, err := s.FacetsPage(r.Context(), q)
	if err != nil {
		return nil, err
	}
	return &answer{body: web.NewBody(body)}, nil
}
