// Package entries answers the lists of entries that carry query parameters.
package entries

import (
	"net/http"

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

// maker makes the answer to a request from a snapshot.
type maker func(r *http.Request, s *query.Snapshot, q *query.Request) (*answer, error)

// group answers one operation.
type group struct {
	library *query.Library
	parse   func(*http.Request) (*query.Request, error)
	make    maker
	answers *lru.Cache[*answer]
}

// serve answers from memory if the same was asked of the same snapshot before.
func (g *group) serve(w http.ResponseWriter, r *http.Request) error {
	q, err := g.parse(r)
	if err != nil {
		return err
	}
	s, err := g.library.At(r.Context(), q.Snapshot)
	if err != nil {
		return err
	}
	key := s.ID + "?" + q.String()
	a, ok := g.answers.Get(key)
	if !ok {
		if a, err = g.make(r, s, q); err != nil {
			return err
		}
	}
	before := a.body.Size()
	d := web.Document{Body: a.body,
		Head: web.Head{Type: artifact.JSON, Cache: web.CacheLive, Snapshot: s.ID, Link: a.link}}
	err = d.Write(w, r)
	if size := a.body.Size(); !ok || size != before {
		g.answers.Put(key, a, size+int64(len(key)+len(a.link)))
	}
	return err
}

// unlessPlain lets the tree answer a request without parameters.
func (g *group) unlessPlain(page web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.URL.RawQuery == "" {
			return page(w, r)
		}
		return g.serve(w, r)
	}
}
