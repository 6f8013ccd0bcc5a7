package pages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/schemaorg"
	"github.com/assay-register/assay/render/snapshot"
)

func institutionName(i *catalog.Institution) string {
	return cmp.Or(strings.TrimSpace(i.NameEn), strings.TrimSpace(i.Name), i.Key)
}

// institutions renders the page of every institution that has an entry.
func (b *snapshotView) institutions(emit func(artifact.File) error) error {
	for _, id := range sorted(b.holdings) {
		l := b.institutionList(id)
		if l == nil {
			continue
		}
		if err := b.listPages(l, emit, b.aboutOf(l)); err != nil {
			return err
		}
	}
	return b.mergedBodies(emit)
}

// mergedBodies renders, at the address of each institution that turned out to be
// another one, the page that leads there: hosts of files cannot answer 308.
func (b *snapshotView) mergedBodies(emit func(artifact.File) error) error {
	for _, id := range sorted(b.c.MergedBodies) {
		heir := b.c.MergedBodies[id]
		if !catalog.IsID(id) || b.holdings[heir] == nil || b.holdings[id] != nil {
			continue
		}
		to, name := "/institution/"+heir, institutionName(b.c.Institutions[heir])
		h := Head{Section: "browse", Title: name, Route: "/institution/" + id, Moved: to, Description: b.locale.str("bodies.merged")}
		body, err := b.document(nil, &h, func(w *writer) {
			w.raw(`<div class="wrap"><div class="head"><h1>`)
			w.t("bodies.merged")
			w.raw("</h1><p><a")
			w.route("href", to)
			w.raw(">")
			w.outside(name)
			w.raw("</a></p></div></div>")
		})
		if err != nil {
			return err
		}
		if err := emit(page(h.Route, body)); err != nil {
			return err
		}
	}
	return nil
}

// institutionList is the list of an institution's entries, nil if it can have
// no page.
func (b *snapshotView) institutionList(id string) *list {
	if !catalog.IsID(id) {
		return nil
	}
	return &list{facet: "institution", value: id, base: "/institution/" + id, name: institutionName(b.c.Institutions[id]), ordinals: b.c.Collapse(b.holdings[id]), total: len(b.holdings[id])}
}

func (b *snapshotView) countryList(code string) *list {
	return &list{facet: "country", value: code, base: "/country/" + code, name: b.locale.country(code), ordinals: b.c.Collapse(b.lands[code]), total: len(b.lands[code])}
}

// aboutOf writes what stands above the list of an institution or a country,
// nil for the others.
func (b *snapshotView) aboutOf(l *list) func(*writer) {
	switch l.facet {
	case "institution":
		return func(w *writer) { b.institution(w, b.c.Institutions[l.value]) }
	case "series":
		return func(w *writer) { b.aboutSeries(w, b.c.SeriesByID(l.value)) }
	case "country":
		return func(w *writer) {
			w.raw(`<div class="grid">`)
			b.standing(w, b.lands[l.value])
			b.bodies(w, b.lands[l.value])
			w.raw("</div><hr>")
		}
	}
	return nil
}

func (b *snapshotView) institution(w *writer, i *catalog.Institution) {
	w.raw(`<div class="grid"><div class="card"><dl class="kv">`)
	if i.NameEn != "" && i.NameEn != i.Name {
		w.term("institution.native")
		w.raw("<span")
		w.native(i.NativeLang)
		w.raw(">")
		w.text(i.Name)
		w.raw("</span>")
		w.endTerm()
	}
	if i.Type != "" {
		w.term("institution.type")
		w.t("institution." + string(i.Type))
		w.endTerm()
	}
	w.term("institution.state")
	w.t("institution.state." + string(cmp.Or(i.State, catalog.InstitutionKnown)))
	w.endTerm()
	if catalog.CountryShape(i.CountryCode) {
		w.term("facet.country")
		if b.lands[i.CountryCode] != nil {
			w.raw("<a")
			w.route("href", "/country/", i.CountryCode)
			w.raw(">")
			w.outside(w.locale.country(i.CountryCode))
			w.raw("</a>")
		} else {
			w.outside(w.locale.country(i.CountryCode))
		}
		w.endTerm()
	}
	if linkable(i.HomepageURL) {
		w.term("use.homepage")
		w.web(i.HomepageURL, clip(i.HomepageURL, 80))
		w.endTerm()
	}
	if len(i.OfficialDomains) > 0 {
		w.term("institution.domains")
		w.raw(`<bdi translate="no">`)
		w.joined(i.OfficialDomains, 300)
		w.raw("</bdi>")
		w.endTerm()
	}
	b.identity(w, i)
	w.raw("</dl></div>")
	b.standing(w, b.holdings[i.ID])
	w.raw("</div><hr>")
}

