package entries

import (
	"net/http"
	"net/url"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
)

// Institutions answers the list of institutions with parameters; one without is a
// document of the snapshot.
func Institutions(answers *Answers, page web.Handler) web.Handler {
	return unlessPlain(page, remembered(answers, operation[*query.Request]{"institutions", parseInstitutions, snapshotAlone, makeInstitutions}))
}

func parseInstitutions(values url.Values) (*query.Request, string, error) {
	q, err := query.ParseInstitutions(values)
	if err != nil {
		return nil, "", err
	}
	return q, q.Snapshot, nil
}

func makeInstitutions(r *http.Request, s *query.Snapshot, q *query.Request) (*answer, error) {
	page, err := s.InstitutionsPage(r.Context(), q)
	if err != nil {
		return nil, err
	}
	return &answer{web.NewBody(page.Body), web.Link(page.Links)}, nil
}
