package pages

import (
	"fmt"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/schemaorg"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
	"github.com/assay-register/assay/templates/forms"
	"github.com/assay-register/assay/templates/info"
)

// single is a page that exists once, in every interface language.
type single struct {
	// id names its strings.
	id, route, section string
	hidden             bool
	scripts            []string
	alternates         []Alternate
	page               func(b *snapshotView, t *locale) (templ.Component, error)
}

var singleList = []single{
	{id: "search", route: "/search", section: "search", scripts: []string{"search.js"}, page: emptySearch},
	{id: "compare", route: "/compare", section: "compare", scripts: []string{"compare.js"}, page: emptyCompare,
		alternates: []Alternate{{"application/json", "/openapi.json", "OpenAPI"}}},
	{id: "leaderboard", route: "/leaderboard", section: "leaderboard", page: leaderboardPage,
		alternates: []Alternate{{"application/json", "/api/v1/entries/leaderboard", "JSON"}}},
	{id: "status", route: "/status", section: "status", page: statusPage,
		alternates: []Alternate{{"application/json", wire.RouteStatus, "JSON"}}},
	{id: "methodology", route: "/methodology", page: methodologyPage,
		alternates: []Alternate{{"application/json", wire.RouteMethodology, "JSON"}}},
	{id: "past", route: "/past", hidden: true, page: emptyPast},
	{id: "verify", route: "/verify", page: fixed((&info.Verify{}).Page), scripts: []string{"verify.js"}},
	{id: "accessibility", route: "/accessibility", page: fixed(info.Accessibility)},
	{id: "claim", route: "/claim", page: fixed((&templates.ClaimStart{}).Page)},
	{id: "submit", route: "/submit", page: fixed((&forms.Submit{}).Page)},
	{id: "report", route: "/report", hidden: true, page: fixed((&forms.Report{}).Page)},
	{id: "watch", route: "/watch", hidden: true, page: fixed((&forms.Watch{}).Page)},
	{id: "404", route: wire.RouteLost, hidden: true, page: fixed(info.NotFound)},
	{id: "home", route: "/", section: "home", page: homePage,
		alternates: []Alternate{{"application/atom+xml", "/api/v1/feeds/atom", "Atom"}, {"application/json", "/api/v1/catalog/summary", "JSON"}, {"text/markdown", "/api/v1/okf/index.md", "Markdown"}}},
}

// fixed is a page that shows nothing of the catalog; a form is one that nobody has written
// into, which the service fills.
func fixed(page func(*templates.Site) templ.Component) func(*snapshotView, *locale) (templ.Component, error) {
	return func(b *snapshotView, t *locale) (templ.Component, error) { return page(b.sites[t.code]), nil }
}

// singles renders the pages that exist once; the first page comes last.
func (b *snapshotView) singles(emit func(artifact.File) error) error {
	if err := emit(b.openSearch()); err != nil {
		return err
	}
	for i := range singleList {
		s := &singleList[i]
		for _, lang := range languages {
			body, err := b.single(s, lang)
			if err != nil {
				return fmt.Errorf("page %s in %s: %w", s.route, lang, err)
			}
			if err := emit(page(localRoute(lang, s.route), body)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *snapshotView) single(s *single, lang string) ([]byte, error) {
	t := locales()[lang]
	h := &Head{Lang: lang, Section: s.section, Title: t.str(s.id + ".title"), Description: t.str(s.id+".description", "name", b.site.Name), Route: s.route,
		Translated: true, Hidden: s.hidden, Scripts: s.scripts, Alternates: s.alternates}
	if s.id == "home" {
		h.Title = t.str("home.title")
		var err error
		if h.Data, err = schemaorg.DataCatalog(b.c); err != nil {
			return nil, err
		}
	}
	main, err := s.page(b, t)
	if err != nil {
		return nil, err
	}
	return b.component(h, main)
}

// openSearch lets a browser search the register (OpenSearch 1.1).
func (b *snapshotView) openSearch() artifact.File {
	w := b.writer(nil, b.locale)
	w.raw(`<?xml version="1.0" encoding="UTF-8"?>`, "\n", `<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>`)
	w.clip(b.site.Name, 16)
	w.raw("</ShortName><Description>")
	w.clip(w.locale.str("home.lead"), 1024)
	w.raw(`</Description><InputEncoding>UTF-8</InputEncoding><Image width="16" height="16" type="image/svg+xml">`)
	w.text(w.absolute(assetRoute("mark.svg")))
	w.raw(`</Image><Url type="text/html" method="get" template="`)
	w.text(w.absolute("/search?q="))
	w.raw(`{searchTerms}"/></OpenSearchDescription>`)
	return artifact.File{Route: "/opensearch.xml", Type: "application/xml; charset=utf-8", Class: Class, Body: w.b}
}

// bestShown is how many of the best entries the leaderboard shows.
const bestShown = 10

func leaderboardPage(b *snapshotView, t *locale) (templ.Component, error) {
	l := wire.NewLeaderboard(b.c)
	page := templates.Leaderboard{Rule: l.Rule}
	checked, _ := b.answered(t)
	add := func(to *[]templates.Ranked, g *wire.GroupScore, name, route string) {
		verified := percent(g.Verified, g.Entries)
		if checked == "" {
			verified = "–"
		}
		*to = append(*to, templates.Ranked{Rank: g.Rank, Name: name, Route: route, Entries: t.number(g.Entries), Mean: formatFloat(g.Mean, 1), Adjusted: formatFloat(g.Adjusted, 1),
			Confidence: formatFloat(g.Confidence*100, 0), Verified: verified})
	}
	for i := range l.Institutions {
		route := ""
		if b.holdings[l.Institutions[i].Key] != nil && catalog.IsID(l.Institutions[i].Key) {
			route = "/institution/" + l.Institutions[i].Key
		}
		add(&page.Institutions, &l.Institutions[i], l.Institutions[i].Name, route)
	}
	for i := range l.Countries {
		if catalog.CountryShape(l.Countries[i].Key) {
			add(&page.Countries, &l.Countries[i], t.country(l.Countries[i].Key), "/country/"+l.Countries[i].Key)
		}
	}
	for _, e := range l.Entries {
		// What fails at the moment is no example.
		if i := b.c.ByID(e.ID); i >= 0 && b.c.Lines[i].State != catalog.StateFailing && len(page.Best) < bestShown {
			page.Best = append(page.Best, b.row(t, &b.c.Lines[i]))
		}
	}
	return page.Page(b.sites[t.code]), nil
}
