package entries

import (
	"net/http"
	"net/url"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
)

// List answers a list with parameters; one without is a document.
func List(answers *Answers, page web.Handler) web.Handler {
	return unlessPlain(page, remembered(answers, operation[*query.Request]{"list", parseList, snapshotAlone, makeList}))
}

func parseList(values url.Values) (*query.Request, string, error) {
	q, err := query.ParseList(values)
	if err != nil {
		return nil, "", err
	}
	return q, q.Snapshot, nil
}

func makeList(r *http.Request, s *query.Snapshot, q *query.Request) (*answer, error) {
	page, err := s.ListPage(r.Context(), q)
	if err != nil {
		return nil, err
	}
	return &answer{web.NewBody(page.Body), web.Link(page.Links)}, nil
}
