// Package pages answers the pages of the site that depend on what a reader
// asked: search and comparison. Without a question the static page answers.
package pages

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/assay-register/assay/dynamic/web"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Config is what the pages need.
type Config struct {
	// Views renders the pages.
	Views *view.Pages
	// Current is the present snapshot, nil when there is none.
	Current func() *snapshot.Catalog
	// API answers the register's own interface, so that a page and a program
	// get the same.
	API http.Handler
	// Static answers with the page that lies in the tree.
	Static web.Handler
}

// Search answers /search in a language.
func Search(c Config, lang string) web.Handler {
	return c.page(func(current *snapshot.Catalog, r *http.Request, asked url.Values) ([]byte, error) {
		found := c.find(r, current, asked)
		return c.Views.Search(current, lang, asked, found)
	})
}

// Compare answers /compare in a language.
func Compare(c Config, lang string) web.Handler {
	return c.page(func(current *snapshot.Catalog, r *http.Request, asked url.Values) ([]byte, error) {
		ids := tidy(strings.Join(asked["ids"], ","))
		var m wire.ComparisonMatrix
		problem := c.ask(r, current, "/api/v1/entries/compare/matrix", url.Values{"ids": {ids}}, &m)
		if problem != "" {
			return c.Views.Compare(current, lang, ids, nil, problem)
		}
		return c.Views.Compare(current, lang, ids, &m, "")
	})
}

// tidy lets a reader separate ids by spaces, too.
func tidy(ids string) string {
	return strings.Join(strings.FieldsFunc(ids, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' }), ",")
}

// page answers with a page made for the question, or with the static one.
func (c Config) page(render func(*snapshot.Catalog, *http.Request, url.Values) ([]byte, error)) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		asked, current := given(values), c.Current()
		if len(asked) == 0 || current == nil {
			return c.Static(w, r)
		}
		body, err := render(current, r, asked)
		if err != nil {
			return err
		}
		d := web.Document{Head: web.Head{Type: view.HTML, Cache: web.CacheLive}, Body: web.NewBody(body)}
		return d.Write(w, r)
	}
}

// given drops the fields that the reader left empty: a browser sends those,
// too.
func given(values url.Values) url.Values {
	out := url.Values{}
	for name, list := range values {
		for _, v := range list {
			if strings.TrimSpace(v) != "" {
				out[name] = append(out[name], v)
			}
		}
	}
	return out
}

// find asks for the entries: by the search when there are words, else by the
// list with its filters.
func (c Config) find(r *http.Request, current *snapshot.Catalog, asked url.Values) *view.Found {
	params := url.Values{}
	for name, list := range asked {
		params.Set(name, strings.Join(list, ","))
	}
	if asked.Get("q") == "" {
		var page wire.EntriesPage
		problem := c.ask(r, current, "/api/v1/entries", params, &page)
		return &view.Found{Items: page.Items, Total: page.Total, Page: page.Page, TotalPages: page.TotalPages, Problem: problem}
	}
	var page wire.SearchPage
	found := &view.Found{Problem: c.ask(r, current, "/api/v1/entries/search", params, &page)}
	found.Total, found.Page, found.TotalPages = page.Total, page.Page, page.TotalPages
	for i := range page.Items {
		found.Items = append(found.Items, page.Items[i].Entry)
	}
	if page.DidYouMean != nil {
		found.Instead = *page.DidYouMean
	}
	return found
}

// ask asks the register's interface and reads the answer into v. What comes
// back is the problem in words, "" for none.
func (c Config) ask(r *http.Request, current *snapshot.Catalog, route string, params url.Values, v any) string {
	inner := r.Clone(r.Context())
	inner.Method, inner.Body = http.MethodGet, http.NoBody
	inner.Header = http.Header{"Accept": {"application/json"}}
	inner.URL = &url.URL{Path: wire.Path(current.Site, route), RawQuery: params.Encode()}
	inner.RequestURI = inner.URL.RequestURI()
	var a answer
	c.API.ServeHTTP(&a, inner)
	if a.status >= http.StatusBadRequest {
		var p wire.Problem
		if json.Unmarshal(a.body, &p) != nil || p.Detail == "" && p.Title == "" {
			return http.StatusText(a.status)
		}
		words := p.Detail
		for _, e := range p.Errors {
			words += " " + strings.TrimPrefix(e.Location, "query.") + ": " + e.Message
		}
		return strings.TrimSpace(words)
	}
	if err := json.Unmarshal(a.body, v); err != nil {
		return http.StatusText(http.StatusInternalServerError)
	}
	return ""
}

// answer holds what a handler answers.
type answer struct {
	header http.Header
	status int
	body   []byte
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header {
	if a.header == nil {
		a.header = http.Header{}
	}
	return a.header
}

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.body = append(a.body, b...)
	return len(b), nil
}

// Asset answers with a file that the service's own pages need, or with the one
// of that name in the tree.
func Asset(c Config) web.Handler {
	var bodies sync.Map // compressed once, by route
	return func(w http.ResponseWriter, r *http.Request) error {
		content, media, ok := view.Asset(r.URL.Path)
		if !ok {
			return c.Static(w, r)
		}
		body, _ := bodies.LoadOrStore(r.URL.Path, web.NewBody(content))
		d := web.Document{Head: web.Head{Type: media, Cache: web.CacheHashed}, Body: body.(*web.Body)}
		return d.Write(w, r)
	}
}
