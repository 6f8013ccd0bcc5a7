package pages

import (
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates"
)

// each calls a function with every language of the interface.
func each(do func(*locale) error) error {
	for _, code := range languages {
		if err := do(locales()[code]); err != nil {
			return err
		}
	}
	return nil
}

// browse renders the lists of all entries, of each value of each facet, and of
// the values.
func (b *snapshotView) browse(emit func(artifact.File) error) error {
	for _, s := range b.facets {
		for _, l := range s.list {
			if s.id == "country" || s.id == "institution" {
				continue
			}
			if err := b.listPages(l, emit); err != nil {
				return err
			}
		}
		if s.id == "institution" {
			continue
		}
		if err := each(func(t *locale) error { return b.values(t, s, emit) }); err != nil {
			return err
		}
	}
	if err := b.allBodies(emit); err != nil {
		return err
	}
	all := &list{base: "/browse", key: "browse.heading", ordinals: b.c.Collapse(b.c.Order), all: b.c.Order, total: len(b.c.Order)}
	return b.listPages(all, emit)
}

// listPages emits all pages of a list in every language, which are made when they are wanted.
func (b *snapshotView) listPages(l *list, emit func(artifact.File) error) error {
	if err := b.card(l, emit); err != nil {
		return err
	}
	counts := b.counter().Facets(l.all)
	for n := l.pages(); n >= 1; n-- {
		basis := b.basis(l, n, &counts)
		err := each(func(t *locale) error {
			f := page(localRoute(t.code, l.route(n)), nil)
			f.Page, f.Basis, f.Pooled = l.route(n), basis, true
			f.Make = func() ([]byte, error) { return b.listPage(t, l, n, &counts) }
			return emit(f)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// listPage is page n of a list. The first one counts the values of its entries; the others
// do not, so that a change of one entry leaves them alone where they do not show it.
func (b *snapshotView) listPage(t *locale, l *list, n int, counts *snapshot.Facets) ([]byte, error) {
	name, lang, outside := b.nameOf(t, l)
	title := name
	if n > 1 {
		title += " (" + strconv.Itoa(n) + ")"
	}
	h := Head{Lang: t.code, Section: "results", Title: title, Route: l.route(n), Translated: true, Scripts: []string{"search.js"},
		Description: t.str("browse.description", "name", name, "n", t.number(l.total))}
	if l.pictured() {
		h.Cards = []string{cardRoute(l.facet, l.value)}
	}
	if l.facet == "institution" && n == 1 {
		var err error
		if h.Data, err = b.organization(b.c.Institutions[l.value]); err != nil {
			return nil, err
		}
	}
	asked := l.asked()
	r := templates.Results{Crumbs: b.crumbsOf(t, l, name, outside), Heading: name, Lang: lang, Outside: outside, Label: t.T("search.among"), Asked: true,
		Count: t.counted("browse.count", l.total), Order: t.T("browse.order"), Sorts: sorts(t, asked), Hidden: hidden(asked),
		Chosen: b.choices(t, asked), Facets: b.searchFacets(t, counts, asked), Turn: turn(t, l.base, n, l.pages())}
	if l.facet == "" {
		r.Label = t.T("search.label")
	}
	if l.facet == "series" {
		r.Count, r.Order = t.str("series.members", "n", t.number(l.total)), ""
		r.Sorts[0].Value = string(snapshot.SortRanking)
		r.Sorts = slices.Insert(r.Sorts, 0, templates.Choice{Name: t.T("sort.period"), Checked: true})
	}
	if n == 1 {
		r.About = b.aboutOf(t, l)
	} else {
		uncount(r.Facets)
	}
	var err error
	if r.Rows, err = b.rowsOf(t, l.on(n), l.facet != "series"); err != nil {
		return nil, err
	}
	if l.total > pageSize*pagesMax && n == l.pages() {
		r.Bound = t.str("browse.bound", "n", t.number(pageSize*pagesMax))
	}
	return b.page(artifact.Buffer(listRoom), &h, r.Page(b.sites[t.code]))
}

// crumbsOf is the way to a list.
func (b *snapshotView) crumbsOf(t *locale, l *list, name string, outside bool) []templates.Crumb {
	crumb := func(key, route string) templates.Crumb {
		return templates.Crumb{Name: t.T(key), Route: localRoute(t.code, route)}
	}
	switch l.facet {
	case "":
		return []templates.Crumb{{Name: t.T("nav.browse")}}
	case "series":
		return []templates.Crumb{crumb("nav.browse", "/browse"), crumb("type.DATASET", typeRoutes[catalog.TypeDataset]), {Name: name, Outside: true}}
	}
	return []templates.Crumb{crumb("nav.browse", "/browse"), crumb("facet."+l.facet, "/browse/"+l.facet), {Name: name, Outside: outside}}
}

// aboutOf is what stands above a list, nil for nothing.
func (b *snapshotView) aboutOf(t *locale, l *list) templ.Component {
	s := b.sites[t.code]
	switch l.facet {
	case "institution":
		x := b.institution(t, b.c.Institutions[l.value])
		x.Pictures = b.composition(t, b.holdings[l.value], b.c.Institutions[l.value].Key)
		if m := b.months(t, b.c.Institutions[l.value]); m != nil {
			x.Reliability = m.Figure(s)
		}
		return x.About(s)
	case "series":
		return b.seriesNote(t, b.c.SeriesByID(l.value)).About(s)
	case "country":
		x := templates.Standing{Figures: b.standing(t, b.lands[l.value]), Publishers: b.largest(t, b.lands[l.value]), Pictures: b.composition(t, b.lands[l.value], l.value)}
		return x.About(s)
	}
	return nil
}

// tile leads to a list.
func (b *snapshotView) tile(t *locale, l *list) templates.Tile {
	x := templates.Tile{Route: l.base, Count: t.number(l.total)}
	x.Name, x.Lang, x.Outside = b.nameOf(t, l)
	return x
}

// ways are the facets by which the register can be browsed.
func (b *snapshotView) ways(t *locale) []templates.Tile {
	var out []templates.Tile
	for _, f := range facets {
		out = append(out, templates.Tile{Name: t.T("browse.by." + f.id), Route: "/browse/" + f.id})
	}
	return out
}

// values renders the page that lists every value of a facet.
func (b *snapshotView) values(t *locale, s *facet, emit func(artifact.File) error) error {
	title := t.str("browse.by." + s.id)
	h := Head{Lang: t.code, Section: "browse", Title: title, Route: "/browse/" + s.id, Translated: true, Description: t.str("browse.by_description", "name", title)}
	v := templates.Values{Crumbs: []templates.Crumb{{Name: t.T("nav.browse"), Route: localRoute(t.code, "/browse")}, {Name: t.T("facet." + s.id)}}, Heading: title, Ways: b.ways(t)}
	var g templates.Group
	for _, l := range s.list {
		g.Tiles = append(g.Tiles, b.tile(t, l))
	}
	v.Groups = []templates.Group{g}
	body, err := b.component(&h, v.Page(b.sites[t.code]))
	if err != nil {
		return err
	}
	return emit(page(localRoute(t.code, h.Route), body))
}
