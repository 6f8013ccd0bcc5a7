package pages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/templates"
)

// bodiesPage is how many institutions stand on a page of all of them.
const bodiesPage = 200

// bodyRoute begins the pages of all institutions.
const bodyRoute = "/browse/institution"

// allBodies renders the pages of all institutions that have an entry, by country
// and name; those that lie in none come last.
func (b *snapshotView) allBodies(emit func(artifact.File) error) error {
	return each(func(t *locale) error {
		lists := b.bodyLists(t)
		for i := range lists {
			if err := b.bodyPages(t, lists, i, emit); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *snapshotView) bodyLists(t *locale) []bodyList {
	var all []*catalog.Institution
	for id := range b.holdings {
		if catalog.IsID(id) {
			all = append(all, b.c.Institutions[id])
		}
	}
	slices.SortFunc(all, func(x, y *catalog.Institution) int {
		nowhere := func(i *catalog.Institution) int { return min(1, len(t.landOf(i))) }
		return cmp.Or(cmp.Compare(nowhere(y), nowhere(x)), cmp.Compare(t.landOf(x), t.landOf(y)),
			cmp.Compare(strings.ToLower(t.body(x)), strings.ToLower(t.body(y))), cmp.Compare(x.ID, y.ID))
	})
	lists := []bodyList{{bodyRoute, "", all}}
	for _, state := range catalog.InstitutionStates() {
		of := slices.DeleteFunc(slices.Clone(all), func(i *catalog.Institution) bool { return bodyState(i) != state })
		lists = append(lists, bodyList{bodyRoute + "/" + string(state), state, of})
	}
	return lists
}

// bodyList is a list of institutions: of all, or of those of one state.
type bodyList struct {
	base  string
	state catalog.InstitutionState
	list  []*catalog.Institution
}

// key is the text that counts the institutions of the list.
func (s *bodyList) key() string {
	if s.state == "" {
		return "bodies.count"
	}
	return "bodies.count." + string(s.state)
}

func bodyState(i *catalog.Institution) catalog.InstitutionState {
	return cmp.Or(i.State, catalog.InstitutionKnown)
}

// bodyPages renders the pages of the list at the place here.
func (b *snapshotView) bodyPages(t *locale, lists []bodyList, here int, emit func(artifact.File) error) error {
	pages := max(1, (len(lists[here].list)+bodiesPage-1)/bodiesPage)
	for n := pages; n >= 1; n-- {
		body, err := b.bodiesOf(t, lists, here, n, pages)
		if err != nil {
			return err
		}
		if err := emit(page(localRoute(t.code, numbered(lists[here].base, n)), body)); err != nil {
			return err
		}
	}
	return nil
}

// landOf is the name of an institution's country, "" for none.
func (t *locale) landOf(i *catalog.Institution) string {
	if !catalog.CountryShape(i.CountryCode) {
		return ""
	}
	return t.country(i.CountryCode)
}

func (b *snapshotView) bodiesOf(t *locale, lists []bodyList, here, n, pages int) ([]byte, error) {
	s := &lists[here]
	title := t.str("browse.all.institution")
	if s.state != "" {
		title += ": " + t.str("bodies."+string(s.state))
	}
	if n > 1 {
		title += " (" + strconv.Itoa(n) + ")"
	}
	h := Head{Lang: t.code, Section: "browse", Title: title, Route: numbered(s.base, n), Translated: true, Description: t.str("browse.by_description", "name", title)}
	v := templates.Values{Crumbs: []templates.Crumb{{Name: t.T("nav.browse"), Route: localRoute(t.code, "/browse")}, {Name: t.T("facet.institution")}},
		Heading: t.T("browse.all.institution"), Lead: t.str(s.key(), "n", t.number(len(s.list))), Label: t.T("bodies.filter"), Turn: turn(t, s.base, n, pages), Ways: b.ways(t)}
	for i := range lists {
		v.Tabs = append(v.Tabs, templates.Tab{Here: i == here, Tile: templates.Tile{Name: t.T("bodies." + string(cmp.Or(lists[i].state, "all"))),
			Route: lists[i].base, Count: t.number(len(lists[i].list))}})
	}
	first := (n - 1) * bodiesPage
	v.Groups = b.bodiesByLand(t, s.state, s.list[first:min(first+bodiesPage, len(s.list))])
	return b.component(&h, v.Page(b.sites[t.code]))
}

// bodiesByLand groups institutions that are in the order of their countries, with
// the state of each unless all are of one.
func (b *snapshotView) bodiesByLand(t *locale, of catalog.InstitutionState, list []*catalog.Institution) []templates.Group {
	var groups []templates.Group
	for _, i := range list {
		land := cmp.Or(t.landOf(i), t.T("bodies.nowhere"))
		if len(groups) == 0 || groups[len(groups)-1].Heading != land {
			groups = append(groups, templates.Group{Heading: land})
		}
		x := templates.Tile{Route: "/institution/" + i.ID, Name: t.body(i), Outside: true, Count: t.number(len(b.holdings[i.ID]))}
		if of == "" {
			x.Note = t.T("bodies." + string(bodyState(i)))
		}
		g := &groups[len(groups)-1]
		g.Tiles = append(g.Tiles, x)
	}
	return groups
}
