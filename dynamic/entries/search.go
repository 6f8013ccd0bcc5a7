package entries

import (
	"net/http"
	"net/url"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
)

// Search ranks the entries that have the words of a query.
func Search(answers *Answers) web.Handler {
	return remembered(answers, operation[*query.Search]{"search", parseSearch, (*query.Snapshot).Edition, makeSearch})
}

func parseSearch(values url.Values) (*query.Search, string, error) {
	q, err := query.ParseSearch(values)
	if err != nil {
		return nil, "", err
	}
	return q, q.Snapshot, nil
}

func makeSearch(r *http.Request, s *query.Snapshot, q *query.Search) (*answer, error) {
	page, err := s.SearchPage(r.Context(), q, time.Now)
	if err != nil {
		return nil, err
	}
	return &answer{web.NewBody(page.Body), web.Link(page.Links)}, nil
}

// Suggestions completes what was typed.
func Suggestions(answers *Answers) web.Handler {
	return remembered(answers, operation[*query.Suggest]{"suggest", parseSuggest, (*query.Snapshot).Edition, makeSuggest})
}

func parseSuggest(values url.Values) (*query.Suggest, string, error) {
	q, err := query.ParseSuggest(values)
	if err != nil {
		return nil, "", err
	}
	return q, q.Snapshot, nil
}

func makeSuggest(_ *http.Request, s *query.Snapshot, q *query.Suggest) (*answer, error) {
	body, err := s.SuggestPage(q)
	if err != nil {
		return nil, err
	}
	return &answer{body: web.NewBody(body)}, nil
}
