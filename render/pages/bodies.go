package pages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
)

// bodiesPage is how many institutions stand on a page of all of them.
const bodiesPage = 200

// bodyRoute begins the pages of all institutions.
const bodyRoute = "/browse/institution"

// allBodies renders the pages of all institutions that have an entry, by country
// and name; those that lie in none come last.
func (b *snapshotView) allBodies(emit func(artifact.File) error) error {
	var all []*catalog.Institution
	for id := range b.holdings {
		if catalog.IsID(id) {
			all = append(all, b.c.Institutions[id])
		}
	}
	slices.SortFunc(all, func(x, y *catalog.Institution) int {
		nowhere := func(i *catalog.Institution) int { return min(1, len(b.locale.landOf(i))) }
		return cmp.Or(cmp.Compare(nowhere(y), nowhere(x)), cmp.Compare(b.locale.landOf(x), b.locale.landOf(y)),
			cmp.Compare(strings.ToLower(institutionName(x)), strings.ToLower(institutionName(y))), cmp.Compare(x.ID, y.ID))
	})
	lists := []bodyList{{bodyRoute, "", all}}
	for _, state := range catalog.InstitutionStates() {
		of := slices.DeleteFunc(slices.Clone(all), func(i *catalog.Institution) bool { return bodyState(i) != state })
		lists = append(lists, bodyList{bodyRoute + "/" + string(state), state, of})
	}
	for i := range lists {
		if err := b.bodyPages(lists, i, emit); err != nil {
			return err
		}
	}
	return nil
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
func (b *snapshotView) bodyPages(lists []bodyList, here int, emit func(artifact.File) error) error {
	pages := max(1, (len(lists[here].list)+bodiesPage-1)/bodiesPage)
	for n := pages; n >= 1; n-- {
		body, err := b.bodiesOf(lists, here, n, pages)
		if err != nil {
			return err
		}
		if err := emit(page(numbered(lists[here].base, n), body)); err != nil {
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

// numbered is the route of page n of what begins at base.
func numbered(base string, n int) string {
	if n == 1 {
		return base
	}
	return base + "/" + strconv.Itoa(n)
}

func (b *snapshotView) bodiesOf(lists []bodyList, here, n, pages int) ([]byte, error) {
	s := &lists[here]
	title := b.locale.str("browse.all.institution")
	if s.state != "" {
		title += ": " + b.locale.str("bodies."+string(s.state))
	}
	if n > 1 {
		title += " (" + strconv.Itoa(n) + ")"
	}
	h := Head{Section: "browse", Title: title, Route: numbered(s.base, n), Description: b.locale.str("browse.by_description", "name", title)}
	return b.document(artifact.Buffer(listRoom), &h, func(w *writer) {
		w.raw(`<div class="wrap">`)
		w.crumbs(crumb{key: "nav.browse", route: "/browse"}, crumb{key: "facet.institution"})
		w.raw(`<div class="head"><h1>`)
		w.t("browse.all.institution")
		w.raw("</h1><p>")
		w.text(w.locale.str(s.key(), "n", w.locale.number(len(s.list))))
		w.raw("</p>")
		w.bodyStates(lists, here)
		w.raw(`</div><div class="split">`)
		w.raw(b.wayside)
		w.raw("<div>")
		first := (n - 1) * bodiesPage
		w.bodiesByLand(b, s.state, s.list[first:min(first+bodiesPage, len(s.list))])
		w.turn(s.base, n, pages)
		w.raw("</div></div></div>")
	})
}

// bodyStates leads to the lists by state; the one at the place here is shown.
func (w *writer) bodyStates(lists []bodyList, here int) {
	w.raw(`<nav aria-label="`)
	w.t("bodies.filter")
	w.raw(`"><ul class="chips part">`)
	for i := range lists {
		w.raw(`<li><a class="chip"`)
		if i == here {
			w.raw(` aria-current="page"`)
		}
		w.route("href", lists[i].base)
		w.raw(">")
		w.t("bodies." + string(cmp.Or(lists[i].state, "all")))
		w.raw(` <span class="count">`)
		w.int(len(lists[i].list))
		w.raw("</span></a></li>")
	}
	w.raw("</ul></nav>")
}

// bodiesByLand writes institutions that are in the order of their countries, with
// the state of each unless all are of one.
func (w *writer) bodiesByLand(b *snapshotView, of catalog.InstitutionState, list []*catalog.Institution) {
	for i, body := range list {
		if land := b.locale.landOf(body); i == 0 || land != b.locale.landOf(list[i-1]) {
			if i > 0 {
				w.raw("</ul></section>")
			}
			w.raw(`<section class="facet"><h2>`)
			if land == "" {
				w.t("bodies.nowhere")
			} else {
				w.outside(land)
			}
			w.raw("</h2><ul>")
		}
		w.raw("<li><span><a")
		w.route("href", "/institution/", body.ID)
		w.raw(">")
		w.outside(clip(institutionName(body), 140))
		w.raw("</a>")
		if of == "" {
			w.raw(` <span class="soft small">`)
			w.t("bodies." + string(bodyState(body)))
			w.raw("</span>")
		}
		w.raw(`</span><span class="count">`)
		w.int(len(b.holdings[body.ID]))
		w.raw("</span></li>")
	}
	if len(list) > 0 {
		w.raw("</ul></section>")
	}
}
