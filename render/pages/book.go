package pages

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// book is one snapshot with what its pages are made from.
type book struct {
	*kit
	c       *snapshot.Catalog
	tongue  *tongue
	shelves []*shelf
	// lists are the values that have pages of their own, by facet and value.
	lists map[string]map[string]*list
	// holdings are the entries of each institution and country, by id and code.
	holdings, lands  map[string][]int32
	sidebar, wayside []byte
	// counts are those of all listed entries.
	counts snapshot.Facets
}

func newBook(k *kit, c *snapshot.Catalog) *book {
	b := &book{kit: k, c: c, tongue: tongues()[languages[0]], holdings: map[string][]int32{}, lands: map[string][]int32{}}
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
	b.shelve()
	b.sidebar, b.wayside = b.side(), b.ways()
	return b
}

func (b *book) writer(room int) *writer {
	return &writer{b: make([]byte, 0, room), kit: b.kit, tongue: b.tongue}
}

// entry fills the slots of an entry's piece.
func (b *book) entry(piece []byte, ordinal int) ([]byte, error) {
	parts := bytes.Split(piece, []byte(slot))
	if len(parts) != 5 {
		return nil, fmt.Errorf("page of entry %s has %d parts", b.c.Lines[ordinal].ID, len(parts))
	}
	w := b.writer(len(piece) + 8<<10)
	for i, fill := range []func(*writer, int){b.fate, b.tags, b.others, b.graphs} {
		w.b = append(w.b, parts[i]...)
		fill(w, ordinal)
	}
	w.b = append(w.b, parts[4]...)
	return w.b, nil
}

// fate says that an entry is deprecated, and leads to its successor.
func (b *book) fate(w *writer, ordinal int) {
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
func (b *book) graphs(w *writer, ordinal int) {
	l := &b.c.Lines[ordinal]
	if l.LeftOut == "" {
		w.railLink("/id/"+l.ID+".ttl", "DCAT-AP (Turtle)")
		w.railLink("/id/"+l.ID+".jsonld", "DCAT-AP (JSON-LD)")
	}
}

// tags leads to the entries that share a tag: to its page if it is common
// enough to have one, else to the search.
func (b *book) tags(w *writer, ordinal int) {
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
			w.route("href", "/search?tags="+escapeQuery(t))
		}
		w.native("")
		w.raw(">")
		w.text(clip(t, 50))
		w.raw("</a></li>")
	}
	w.raw("</ul>")
	w.rest(len(tags), tagsShown)
}

// others shows what ties the entry to others, and what could serve instead,
// each with its reasons.
func (b *book) others(w *writer, ordinal int) {
	ties := b.c.Relations(ordinal)
	ties = ties[:min(len(ties), tiesShown)]
	seen := map[int32]bool{}
	for _, t := range ties {
		seen[t.Ordinal] = true
	}
	instead := unseen(b.c.Alternatives(ordinal), seen)
	close := unseen(b.c.Related(ordinal), seen)
	w.part("related", "related.heading")
	if len(ties)+len(instead)+len(close) == 0 {
		w.raw(`<p class="soft">`)
		w.t("related.none")
		w.raw("</p>")
	}
	if len(ties) > 0 {
		w.others("related.ties")
		for _, t := range ties {
			w.neighbour(&b.c.Lines[t.Ordinal], func() { w.t("tie." + string(t.Kind)) })
		}
		w.raw("</ul>")
	}
	b.neighbours(w, "related.instead", instead)
	b.neighbours(w, "related.close", close)
	w.end()
}

// Bounds of the lists of other entries; an entry stands in one of them only.
const (
	tiesShown       = 6
	neighboursShown = 5
)

// unseen are the first neighbours that are not listed yet.
func unseen(list []snapshot.Neighbour, seen map[int32]bool) []snapshot.Neighbour {
	var out []snapshot.Neighbour
	for _, n := range list {
		if !seen[n.Ordinal] && len(out) < neighboursShown {
			seen[n.Ordinal] = true
			out = append(out, n)
		}
	}
	return out
}

func (b *book) neighbours(w *writer, caption string, list []snapshot.Neighbour) {
	if len(list) == 0 {
		return
	}
	w.others(caption)
	for i := range list {
		n := &list[i]
		w.neighbour(&b.c.Lines[n.Ordinal], func() { w.reasons(n) })
	}
	w.raw("</ul>")
}

// others begins a list of other entries.
func (w *writer) others(heading string) {
	w.tag("h3", heading)
	w.raw(`<ul class="rel">`)
}

func (w *writer) neighbour(l *snapshot.Line, reason func()) {
	w.raw("<li><div>")
	w.entryLink(l)
	w.raw("</div>")
	w.state(l.State)
	w.raw("<p>")
	reason()
	w.raw("</p></li>")
}

func (w *writer) reasons(n *snapshot.Neighbour) {
	first := true
	next := func() {
		if !first {
			w.raw(", ")
		}
		first = false
	}
	for _, r := range []struct {
		held bool
		key  string
	}{{n.SameInstitution, "reason.institution"}, {n.SameHost, "reason.host"}, {n.SameCountry, "reason.country"}} {
		if r.held {
			next()
			w.tag("span", r.key)
		}
	}
	if len(n.Concepts) > 0 {
		next()
		w.tag("span", "reason.concept")
		w.raw(" ")
		w.outside(strings.Join(n.Concepts, ", "))
	}
	if len(n.Tags) > 0 {
		next()
		w.tag("span", "reason.tags")
		w.raw(" ")
		w.outside(clip(strings.Join(n.Tags, ", "), 90))
	}
}

// entryLink leads to the page of an entry.
func (w *writer) entryLink(l *snapshot.Line) {
	w.raw("<a")
	w.route("href", "/entry/", l.Slug)
	w.native(l.Lang)
	w.raw(">")
	w.text(clip(cmp.Or(strings.TrimSpace(l.Name), l.Slug), 140))
	w.raw("</a>")
	if l.NameEn != "" && l.NameEn != l.Name {
		w.raw(` <span class="row-en" lang="en" translate="no">`)
		w.text(clip(l.NameEn, 140))
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
