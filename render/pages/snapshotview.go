package pages

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// snapshotView is one snapshot with what its pages are made from.
type snapshotView struct {
	*renderer
	c      *snapshot.Catalog
	locale *locale
	facets []*facet
	// lists are the values that have pages of their own, by facet and value.
	lists map[string]map[string]*list
	// holdings are the entries of each institution and country, by id and code.
	holdings, lands map[string][]int32
	// counts are those of all listed entries.
	counts snapshot.Facets
	abouts abouts
}

func newBook(k *renderer, c *snapshot.Catalog) *snapshotView {
	b := &snapshotView{renderer: k, c: c, locale: locales()[languages[0]], holdings: map[string][]int32{}, lands: map[string][]int32{}}
	for i := range c.Lines {
		l := &c.Lines[i]
		// A page exists as soon as any visible entry leads to it.
		if catalog.CountryShape(l.Country) && b.lands[l.Country] == nil {
			b.lands[l.Country] = []int32{}
		}
		if c.Institutions[l.InstitutionID] != nil && b.holdings[l.InstitutionID] == nil {
			b.holdings[l.InstitutionID] = []int32{}
		}
	}
	for _, i := range c.Order {
		l := &c.Lines[i]
		if catalog.CountryShape(l.Country) {
			b.lands[l.Country] = append(b.lands[l.Country], i)
		}
		if c.Institutions[l.InstitutionID] != nil {
			b.holdings[l.InstitutionID] = append(b.holdings[l.InstitutionID], i)
		}
	}
	b.sortIntoLists()
	return b
}

// fillsRoom is about what the register adds to an entry's fragment, in bytes.
const fillsRoom = 8 << 10

// entry fills the slots of an entry's fragment.
func (b *snapshotView) entry(fragment []byte, ordinal int) ([]byte, error) {
	w := b.writer(artifact.Buffer(len(fragment)+fillsRoom), b.locale)
	for _, fill := range [...]func(*snapshotView, *writer, int){(*snapshotView).fate, (*snapshotView).topics, (*snapshotView).others, (*snapshotView).graphs} {
		before, after, found := bytes.Cut(fragment, []byte(slot))
		if !found {
			return nil, fmt.Errorf("page of entry %s lacks a slot", b.c.Lines[ordinal].ID)
		}
		w.b = append(w.b, before...)
		fill(b, w, ordinal)
		fragment = after
	}
	w.b = append(w.b, fragment...)
	return w.b, nil
}

// fate says that an entry is deprecated, and leads to its successor.
func (b *snapshotView) fate(w *writer, ordinal int) {
	l := &b.c.Lines[ordinal]
	if l.Status != catalog.StatusDeprecated {
		return
	}
	w.raw(`<p class="note warn"><strong>`)
	w.t("entry.deprecated")
	w.raw("</strong>")
	if i := b.c.ByID(l.Successor); l.Successor != "" && i >= 0 {
		w.raw(" ")
		w.t("entry.successor")
		w.raw(" ")
		w.entryLink(&b.c.Lines[i])
	}
	w.raw("</p>")
}

// graphs leads to the RDF of an entry that DCAT-AP can hold.
func (b *snapshotView) graphs(w *writer, ordinal int) {
	l := &b.c.Lines[ordinal]
	if l.LeftOut == "" {
		w.railLink("DCAT-AP (Turtle)", "/id/", l.ID, ".ttl")
		w.railLink("DCAT-AP (JSON-LD)", "/id/", l.ID, ".jsonld")
	}
}

// topics are what an entry is about.
func (b *snapshotView) topics(w *writer, ordinal int) {
	b.themes(w, ordinal)
	b.tags(w, ordinal)
}

// themes leads to the entries of a theme.
func (b *snapshotView) themes(w *writer, ordinal int) {
	lists := b.lists["theme"]
	themes := slices.DeleteFunc(slices.Clone(b.c.Lines[ordinal].Themes), func(v string) bool { return lists[v] == nil })
	if len(themes) == 0 {
		return
	}
	w.raw(`<ul class="chips" aria-label="`)
	w.t("facet.theme")
	w.raw(`">`)
	for _, v := range themes {
		w.raw(`<li><a class="chip"`)
		w.route("href", lists[v].route(1))
		w.raw(">")
		w.t(lists[v].key)
		w.raw("</a></li>")
	}
	w.raw("</ul>")
}

