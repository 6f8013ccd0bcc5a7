// Package entries answers the lists of entries that carry query parameters.
package entries

import (
	"net/http"
	"net/url"

	"github.com/assay-register/assay/dynamic/lru"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
)

// answersBudget bounds the remembered answers of one operation, in bytes. A
// snapshot never changes, so its answers stay right.
const answersBudget = 32 << 20

// answer is a finished page.
type answer struct {
	body *web.Body
	link string
}

// request is a request for an answer that stays right for its snapshot. Equal
// strings ask for the same.
type request interface{ String() string }

// remembered answers one operation from memory if the same was asked of the
// same snapshot before. parse tells which snapshot the reader names, too.
func remembered[R request](library *query.Library, parse func(url.Values) (R, string, error),
	make func(*http.Request, *query.Snapshot, R) (*answer, error)) web.Handler {
	answers := lru.New[*answer](answersBudget)
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		q, snapshot, err := parse(values)
		if err != nil {
			return err
		}
		s, err := library.At(r.Context(), snapshot)
		if err != nil {
			return err
		}
		key := s.Edition() + "?" + q.String()
		a, ok := answers.Get(key)
		if !ok {
			if a, err = make(r, s, q); err != nil {
				return err
			}
		}
		before := a.body.Size()
		d := web.Document{Body: a.body, Head: web.Head{Type: artifact.JSON, Cache: web.CacheLive, Snapshot: s.ID, Link: a.link}}
		err = d.Write(w, r)
		if size := a.body.Size(); !ok || size != before {
			answers.Put(key, a, size+int64(len(key)+len(a.link)))
		}
		return err
	}
}

// unlessPlain lets the tree answer a request without parameters.
func unlessPlain(page, other web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.URL.RawQuery == "" {
			return page(w, r)
		}
		return other(w, r)
	}
}
