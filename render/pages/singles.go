package pages

import (
	"fmt"
	"strings"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/schemaorg"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
)

// single is a page that exists once, in every interface language if
// translated.
type single struct {
	// id names its strings and, with ".html", its template.
	id, route, section string
	translated         bool
	hidden             bool
	scripts            []string
	alternates         []Alternate
	data               func(b *snapshotView, t *locale) (any, error)
	// page makes the component of the page; a page without one is a template.
	page func(b *snapshotView, t *locale) (templ.Component, error)
}

// singleList is the list of pages; a test fails if a template is in none.
var singleList = []single{
	{id: "search", route: "/search", section: "search", translated: true, scripts: []string{"search.js"}, page: emptySearch},
	{id: "compare", route: "/compare", section: "compare", translated: true, scripts: []string{"compare.js"}, page: emptyCompare,
		alternates: []Alternate{{"application/json", "/openapi.json", "OpenAPI"}}},
	{id: "leaderboard", route: "/leaderboard", section: "leaderboard", translated: true, page: leaderboardPage,
		alternates: []Alternate{{"application/json", "/api/v1/entries/leaderboard", "JSON"}}},
	{id: "status", route: "/status", section: "status", translated: true, data: statusData,
		alternates: []Alternate{{"application/json", wire.RouteStatus, "JSON"}}},
	{id: "methodology", route: "/methodology", translated: true, data: methodologyData,
		alternates: []Alternate{{"application/json", wire.RouteMethodology, "JSON"}}},
	{id: "verify", route: "/verify", translated: true, data: none, scripts: []string{"verify.js"}},
	{id: "accessibility", route: "/accessibility", translated: true, data: none},
	{id: "submit", route: "/submit", data: emptySheet},
	{id: "report", route: "/report", hidden: true, data: emptySheet},
	{id: "watch", route: "/watch", hidden: true, data: emptySheet},
	{id: "404", route: "/404.html", hidden: true, data: none},
	{id: "home", route: "/", section: "home", translated: true, page: homePage,
		alternates: []Alternate{{"application/atom+xml", "/api/v1/feeds/atom", "Atom"}, {"application/json", "/api/v1/catalog/summary", "JSON"}, {"text/markdown", "/api/v1/okf/index.md", "Markdown"}}},
}

func none(*snapshotView, *locale) (any, error) { return map[string]any{}, nil }

// emptySheet is a form that nobody has written into; the service fills it.
func emptySheet(*snapshotView, *locale) (any, error) {
	return map[string]any{"Values": map[string]string{}, "Problem": nil}, nil
}

// singles renders the pages that exist once; the first page comes last.
func (b *snapshotView) singles(emit func(artifact.File) error) error {
	if err := emit(b.openSearch()); err != nil {
		return err
	}
	for i := range singleList {
		s := &singleList[i]
		for _, lang := range languages {
			if lang != languages[0] && !s.translated {
				continue
			}
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
		Translated: s.translated, Hidden: s.hidden, Scripts: s.scripts, Alternates: s.alternates}
	if s.id == "home" {
		h.Title = t.str("home.title")
		var err error
		if h.Data, err = schemaorg.DataCatalog(b.c); err != nil {
			return nil, err
		}
	}
	if s.page != nil {
		main, err := s.page(b, t)
		if err != nil {
			return nil, err
		}
		return b.component(h, main)
	}
	data, err := s.data(b, t)
	if err != nil {
		return nil, err
	}
	return b.templated(h, s.id+".html", data)
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

type statusPage struct {
	wire.RegisterStatus
	AsOfText   string
	Within     string
	Age        string
	FalseRate  string
	Traced     string
	ChangesDay string
	Sources    []statusSource
	SourcesAll int
}

type statusSource struct {
	Name, Route, State, Began string
}

// statusSources is how many sources the status page names.
const statusSources = 50

func statusData(b *snapshotView, t *locale) (any, error) {
	s := statusPage{RegisterStatus: wire.NewStatus(b.c), AsOfText: b.c.AsOf.Format("2006-01-02 15:04"), SourcesAll: len(b.c.Harvested)}
	f := &s.Figures
	s.Within, s.Age, s.FalseRate, s.Traced, s.ChangesDay = figure(f.WithinCadence), figure(f.MedianAge), figure(f.FalseRate), figure(f.Traced), figure(f.ChangesADay)
	s.Hosts.Down, s.Hosts.Slow = s.Hosts.Down[:min(25, len(s.Hosts.Down))], s.Hosts.Slow[:min(25, len(s.Hosts.Slow))]
	for i := range b.c.Harvested[:min(statusSources, len(b.c.Harvested))] {
		h := &b.c.Harvested[i]
		row := statusSource{Name: sourceName(&h.Source), Route: "/source/" + h.Source.ID}
		if len(h.Runs) > 0 {
			row.State, row.Began = string(h.Runs[0].State), h.Runs[0].StartedAt.UTC().Format("2006-01-02 15:04")
		}
		s.Sources = append(s.Sources, row)
	}
	return s, nil
}

// figure is a number, "" for an unknown one.
func figure(v *float64) string {
	if v == nil {
		return ""
	}
	return formatFloat(*v, -1)
}

type methodPage struct {
	wire.Methodology
	Languages int
	// Keys sign the log of verdicts, the newest last.
	Keys []logKey
}

// logKey is a public key, and its form in DNS.
type logKey struct{ Key, DNS string }

func methodologyData(b *snapshotView, _ *locale) (any, error) {
	p := methodPage{Methodology: wire.NewMethodology()}
	for k := range strings.Lines(b.c.Site.LogKeys) {
		k = strings.TrimSpace(k)
		p.Keys = append(p.Keys, logKey{k, translog.DNS(k)})
	}
	return p, nil
}
