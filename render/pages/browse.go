package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translit"
)

// Bounds of the lists: a list has at most pagesMax pages of pageSize entries,
// the best by ranking; the search and the API reach all. A facet has pages for
// its most frequent values, at most snapshot.FacetMax.
const (
	pageSize = 50
	pagesMax = 10
	// listRoom is about what a page of a list takes, in bytes.
	listRoom = 64 << 10
	// sideShown is how many values of a facet stand beside a list.
	sideShown = 6
)

// list is a selection of entries with a page of its own, and more if it is
// long.
type list struct {
	facet, value string
	base         string
	// key or name is its heading: a string of the interface or text.
	key, name string
	ordinals  []int32
	total     int
	// shown are the series that the list has an entry of.
	shown map[*snapshot.Series]bool
}

// counted is the text that says how many entries the list has, in which order.
func (l *list) counted() string {
	if l.facet == "series" {
		return "series.members"
	}
	return "browse.count"
}

// opens tells whether an entry of a series, nil for none, is the first one of it
// in the list: the others are a link away.
func (l *list) opens(s *snapshot.Series) bool {
	if s == nil {
		return true
	}
	if l.shown[s] {
		return false
	}
	if l.shown == nil {
		l.shown = map[*snapshot.Series]bool{}
	}
	l.shown[s] = true
	return true
}

func (l *list) pages() int { return min(pagesMax, max(1, (len(l.ordinals)+pageSize-1)/pageSize)) }

// route is where page n of the list lies, counted from one.
func (l *list) route(n int) string { return numbered(l.base, n) }

// facet is a way to browse the register: its lists, one for each value.
type facet struct {
	id   string
	list []*list
}

// facets are the ways to browse, in their order on the page.
var facets = []struct {
	id     string
	family string
	counts func(*snapshot.Facets) []snapshot.Count
	values func(*snapshot.Line) []string
}{
	{"type", "type", func(f *snapshot.Facets) []snapshot.Count { return allTypes(f.Type) }, func(l *snapshot.Line) []string { return []string{string(l.Type)} }},
	{"theme", "theme", func(f *snapshot.Facets) []snapshot.Count { return namedThemes(f.Theme) }, func(l *snapshot.Line) []string { return l.Themes }},
	{"state", "state", func(f *snapshot.Facets) []snapshot.Count { return f.State }, func(l *snapshot.Line) []string { return []string{string(l.State)} }},
	{"country", "", func(f *snapshot.Facets) []snapshot.Count { return f.CountryCode }, nil},
	{"tier", "tier", func(f *snapshot.Facets) []snapshot.Count { return f.Tier }, func(l *snapshot.Line) []string { return []string{string(l.Tier)} }},
	{"access", "access", func(f *snapshot.Facets) []snapshot.Count { return f.FreeAccessClass }, func(l *snapshot.Line) []string { return []string{string(l.FreeAccess)} }},
	{"institution", "", func(f *snapshot.Facets) []snapshot.Count { return f.InstitutionID }, nil},
	{"format", "", func(f *snapshot.Facets) []snapshot.Count { return f.Format }, func(l *snapshot.Line) []string { return l.Formats }},
	{"licence", "", func(f *snapshot.Facets) []snapshot.Count { return f.License }, func(l *snapshot.Line) []string { return []string{l.LicenseID} }},
	{"language", "", func(f *snapshot.Facets) []snapshot.Count { return f.Lang }, func(l *snapshot.Line) []string { return []string{l.Lang} }},
	{"tag", "", func(f *snapshot.Facets) []snapshot.Count { return f.Tags }, func(l *snapshot.Line) []string { return l.Tags }},
}

// allTypes adds the types that no listed entry has: the page of an entry that is
// not listed leads to the list of its type, too.
func allTypes(counts []snapshot.Count) []snapshot.Count {
	for _, t := range catalog.EntryTypes() {
		if !slices.ContainsFunc(counts, func(c snapshot.Count) bool { return c.Value == string(t) }) {
			counts = append(slices.Clip(counts), snapshot.Count{Value: string(t)})
		}
	}
	return counts
}

// namedThemes are the themes that have a name; a source may state others.
func namedThemes(counts []snapshot.Count) []snapshot.Count {
	return slices.DeleteFunc(slices.Clone(counts), func(c snapshot.Count) bool {
		return locales()[languages[0]].word("theme", c.Value) == c.Value
	})
}

// sortIntoLists sorts the entries into the lists.
func (b *snapshotView) sortIntoLists() {
	b.counts = b.c.Facets(b.c.Order)
	b.lists = map[string]map[string]*list{}
	for _, f := range facets {
		s := &facet{id: f.id}
		named := map[string]*list{}
		for _, n := range f.counts(&b.counts) {
			l := b.newList(f.id, f.family, n)
			if l == nil {
				continue
			}
			s.list = append(s.list, l)
			named[n.Value] = l
		}
		b.facets, b.lists[f.id] = append(b.facets, s), named
		if f.values == nil {
			continue
		}
		for _, i := range b.c.Order {
			for _, v := range f.values(&b.c.Lines[i]) {
				if l := named[v]; l != nil && len(l.ordinals) < pageSize*pagesMax && l.opens(b.c.SeriesOf(int(i))) {
					l.ordinals = append(l.ordinals, i)
				}
			}
		}
	}
}

