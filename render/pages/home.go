package pages

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/templates"
)

// Bounds of the first page, in number.
const (
	homeRows       = 6
	homePublishers = 8
	homeExamples   = 4
)

// homePage is the first page.
func homePage(b *snapshotView, t *locale) (templ.Component, error) {
	h := templates.Home{Heading: t.T("home.heading"), Lead: t.T("home.lead"), Figures: b.figures(t), AsOf: t.Day(b.c.AsOf), Stamp: b.c.AsOf.UTC().Format(time.RFC3339), Examples: b.examples(t), Map: b.coverage(t)}
	if code := b.home(); code != "" {
		h.Heading = t.str("home.heading.land", "country", t.country(code))
	}
	for _, l := range b.inOrder("type") {
		if l.total > 0 {
			h.Types = append(h.Types, b.tile(t, l))
		}
	}
	for _, l := range b.inOrder("theme") {
		h.Themes = append(h.Themes, b.tile(t, l))
	}
	bodies := b.inOrder("institution")
	for _, l := range bodies[:min(homePublishers, len(bodies))] {
		h.Publishers = append(h.Publishers, b.tile(t, l))
	}
	var err error
	if h.New, err = b.rowsOf(t, b.newest(), false); err != nil {
		return nil, err
	}
	if h.Broken, err = b.rowsOf(t, b.broken(), false); err != nil {
		return nil, err
	}
	return h.Page(b.sites[t.code]), nil
}

// figures are the numbers of the first page: how much there is, of whom, how much of it can be
// fetched and used freely, and how much answers.
func (b *snapshotView) figures(t *locale) []templates.Figure {
	all := func(route string) string { return localRoute(t.code, route) }
	list := []templates.Figure{{Number: t.number(len(b.c.Order)), Text: t.T("figure.entries"), Route: all("/browse")},
		{Number: t.number(len(b.holdings)), Text: t.T("figure.institutions"), Route: all("/browse/institution")}}
	if len(b.lands) > 1 && b.home() == "" {
		list = append(list, templates.Figure{Number: t.number(len(b.lands)), Text: t.T("figure.countries"), Route: all("/browse/country")})
	}
	files, open := 0, 0
	for _, o := range b.c.Order {
		l := &b.c.Lines[o]
		if l.Download {
			files++
		}
		if x := b.c.Licences[l.LicenseID]; x != nil && x.Open == catalog.RightYes {
			open++
		}
	}
	list = append(list, templates.Figure{Number: t.number(files), Text: t.T("figure.download")}, templates.Figure{Number: t.number(open), Text: t.T("figure.open")})
	if checked, share := b.answered(t); checked != "" {
		return append(list, templates.Figure{Number: share + "\u00a0%", Text: t.str("figure.answered", "n", checked)})
	}
	return append(list, templates.Figure{Text: t.T("figure.none_checked")})
}

// answered are how many of the listed sources were checked, and how many of these in a
// hundred answered.
func (b *snapshotView) answered(t *locale) (checked, share string) {
	asked, verified := 0, 0
	for _, i := range b.c.Order {
		l := &b.c.Lines[i]
		if l.Verified != 0 {
			asked++
		}
		if l.State == catalog.StateVerified {
			verified++
		}
	}
	if asked == 0 {
		return "", ""
	}
	return t.number(asked), strings.Replace(percent(verified, asked), ".", t.plain["decimal"], 1)
}

// newest are the entries that became public last, of a series and of a publisher one: a
// harvest brings hundreds of one kind.
func (b *snapshotView) newest() []int32 {
	order := slices.Clone(b.c.Order)
	slices.SortStableFunc(order, func(x, y int32) int { return cmp.Compare(b.c.Lines[y].Published, b.c.Lines[x].Published) })
	return b.various(order)
}

// broken are the entries that fail, the last ones first.
func (b *snapshotView) broken() []int32 {
	var order []int32
	for _, i := range b.c.Order {
		if b.c.Lines[i].State == catalog.StateFailing {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(x, y int32) int { return cmp.Compare(b.c.Lines[y].Shown, b.c.Lines[x].Shown) })
	return b.various(order)
}

// various are the first of a list, of each institution one.
func (b *snapshotView) various(order []int32) (out []int32) {
	met := map[string]bool{}
	for _, i := range order {
		if of := b.c.Lines[i].InstitutionID; of == "" || !met[of] {
			met[of] = true
			if out = append(out, i); len(out) == homeRows {
				break
			}
		}
	}
	return out
}

// example is a title that can be asked for, and who has an entry of that title.
type example struct {
	name   string
	theme  string
	bodies map[string]bool
	// thing tells that it is what people call a thing that they ask for.
	thing bool
}

// examples are questions that have an answer: short titles in the reader's language or in
// English, first those that name a thing of the thesaurus, of these those that several institutions
// have, each of another theme.
func (b *snapshotView) examples(t *locale) []templates.Chosen {
	var list []*example
	known := map[string]*example{}
	for _, i := range b.c.Order {
		l := &b.c.Lines[i]
		name, in := l.TitleIn(t.code)
		if in != t.code {
			name, in = l.NameEn, "en"
		}
		if len(l.Themes) == 0 || !plainTitle(name) {
			continue
		}
		key := strings.ToLower(name)
		if known[key] == nil {
			known[key] = &example{name, l.Themes[0], map[string]bool{}, search.NamesThing(name, in)}
			list = append(list, known[key])
		}
		known[key].bodies[l.InstitutionID] = true
	}
	slices.SortStableFunc(list, func(x, y *example) int {
		if x.thing != y.thing {
			return map[bool]int{true: -1, false: 1}[x.thing]
		}
		return cmp.Compare(len(y.bodies), len(x.bodies))
	})
	var out []templates.Chosen
	themes := map[string]bool{}
	for _, x := range list {
		if !themes[x.theme] && len(out) < homeExamples {
			themes[x.theme] = true
			out = append(out, templates.Chosen{Name: x.name, Route: searchRoute(t, url.Values{"q": {x.name}})})
		}
	}
	return out
}

// plainTitle tells whether a title reads like something that a person would ask for: one
// to three words of letters.
func plainTitle(title string) bool {
	words := strings.Fields(title)
	if len(words) == 0 || len(words) > 3 || len(title) < 5 || len(title) > 30 {
		return false
	}
	return !strings.ContainsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && r != ' ' && r != '\'' && r != '’' }) && strings.ToUpper(title) != title
}
