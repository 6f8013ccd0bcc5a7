package pages

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/assay-register/assay/render/catalog"
)

// Bounds of the first page, in number.
const (
	homeRows       = 6
	homePublishers = 8
	homeExamples   = 4
)

type home struct {
	Entries, Institutions, Countries string
	// Checked is how many sources were checked, "" for none, Share how many of them in a
	// hundred answered.
	Checked, Share string
	AsOf, AsOfISO  string
	Types, Themes  []tile
	Publishers     []tile
	Examples       []tile
	New, Broken    template.HTML
}

// tile leads to a list; Key is a string of the interface, or Name is a text.
type tile struct{ Key, Name, Route, Count string }

func homeData(b *snapshotView, t *locale) (any, error) {
	h := home{Entries: t.number(len(b.c.Order)), Institutions: t.number(len(b.holdings)),
		AsOf: b.c.AsOf.Format("2006-01-02 15:04"), AsOfISO: b.c.AsOf.Format(time.RFC3339), Examples: b.examples(t)}
	if len(b.lands) > 1 {
		h.Countries = t.number(len(b.lands))
	}
	h.Checked, h.Share = b.answered(t)
	for _, f := range b.facets {
		for _, l := range f.list {
			x := tile{Key: l.key, Name: l.name, Route: l.base, Count: t.number(l.total)}
			switch {
			case f.id == "type" && l.total > 0:
				h.Types = append(h.Types, x)
			case f.id == "theme":
				h.Themes = append(h.Themes, x)
			case f.id == "institution" && len(h.Publishers) < homePublishers:
				h.Publishers = append(h.Publishers, x)
			}
		}
	}
	var err error
	if h.New, err = b.rowsOf(t, b.newest()); err != nil {
		return nil, err
	}
	h.Broken, err = b.rowsOf(t, b.broken())
	return h, err
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
	return t.number(asked), percent(verified, asked)
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

// rowsOf are entries as a list, "" for none.
func (b *snapshotView) rowsOf(t *locale, ordinals []int32) (template.HTML, error) {
	if len(ordinals) == 0 {
		return "", nil
	}
	rows := make([]Row, len(ordinals))
	for k, i := range ordinals {
		l := &b.c.Lines[i]
		rows[k] = b.rowOf(l)
		item, err := b.c.ReadItem(l)
		if err == nil {
			err = describe(&rows[k], item)
		}
		if err != nil {
			return "", fmt.Errorf("item of entry %s: %w", l.ID, err)
		}
	}
	w := b.writer(nil, t)
	w.rows(rows)
	return template.HTML(w.b), nil
}

// example is a title that can be asked for, and who has an entry of that title.
type example struct {
	name   string
	theme  string
	bodies map[string]bool
}

// examples are questions that have an answer: short titles in the reader's language or in
// English, first those that several institutions have, each of another theme.
func (b *snapshotView) examples(t *locale) []tile {
	var list []*example
	known := map[string]*example{}
	for _, i := range b.c.Order {
		l := &b.c.Lines[i]
		name := l.Name
		if l.Lang != t.code {
			name = l.NameEn
		}
		if len(l.Themes) == 0 || !plainTitle(name) {
			continue
		}
		key := strings.ToLower(name)
		if known[key] == nil {
			known[key] = &example{name, l.Themes[0], map[string]bool{}}
			list = append(list, known[key])
		}
		known[key].bodies[l.InstitutionID] = true
	}
	slices.SortStableFunc(list, func(x, y *example) int { return cmp.Compare(len(y.bodies), len(x.bodies)) })
	var out []tile
	themes := map[string]bool{}
	for _, x := range list {
		if !themes[x.theme] && len(out) < homeExamples {
			themes[x.theme] = true
			out = append(out, tile{Name: x.name, Route: localRoute(t.code, "/search") + "?" + url.Values{"q": {x.name}}.Encode()})
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