// newList prepares the list of a value; nil if it has no page.
func (b *snapshotView) newList(facet, family string, n snapshot.Count) *list {
	l := &list{facet: facet, value: n.Value, total: n.Count, base: "/browse/" + facet + "/" + segment(n.Value), name: n.Value}
	switch facet {
	case "country":
		if !catalog.CountryShape(n.Value) {
			return nil
		}
		l = b.countryList(n.Value)
	case "institution":
		if b.c.Institutions[n.Value] == nil || !catalog.IsID(n.Value) {
			return nil
		}
		l = b.institutionList(n.Value)
	case "licence":
		if x := b.c.Licences[n.Value]; x != nil && x.Title != "" {
			l.name = x.Title
		}
	case "language":
		l.name = b.locale.languageOf(n.Value)
	}
	if family != "" {
		l.key = family + "." + n.Value
	}
	return l
}

// segment writes a value as one segment of a route that every disk and every
// server takes: its transliteration, and a hash where that is not the value
// itself.
func segment(value string) string {
	s := translit.Slug(value, "", 60)
	if plain := strings.ReplaceAll(strings.ToLower(value), "_", "-"); s == plain && s != "" && !digits(s) {
		return s
	}
	sum := sha256.Sum256([]byte(value))
	return strings.TrimPrefix(s+"-"+hex.EncodeToString(sum[:4]), "-")
}

