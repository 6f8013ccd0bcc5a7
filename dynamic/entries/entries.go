// Package entries answers the lists of entries that carry query parameters.
package entries

import (
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/assay-register/assay/dynamic/lru"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
)

// answersBudget bounds the remembered answers of all operations together, in bytes.
const answersBudget = 32 << 20

// Answers remembers finished answers. A snapshot never changes, so its answers stay
// right; those that nobody can ask for any more are forgotten.
type Answers struct {
	library *query.Library
	known   *lru.Cache[*answer]
	// seen is the present edition for which the others were looked through last.
	seen atomic.Pointer[string]
}

// NewAnswers makes the memory of the operations on one library.
func NewAnswers(library *query.Library) *Answers {
	return &Answers{library: library, known: lru.New[*answer](answersBudget)}
}

// put remembers an answer. With the first one of a new edition those of editions that
// are no more are forgotten.
func (a *Answers) put(key string, v *answer) {
	a.known.Put(key, v, v.body.Size()+int64(len(key)+len(v.link)))
	now := a.library.Current().Edition()
	if before := a.seen.Load(); before != nil && *before == now || !a.seen.CompareAndSwap(before, &now) {
		return
	}
	answerable := a.library.Answerable()
	a.known.Prune(func(key string) bool {
		edition, _, _ := strings.Cut(key, "?")
		return !answerable(edition)
	})
}

// answer is a finished page.
type answer struct {
	body *web.Body
	link string
}

// request is a request for an answer that stays right for its snapshot. Equal
// strings ask for the same.
type request interface{ String() string }

// operation is how requests of one kind are answered.
type operation[R request] struct {
	name string
	// parse tells which snapshot the reader names, too.
	parse func(url.Values) (R, string, error)
	// edition names what the answers are made of.
	edition func(*query.Snapshot) string
	make    func(*http.Request, *query.Snapshot, R) (*answer, error)
}

// snapshotAlone is the edition of answers that show no overlay.
func snapshotAlone(s *query.Snapshot) string { return s.ID }

// remembered answers one operation from memory if the same was asked of the
// same edition before.
func remembered[R request](answers *Answers, o operation[R]) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		q, snapshot, err := o.parse(values)
		if err != nil {
			return err
		}
		s, err := answers.library.At(r.Context(), snapshot)
		if err != nil {
			return err
		}
		key := o.edition(s) + "?" + o.name + "?" + q.String()
		a, ok := answers.known.Get(key)
		if !ok {
			if a, err = o.make(r, s, q); err != nil {
				return err
			}
		}
		before := a.body.Size()
		d := web.Document{Body: a.body, Head: web.Head{Type: artifact.JSON, Cache: web.CacheLive, Snapshot: s.ID, Link: a.link}}
		err = d.Write(w, r)
		if !ok || a.body.Size() != before {
			answers.put(key, a)
		}
		return err
	}
}

// unlessPlain lets a document answer a request without parameters.
func unlessPlain(page, other web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.URL.RawQuery == "" {
			return page(w, r)
		}
		return other(w, r)
	}
}
