// Package pages answers the pages of the site that depend on what a reader
// asked: search and comparison. Without a question the static page answers.
package pages

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/assay-register/assay/dynamic/inside"
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
	// API is the register's own interface, so that a page and a program get
	// the same.
	API *inside.API
	// Static answers with the page of the snapshot.
	Static web.Handler
}

// Search answers /search in a language.
func Search(c Config, lang string) web.Handler {
	return c.page(func(current *snapshot.Catalog, r *http.Request, asked url.Values) ([]byte, error) {
		found, err := c.find(r, current, lang, asked)
		if err != nil {
			return nil, err
		}
		return c.Views.Search(current, lang, asked, found)
	})
}

// Compare answers /compare in a language.
func Compare(c Config, lang string) web.Handler {
	return c.page(func(current *snapshot.Catalog, r *http.Request, asked url.Values) ([]byte, error) {
		ids := tidy(strings.Join(asked["ids"], ","))
		var m wire.ComparisonMatrix
		problem, err := c.ask(r, current, "/api/v1/entries/compare/matrix", url.Values{"ids": {ids}}, &m)
		if err != nil {
			return nil, err
		}
		if problem != "" {
			return c.Views.Compare(current, lang, ids, nil, problem)
		}
		if err := c.compareIn(r, current, lang, &m); err != nil {
			return nil, err
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
// too. A parameter of two names gets the one that filters have.
func given(values url.Values) url.Values {
	out := url.Values{}
	for name, list := range values {
		if name == "country" {
			name = snapshot.ByCountry
		}
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
func (c Config) find(r *http.Request, current *snapshot.Catalog, lang string, asked url.Values) (*view.Found, error) {
	params := url.Values{}
	for name, list := range asked {
		if !strings.HasPrefix(name, view.FindPrefix) {
			params.Set(name, strings.Join(list, ","))
		}
	}
	// People see a series once; its own list has the members.
	if asked.Get("series") == "" {
		params.Set("collapse", "series")
	}
	if asked.Get("q") == "" {
		if params.Get("sort_by") == wire.SortRelevance {
			params.Del("sort_by") // an address that had words
		}
		var page wire.EntriesPage
		problem, err := c.ask(r, current, "/api/v1/entries", params, &page)
		found := &view.Found{Items: page.Items, Total: page.Total, Page: page.Page, TotalPages: page.TotalPages, Problem: problem}
		if err == nil && problem == "" {
			found.Facets, err = c.count(r, current, params)
		}
		if found.Facets != nil && err == nil {
			err = c.widen(r, current, asked, params, found.Facets)
		}
		if err == nil {
			err = c.translated(r, current, lang, "", found)
		}
		return found, err
	}
	var page wire.SearchPage
	problem, err := c.ask(r, current, "/api/v1/entries/search", params, &page)
	found := &view.Found{Total: page.Total, Page: page.Page, TotalPages: page.TotalPages, Less: page.LessRelevant, Some: page.Match == wire.MatchSome, Problem: problem}
	if err == nil && problem == "" {
		found.Facets = &page.Facets
	}
	for i := range page.Items {
		found.Items = append(found.Items, page.Items[i].Entry)
		found.Marked = append(found.Marked, marked(&page.Items[i], lang))
	}
	if page.DidYouMean != nil {
		found.Instead = *page.DidYouMean
	}
	if found.Facets != nil && err == nil {
		err = c.widen(r, current, asked, params, found.Facets)
	}
	if err == nil {
		err = c.translated(r, current, lang, asked.Get("q"), found)
	}
	return found, err
}

// marked is the piece of a result's description that answers the question, of the text that
// the page shows.
func marked(i *wire.SearchItem, lang string) string {
	field := "description"
	own := i.Entry.NativeLang != nil && strings.HasPrefix(*i.Entry.NativeLang+"-", lang+"-") && i.Entry.Description != nil
	if !own && i.Entry.DescriptionEn != nil && *i.Entry.DescriptionEn != "" {
		field = "description_en"
	}
	at := slices.IndexFunc(i.Highlights, func(h wire.Highlight) bool { return h.Field == field })
	if at < 0 {
		return ""
	}
	return i.Highlights[at].HTML
}

// widenMax is for how many filters of a question the values are counted that could be chosen
// besides those that were; each takes a search.
const widenMax = 4

// widen counts, of a filter that a reader chose values of, what the others would add, and of
// one in which a reader looks for a value those of that name. Elsewhere the counts are those
// of what was found.
func (c Config) widen(r *http.Request, current *snapshot.Catalog, asked, params url.Values, facets *snapshot.Facets) error {
	left := widenMax
	for _, d := range snapshot.Dimensions() {
		wanted := asked.Get(view.FindPrefix + d.Name)
		if !d.Counted || d.All || left == 0 || params.Get(d.Name) == "" && wanted == "" {
			continue
		}
		left--
		wide := url.Values{}
		for name, list := range params {
			if name != d.Name && name != "page" && name != "sort_by" {
				wide[name] = list
			}
		}
		if d.Name == "institution_id" && wanted != "" {
			ids := c.Views.BodiesNamed(current, wanted)
			if len(ids) == 0 {
				*d.Counts(facets) = nil
				continue
			}
			wide.Set(d.Name, strings.Join(ids[:min(len(ids), namedMax)], ","))
		}
		counts, err := c.counted(r, current, wide)
		if err != nil {
			return err
		}
		if counts != nil {
			*d.Counts(facets) = *d.Counts(counts)
		}
	}
	return nil
}

// namedMax is how many institutions of a name are counted.
const namedMax = 100

// counted are the values of what a question finds.
func (c Config) counted(r *http.Request, current *snapshot.Catalog, params url.Values) (*snapshot.Facets, error) {
	if params.Get("q") == "" {
		return c.count(r, current, params)
	}
	params.Set("limit", "1")
	var page wire.SearchPage
	if problem, err := c.ask(r, current, "/api/v1/entries/search", params, &page); problem != "" || err != nil {
		return nil, err
	}
	return &page.Facets, nil
}

// count asks for the values of all entries of a list.
func (c Config) count(r *http.Request, current *snapshot.Catalog, params url.Values) (*snapshot.Facets, error) {
	filters := url.Values{}
	for name, list := range params {
		if slices.ContainsFunc(wire.FacetParams(), func(p wire.Param) bool { return p.Name == name }) {
			filters[name] = list
		}
	}
	var page wire.FacetsPage
	if problem, err := c.ask(r, current, "/api/v1/entries/facets", filters, &page); problem != "" || err != nil {
		return nil, err
	}
	return &page.Facets, nil
}

// ask asks the register's interface and reads the answer into v. What comes
// back is the problem in words, "" for none.
func (c Config) ask(r *http.Request, current *snapshot.Catalog, route string, params url.Values, v any) (string, error) {
	a, err := c.API.Get(r.Context(), wire.Path(current.Site, route)+"?"+params.Encode())
	if err != nil {
		return "", err
	}
	if p := a.Problem(); p != nil {
		words := p.Detail
		if words == "" {
			words = p.Title
		}
		for _, e := range p.Errors {
			words += " " + strings.TrimPrefix(e.Location, "query.") + ": " + e.Message
		}
		return words, nil
	}
	return "", json.Unmarshal(a.Body, v)
}

// Asset answers with a file that the service's own pages need, or with the one
// of that name in the snapshot.
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