// digits tells that a segment looks like the number of a page.
func digits(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

func escapeQuery(s string) string { return url.QueryEscape(s) }

// label writes the name of a list.
func (w *writer) label(l *list) {
	if l.key != "" {
		w.t(l.key)
		return
	}
	w.outside(clip(l.name, 60))
}

// side are the facets beside a list.
func (b *snapshotView) side() markup {
	w := b.writer(nil, b.locale)
	w.raw(`<nav class="side" id="facets" aria-label="`)
	w.t("browse.facets")
	w.raw(`">`)
	for n, s := range b.facets {
		if len(s.list) == 0 {
			continue
		}
		w.raw(`<details class="facet"`)
		if n < 4 {
			w.raw(" open")
		}
		w.raw("><summary>")
		w.t("facet." + s.id)
		w.raw("</summary><ul>")
		for _, l := range s.list[:min(sideShown, len(s.list))] {
			w.facetLink(l)
		}
		w.raw("</ul>")
		if len(s.list) > sideShown {
			w.raw(`<p><a class="small"`)
			w.route("href", "/browse/", s.id)
			w.raw(">")
			w.t("browse.all." + s.id)
			w.raw("</a></p>")
		}
		w.raw("</details>")
	}
	w.raw("</nav>")
	return markup(w.b)
}

// ways are the facets beside a list of one value. They have no counts, so that
// a change of one entry leaves the lists alone that do not show it.
func (b *snapshotView) ways() markup {
	w := b.writer(nil, b.locale)
	w.raw(`<nav class="side" id="facets" aria-label="`)
	w.t("browse.facets")
	w.raw(`"><div class="facet"><ul>`)
	for _, f := range facets {
		w.raw("<li><a")
		w.route("href", "/browse/", f.id)
		w.raw(">")
		w.t("browse.by." + f.id)
		w.raw("</a></li>")
	}
	w.raw("</ul></div></nav>")
	return markup(w.b)
}

func (w *writer) facetLink(l *list) {
	w.raw("<li><a")
	w.route("href", l.base)
	w.raw(">")
	w.label(l)
	w.raw(`</a><span class="count">`)
	w.int(l.total)
	w.raw("</span></li>")
}

// browse renders the lists of all entries, of each value of each facet, and of
// the values.
func (b *snapshotView) browse(emit func(artifact.File) error) error {
	for _, s := range b.facets {
		for _, l := range s.list {
			if s.id == "country" || s.id == "institution" {
				continue
			}
			if err := b.listPages(l, emit, nil); err != nil {
				return err
			}
		}
		if s.id == "institution" {
			continue
		}
		if err := b.values(s, emit); err != nil {
			return err
		}
	}
	if err := b.allBodies(emit); err != nil {
		return err
	}
	all := &list{base: "/browse", key: "browse.heading", ordinals: b.c.Collapse(b.c.Order), total: len(b.c.Order)}
	return b.listPages(all, emit, nil)
}

// listPages renders all pages of a list; about writes what stands between the
// heading and the rows of the first one.
func (b *snapshotView) listPages(l *list, emit func(artifact.File) error, about func(*writer)) error {
	for n := l.pages(); n >= 1; n-- {
		body, err := b.listPage(l, n, about)
		if err != nil {
			return err
		}
		if err := emit(page(l.route(n), body)); err != nil {
			return err
		}
	}
	return nil
}

func (b *snapshotView) listPage(l *list, n int, about func(*writer)) ([]byte, error) {
	name := l.name
	if l.key != "" {
		name = b.locale.str(l.key)
	}
	title := name
	if n > 1 {
		title += " (" + strconv.Itoa(n) + ")"
	}
	h := Head{Section: "browse", Title: title, Route: l.route(n), Description: b.locale.str("browse.description", "name", name, "n", b.locale.number(l.total))}
	if l.facet == "institution" && n == 1 {
		var err error
		if h.Data, err = b.organization(b.c.Institutions[l.value]); err != nil {
			return nil, err
		}
	}
	return b.document(artifact.Buffer(listRoom), &h, func(w *writer) {
		w.raw(`<div class="wrap">`)
		switch l.facet {
		case "":
			w.crumbs(crumb{key: "nav.browse"})
		case "series":
			w.crumbs(crumb{key: "nav.browse", route: "/browse"}, crumb{key: "type.DATASET", route: typeRoutes[catalog.TypeDataset]}, crumb{name: l.name})
		default:
			w.crumbs(crumb{key: "nav.browse", route: "/browse"}, crumb{key: "facet." + l.facet, route: "/browse/" + l.facet}, crumb{key: l.key, name: l.name})
		}
		w.raw(`<div class="head"><h1>`)
		w.label(l)
		w.raw("</h1><p>")
		w.text(w.locale.str(l.counted(), "n", w.locale.number(l.total)))
		w.raw("</p>")
		w.narrow(l)
		w.raw("</div>")
		if about != nil && n == 1 {
			about(w)
		}
		w.raw(`<a class="to-side" href="#facets">`)
		w.t("browse.facets")
		w.raw(`</a><div class="split">`)
		if l.facet == "" {
			w.raw(b.sidebar)
		} else {
			w.raw(b.wayside)
		}
		w.raw("<div>")
		b.listed(w, l, n)
		w.raw("</div></div></div>")
	})
}

// narrow leads to the search among the entries of a list, where filters combine.
func (w *writer) narrow(l *list) {
	param := l.facet
	for _, p := range searchParams {
		if p.facet == l.facet {
			param = p.param
		}
	}
	route := "/search"
	switch {
	case l.facet == "tag":
		route += "?tags=" + escapeQuery(l.value)
	case l.facet == "series" || l.facet == "":
		return
	default:
		route += "?" + param + "=" + escapeQuery(l.value)
	}
	w.raw(`<p><a class="btn" rel="nofollow"`)
	w.route("href", route)
	w.raw(">")
	w.t("browse.narrow")
	w.raw("</a></p>")
}

// listed writes the entries on page n of a list.
func (b *snapshotView) listed(w *writer, l *list, n int) {
	if len(l.ordinals) == 0 {
		w.raw(`<p class="note">`)
		w.t("browse.none")
		w.raw("</p>")
		return
	}
	w.raw(`<h2 class="hide">`)
	w.t("browse.entries")
	w.raw(`</h2><ul class="rows">`)
	first := (n - 1) * pageSize
	for _, o := range l.ordinals[first:min(first+pageSize, len(l.ordinals))] {
		r := b.rowOf(&b.c.Lines[o])
		if l.facet != "series" {
			r.Series = b.c.SeriesOf(int(o))
		}
		w.row(&r)
	}
	w.raw("</ul>")
	w.pager(l, n)
	if l.total > pageSize*pagesMax && n == l.pages() {
		w.raw(`<p class="note">`)
		w.text(w.locale.str("browse.bound", "n", w.locale.number(pageSize*pagesMax)))
		w.raw(" <a")
		w.route("href", "/search")
		w.raw(">")
		w.t("nav.search")
		w.raw("</a></p>")
	}
}

// values renders the page that lists every value of a facet.
func (b *snapshotView) values(s *facet, emit func(artifact.File) error) error {
	title := b.locale.str("browse.by." + s.id)
	h := Head{Section: "browse", Title: title, Route: "/browse/" + s.id, Description: b.locale.str("browse.by_description", "name", title)}
	body, err := b.document(artifact.Buffer(listRoom), &h, func(w *writer) {
		w.raw(`<div class="wrap">`)
		w.crumbs(crumb{key: "nav.browse", route: "/browse"}, crumb{key: "facet." + s.id})
		w.raw(`<div class="head"><h1>`)
		w.t("browse.by." + s.id)
		w.raw(`</h1></div><div class="split">`)
		w.raw(b.wayside)
		w.raw(`<div class="facet"><ul class="grid">`)
		for _, l := range s.list {
			w.facetLink(l)
		}
		w.raw("</ul></div></div></div>")
	})
	if err != nil {
		return err
	}
	return emit(page("/browse/"+s.id, body))
}
