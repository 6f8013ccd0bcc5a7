package pages

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
)

// Found is what the service found for a reader's question.
type Found struct {
	// Items are the entries of the page, best first.
	Items []wire.Item
	// Marked are the pieces of their descriptions that answer the question, as HTML in which
	// that is marked; "" for none.
	Marked []string
	// Abouts are their descriptions in the reader's language where their items have none in it
	// (DescriptionIn); nil or "" for none.
	Abouts                  []string
	Total, Page, TotalPages int
	// Instead is what the reader may have meant, "" for nothing.
	Instead string
	// Less is how many results fit much less well and were left out.
	Less int
	// Some tells that few or none have all the words, and others follow that have most of them.
	Some bool
	// Problem says why there is no answer, "" when there is one.
	Problem string
	// Facets count the values of all that was found, nil where nothing was asked for.
	Facets *snapshot.Facets
}

// Search renders the search page with the results of a question.
func (p *Pages) Search(c *snapshot.Catalog, lang string, asked url.Values, found *Found) ([]byte, error) {
	b, t := p.bookOf(c), locales()[lang]
	q := asked.Get("q")
	r := templates.Results{Heading: t.str("search.heading"), Label: t.T("search.label"), Query: q, Sorts: sorts(t, asked), Hidden: hidden(asked), Chosen: b.choices(t, asked),
		Starts: asked.Get("period_start"), Ends: asked.Get("period_end"), Problem: found.Problem, Asked: true}
	if found.Problem == "" {
		r.Count = t.counted("search.found", found.Total)
	}
	if by := asked.Get("sort_by"); by == string(snapshot.SortRanking) || q == "" && (by == "" || by == wire.SortRelevance) {
		r.Order = t.T("browse.order")
	}
	counts := &b.counts
	if found.Facets != nil {
		counts = found.Facets
	}
	r.Facets = b.searchFacets(t, counts, asked)
	if len(r.Chosen) > 1 || len(r.Chosen) == 1 && q != "" {
		r.Clear = searchRoute(t, without(url.Values{"q": {q}}, ""))
	}
	for i := range found.Items {
		row := b.rowOfItem(t, &found.Items[i])
		if i < len(found.Marked) {
			row.Marked = found.Marked[i]
		}
		if i < len(found.Abouts) && found.Abouts[i] != "" {
			row.About, row.AboutLang = found.Abouts[i], t.code
		}
		if asked.Get("series") == "" {
			b.inSeries(&row, t, b.seriesOf(found.Items[i].ID))
		}
		r.Rows = append(r.Rows, row)
	}
	r.Turn = turnOf(t, asked, found)
	if found.Instead != "" {
		r.Instead = &templates.Chosen{Name: found.Instead, Route: searchRoute(t, url.Values{"q": {found.Instead}})}
	}
	r.Some = found.Some
	if found.Less > 0 {
		more := without(asked, "page")
		more.Set(wire.LessRelevant, "true")
		r.Less = &templates.Chosen{Name: t.counted("search.less", found.Less), Route: searchRoute(t, more)}
	}
	return b.component(searchHead(t, q), r.Page(b.sites[lang]))
}

// searchHead is what the search page says about itself.
func searchHead(t *locale, q string) *Head {
	title := t.str("search.title")
	if q != "" {
		title = q + " · " + title
	}
	return &Head{Lang: t.code, Section: "search", Title: title, Description: t.str("search.description"), Route: "/search", Translated: true, Hidden: q != "",
		Scripts: []string{"search.js"}}
}

// turnOf leads to the pages beside the one that was found.
func turnOf(t *locale, asked url.Values, found *Found) templates.Turn {
	x := templates.Turn{Page: found.Page, Pages: found.TotalPages}
	to := func(n int) string {
		q := without(asked, "page")
		if n > 1 {
			q.Set("page", strconv.Itoa(n))
		}
		return searchRoute(t, q)
	}
	if found.Page > 1 {
		x.Prev = to(found.Page - 1)
	}
	if found.Page < found.TotalPages {
		x.Next = to(found.Page + 1)
	}
	return x
}

// without is a question without one of its parameters, and without those by which values of
// filters were looked for.
func without(asked url.Values, param string) url.Values {
	q := url.Values{}
	for k, v := range asked {
		if text := strings.Join(v, ","); k != param && text != "" && !strings.HasPrefix(k, FindPrefix) {
			q.Set(k, text)
		}
	}
	return q
}

// emptySearch is the search page before anything is asked for.
func emptySearch(b *snapshotView, t *locale) (templ.Component, error) {
	r := templates.Results{Heading: t.str("search.heading"), Label: t.T("search.label"), Sorts: sorts(t, nil), Facets: b.searchFacets(t, &b.counts, nil)}
	return r.Page(b.sites[t.code]), nil
}

// BodiesNamed are the ids of the institutions whose name, in any language, has a text in it.
func (p *Pages) BodiesNamed(c *snapshot.Catalog, text string) []string {
	return p.bookOf(c).bodiesNamed(text)
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func allNull(values []any) bool {
	return !slices.ContainsFunc(values, func(v any) bool { return cellText(v) != "" })
}

// cellText is a JSON value as a reader wants it.
func cellText(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case bool:
		return strconv.FormatBool(x)
	case float64:
		return formatFloat(x, -1)
	case []any:
		parts := make([]string, len(x))
		for i := range x {
			parts[i] = cellText(x[i])
		}
		return strings.Join(parts, ", ")
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// Local is the route of a translated page in a language.
func Local(lang, route string) string { return localRoute(lang, route) }