// organization is the block of an institution for machines; its parent is named where that
// has a page.
func (b *snapshotView) organization(i *catalog.Institution) ([]byte, error) {
	parent := b.c.Institutions[i.ParentID]
	if parent != nil && b.holdings[parent.ID] == nil {
		parent = nil
	}
	return schemaorg.Organization(b.site, i, parent)
}

// identity writes what else an institution is known by, and what it is a part
// of.
func (b *snapshotView) identity(w *writer, i *catalog.Institution) {
	if len(i.Aliases) > 0 {
		w.term("institution.aliases")
		w.raw(`<bdi translate="no">`)
		w.joined(i.Aliases, 300)
		w.raw("</bdi>")
		w.endTerm()
	}
	if len(i.Identifiers) > 0 {
		w.term("institution.identifiers")
		for n, id := range i.Identifiers {
			if n > 0 {
				w.raw("<br>")
			}
			w.web(id, id)
		}
		w.endTerm()
	}
	parent := b.c.Institutions[i.ParentID]
	if parent == nil {
		return
	}
	w.term("institution.parent")
	if b.holdings[parent.ID] != nil {
		w.raw("<a")
		w.route("href", "/institution/", parent.ID)
		w.raw(">")
		w.outside(institutionName(parent))
		w.raw("</a>")
	} else {
		w.outside(institutionName(parent))
	}
	w.endTerm()
}

// countries renders the page of every country that has an entry.
func (b *snapshotView) countries(emit func(artifact.File) error) error {
	for _, code := range sorted(b.lands) {
		l := b.countryList(code)
		if err := b.listPages(l, emit, b.aboutOf(l)); err != nil {
			return err
		}
	}
	return nil
}

// standing sums up a group of entries.
func (b *snapshotView) standing(w *writer, ordinals []int32) {
	verified, sum, checked := 0, 0, false
	for _, o := range ordinals {
		if b.c.Lines[o].State == catalog.StateVerified {
			verified++
		}
		checked = checked || b.c.Lines[o].Verified != 0
		sum += int(b.c.Lines[o].MQA)
	}
	w.raw(`<div class="card"><dl class="kv">`)
	w.term("figure.entries")
	w.int(len(ordinals))
	w.endTerm()
	w.term("figure.verified")
	if checked {
		w.int(verified)
	} else {
		w.t("figure.unchecked")
	}
	w.endTerm()
	if n := len(ordinals); n > 0 {
		w.term("figure.mean")
		w.text(formatFloat(float64(sum)/float64(n)/10, 1))
		w.endTerm()
	}
	w.raw("</dl></div>")
}

// bodiesShown is how many institutions a country's page names.
const bodiesShown = 8

// bodies leads to the institutions behind a country's entries, the largest
// first.
func (b *snapshotView) bodies(w *writer, ordinals []int32) {
	counts := b.publishers(ordinals)
	if len(counts) == 0 {
		return
	}
	w.raw(`<div class="card facet"><h2>`)
	w.t("facet.institution")
	w.raw("</h2><ul>")
	shown := 0
	for _, n := range counts {
		i := b.c.Institutions[n.Value]
		if i == nil || !catalog.IsID(n.Value) || shown == bodiesShown {
			continue
		}
		shown++
		w.facetLink(&list{base: "/institution/" + n.Value, name: institutionName(i), total: n.Count})
	}
	w.raw("</ul></div>")
}

// publishers counts the entries of each institution, the largest first.
func (b *snapshotView) publishers(ordinals []int32) []snapshot.Count {
	counts := map[string]int{}
	for _, o := range ordinals {
		if id := b.c.Lines[o].InstitutionID; id != "" {
			counts[id]++
		}
	}
	list := make([]snapshot.Count, 0, len(counts))
	for id, n := range counts {
		list = append(list, snapshot.Count{Value: id, Count: n})
	}
	slices.SortFunc(list, func(a, c snapshot.Count) int {
		return cmp.Or(cmp.Compare(c.Count, a.Count), cmp.Compare(a.Value, c.Value))
	})
	return list
}
