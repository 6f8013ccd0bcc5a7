package pages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/schemaorg"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates"
)

func institutionName(i *catalog.Institution) string {
	return cmp.Or(strings.TrimSpace(i.NameEn), strings.TrimSpace(i.Name), i.Key)
}

// body is the name of an institution for readers of the language: that in it, else the
// English one, else its own.
func (t *locale) body(i *catalog.Institution) string {
	if own, _, _ := strings.Cut(i.NativeLang, "-"); own == t.code && i.Name != "" {
		return i.Name
	}
	if t.code != "en" {
		if name, _ := i.Names.In(t.code); strings.TrimSpace(name) != "" {
			return name
		}
	}
	return institutionName(i)
}

// institutions renders the page of every institution that has an entry.
func (b *snapshotView) institutions(emit func(artifact.File) error) error {
	for _, id := range sorted(b.holdings) {
		l := b.institutionList(id)
		if l == nil {
			continue
		}
		if err := b.listPages(l, emit); err != nil {
			return err
		}
	}
	return each(func(t *locale) error { return b.mergedBodies(t, emit) })
}

// mergedBodies renders, at the address of each institution that turned out to be
// another one, the page that leads there: hosts of files cannot answer 308.
func (b *snapshotView) mergedBodies(t *locale, emit func(artifact.File) error) error {
	for _, id := range sorted(b.c.MergedBodies) {
		heir := b.c.MergedBodies[id]
		if !catalog.IsID(id) || b.holdings[heir] == nil || b.holdings[id] != nil {
			continue
		}
		m := templates.Moved{Heading: t.T("bodies.merged"), Name: t.body(b.c.Institutions[heir]), Route: "/institution/" + heir}
		h := Head{Lang: t.code, Section: "browse", Title: m.Name, Route: "/institution/" + id, Moved: localRoute(t.code, m.Route), Description: m.Heading}
		body, err := b.component(&h, m.Page(b.sites[t.code]))
		if err != nil {
			return err
		}
		if err := emit(page(localRoute(t.code, h.Route), body)); err != nil {
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
	return &list{facet: "institution", value: id, base: "/institution/" + id, name: institutionName(b.c.Institutions[id]), ordinals: b.c.Collapse(b.holdings[id]),
		all: b.holdings[id], total: len(b.holdings[id])}
}

func (b *snapshotView) countryList(code string) *list {
	return &list{facet: "country", value: code, base: "/country/" + code, name: b.locale.country(code), ordinals: b.c.Collapse(b.lands[code]), all: b.lands[code], total: len(b.lands[code])}
}

// institution is what is known of an institution and of its entries.
func (b *snapshotView) institution(t *locale, i *catalog.Institution) *templates.Standing {
	var facts []templates.Fact
	add := func(key string, f templates.Fact) {
		f.Label = t.T(key)
		facts = append(facts, f)
	}
	if i.Name != "" && i.Name != t.body(i) {
		add("institution.native", templates.Fact{Text: i.Name, Lang: i.NativeLang, Outside: true})
	}
	if i.Type != "" {
		add("institution.type", templates.Fact{Text: t.T("institution." + string(i.Type))})
	}
	add("institution.state", templates.Fact{Text: t.T("institution.state." + string(bodyState(i)))})
	if catalog.CountryShape(i.CountryCode) {
		f := templates.Fact{Text: t.country(i.CountryCode)}
		if b.lands[i.CountryCode] != nil {
			f.Route = "/country/" + i.CountryCode
		}
		add("facet.country", f)
	}
	if linkable(i.HomepageURL) {
		add("use.homepage", templates.Fact{Links: []string{i.HomepageURL}})
	}
	if len(i.OfficialDomains) > 0 {
		add("institution.domains", templates.Fact{Text: clip(strings.Join(i.OfficialDomains, ", "), 300), Outside: true})
	}
	if len(i.Aliases) > 0 {
		add("institution.aliases", templates.Fact{Text: clip(strings.Join(i.Aliases, ", "), 300), Outside: true})
	}
	if len(i.Identifiers) > 0 {
		add("institution.identifiers", templates.Fact{Links: i.Identifiers})
	}
	if parent := b.c.Institutions[i.ParentID]; parent != nil {
		f := templates.Fact{Text: t.body(parent), Outside: true}
		if b.holdings[parent.ID] != nil {
			f.Route = "/institution/" + parent.ID
		}
		add("institution.parent", f)
	}
	out := &templates.Standing{Facts: facts, Figures: b.standing(t, b.holdings[i.ID])}
	if bodyState(i) != catalog.InstitutionStated {
		out.Claim = "/claim?institution=" + i.ID
	}
	return out
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

// countries renders the page of every country that has an entry.
func (b *snapshotView) countries(emit func(artifact.File) error) error {
	for _, code := range sorted(b.lands) {
		if err := b.listPages(b.countryList(code), emit); err != nil {
			return err
		}
	}
	return nil
}

// standing sums up a group of entries.
func (b *snapshotView) standing(t *locale, ordinals []int32) []templates.Fact {
	verified, sum, checked := 0, 0, 0
	for _, o := range ordinals {
		if b.c.Lines[o].State == catalog.StateVerified {
			verified++
		}
		if b.c.Lines[o].Verified != 0 {
			checked++
		}
		sum += int(b.c.Lines[o].MQA)
	}
	facts := []templates.Fact{{Label: t.T("figure.entries"), Text: t.number(len(ordinals))}}
	answered := t.T("figure.unchecked")
	if checked > 0 {
		answered = t.str("figure.of_checked", "n", t.number(verified), "all", t.number(checked))
	}
	facts = append(facts, templates.Fact{Label: t.T("figure.verified"), Text: answered})
	if n := len(ordinals); n > 0 {
		facts = append(facts, templates.Fact{Label: t.T("figure.mean"), Text: t.str("figure.of_100", "n", t.decimal(float64(sum)/float64(n)/10, 1))})
	}
	return facts
}

// bodiesShown is how many institutions a country's page names.
const bodiesShown = 8

// largest are the institutions behind a country's entries, the largest first.
func (b *snapshotView) largest(t *locale, ordinals []int32) []templates.Tile {
	var out []templates.Tile
	for _, n := range b.publishers(ordinals) {
		i := b.c.Institutions[n.Value]
		if i == nil || !catalog.IsID(n.Value) || len(out) == bodiesShown {
			continue
		}
		out = append(out, templates.Tile{Route: "/institution/" + n.Value, Name: t.body(i), Outside: true, Count: t.number(n.Count)})
	}
	return out
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
