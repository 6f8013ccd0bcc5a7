package entries

import (
	"net/http"
	"net/url"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
)

// Compare sets entries of one snapshot side by side.
func Compare(library *query.Library) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		s, q, err := comparison(library, r, query.ParseCompare)
		if err != nil {
			return err
		}
		body, err := s.ComparePage(q)
		if err != nil {
			return err
		}
		return comparedAs(w, r, s, artifact.JSON, body)
	}
}

// Matrix sets the fields of entries side by side, as JSON or as CSV.
func Matrix(library *query.Library) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		s, q, err := comparison(library, r, query.ParseMatrix)
		if err != nil {
			return err
		}
		media := web.Prefer(r.Header.Get("Accept"), artifact.JSON, artifact.CSV)
		if q.Format != "" {
			media = map[string]string{"json": artifact.JSON, "csv": artifact.CSV}[q.Format]
		}
		body, err := s.MatrixPage(q, media == artifact.CSV)
		if err != nil {
			return err
		}
		return comparedAs(web.Varied(w, "Accept"), r, s, media, body)
	}
}

func comparison(library *query.Library, r *http.Request, parse func(url.Values) (*query.CompareRequest, error)) (*query.Snapshot, *query.CompareRequest, error) {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return nil, nil, err
	}
	q, err := parse(values)
	if err != nil {
		return nil, nil, err
	}
	s, err := library.At(r.Context(), q.Snapshot)
	return s, q, err
}

func comparedAs(w http.ResponseWriter, r *http.Request, s *query.Snapshot, media string, body []byte) error {
	d := web.Document{Head: web.Head{Type: media, Cache: web.CacheLive, Snapshot: s.ID}, Body: web.NewBody(body)}
	return d.Write(w, r)
}