// tags leads to the entries that share a tag: to its page if it is common
// enough to have one, else to the search.
func (b *snapshotView) tags(w *writer, ordinal int) {
	tags := b.c.Lines[ordinal].Tags
	if len(tags) == 0 {
		return
	}
	w.raw(`<ul class="chips" aria-label="`)
	w.t("facet.tag")
	w.raw(`">`)
	for _, t := range tags[:min(len(tags), tagsShown)] {
		w.raw(`<li><a class="chip"`)
		if l := b.lists["tag"][t]; l != nil {
			w.route("href", l.route(1))
		} else {
			w.raw(` rel="nofollow"`)
			w.route("href", "/search?tags=", url.QueryEscape(t))
		}
		w.native("")
		w.raw(">")
		w.clip(t, 50)
		w.raw("</a></li>")
	}
	w.raw("</ul>")
	w.rest(len(tags), tagsShown)
}

// others shows what ties the entry to others, and what could serve instead,
// each with its reasons.
func (b *snapshotView) others(w *writer, ordinal int) {
	ties := b.c.Relations(ordinal)
	ties = ties[:min(len(ties), tiesShown)]
	var shown shown
	for _, t := range ties {
		shown.add(t.Ordinal)
	}
	instead := shown.next(b.c.Alternatives(ordinal))
	close := shown.next(b.c.Related(ordinal))
	w.part("related", "related.heading")
	if s := b.c.SeriesOf(ordinal); s != nil {
		b.place(w, s, int32(ordinal))
	}
	if len(ties) == 0 && instead[0] == nil && close[0] == nil && b.c.SeriesOf(ordinal) == nil {
		w.raw(`<p class="soft">`)
		w.t("related.none")
		w.raw("</p>")
	}
	if len(ties) > 0 {
		w.others("related.ties")
		for _, t := range ties {
			w.neighbour(&b.c.Lines[t.Ordinal])
			w.t("tie." + string(t.Kind))
			w.endNeighbour()
		}
		w.raw("</ul>")
	}
	b.neighbours(w, "related.instead", &instead)
	b.neighbours(w, "related.close", &close)
	w.end()
}

// Bounds of the lists of other entries; an entry stands in one of them only.
const (
	tiesShown       = 6
	neighboursShown = 5
)

// shown are the entries that stand in a list already.
type shown struct {
	ordinals [tiesShown + 2*neighboursShown]int32
	n        int
}

func (s *shown) add(ordinal int32) {
	s.ordinals[s.n] = ordinal
	s.n++
}

// next are the first neighbours that are not shown yet; nil ends them.
func (s *shown) next(list []snapshot.Neighbour) (out [neighboursShown]*snapshot.Neighbour) {
	n := 0
	for i := range list {
		if o := list[i].Ordinal; n < len(out) && !slices.Contains(s.ordinals[:s.n], o) {
			s.add(o)
			out[n] = &list[i]
			n++
		}
	}
	return out
}

func (b *snapshotView) neighbours(w *writer, caption string, list *[neighboursShown]*snapshot.Neighbour) {
	if list[0] == nil {
		return
	}
	w.others(caption)
	for _, n := range list {
		if n != nil {
			w.neighbour(&b.c.Lines[n.Ordinal])
			w.reasons(n)
			w.endNeighbour()
		}
	}
	w.raw("</ul>")
}

// others begins a list of other entries.
func (w *writer) others(heading string) {
	w.tag("h3", heading)
	w.raw(`<ul class="rel">`)
}

// neighbour begins another entry of a list; its reason follows.
func (w *writer) neighbour(l *snapshot.Line) {
	w.raw("<li><div>")
	w.entryLink(l)
	w.raw("</div>")
	w.state(l.State)
	w.raw("<p>")
}

func (w *writer) endNeighbour() { w.raw("</p></li>") }

func (w *writer) reasons(n *snapshot.Neighbour) {
	var comma markup
	next := func(key string) {
		w.raw(comma)
		w.tag("span", key)
		comma = ", "
	}
	if n.SameInstitution {
		next("reason.institution")
	}
	if n.SameHost {
		next("reason.host")
	}
	if n.SameCountry {
		next("reason.country")
	}
	if len(n.Concepts) > 0 {
		next("reason.concept")
		w.raw(" ")
		w.outside(strings.Join(n.Concepts, ", "))
	}
	if len(n.Tags) > 0 {
		next("reason.tags")
		w.raw(` <bdi translate="no">`)
		w.joined(n.Tags, 90)
		w.raw("</bdi>")
	}
}

// entryLink leads to the page of an entry.
func (w *writer) entryLink(l *snapshot.Line) {
	w.raw("<a")
	w.route("href", "/entry/", l.Slug)
	w.native(l.Lang)
	w.raw(">")
	w.clip(cmp.Or(strings.TrimSpace(l.Name), l.Slug), 140)
	w.raw("</a>")
	if l.NameEn != "" && l.NameEn != l.Name {
		w.raw(` <span class="row-en" lang="en" translate="no">`)
		w.clip(l.NameEn, 140)
		w.raw("</span>")
	}
}

// sorted are the keys of a map in order.
func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
