package pages

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"

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
	// listRoom is enough for nearly every page of a list, in bytes.
	listRoom = 256 << 10
)

// list is a selection of entries with a page of its own, and more if it is
// long.
type list struct {
	// facet and value say of what; "" for all entries.
	facet, value string
	base         string
	// key or name is its heading: a string of the interface, or text from outside in lang.
	key, name, lang string
	// ordinals are those on its pages, of a series the first one; all are all its entries.
	ordinals, all []int32
	total         int
	// shown are the series that the list has an entry of.
	shown map[*snapshot.Series]bool
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

// asked is what a reader would ask the search for to get the entries of the list.
func (l *list) asked() url.Values {
	param := l.facet
	for _, p := range searchParams {
		if p.facet == l.facet {
			param = p.param
		}
	}
	switch l.facet {
	case "":
		return nil
	case "tag":
		param = snapshot.ByTags
	}
	return url.Values{param: {l.value}}
}

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
				l := named[v]
				if l == nil {
					continue
				}
				l.all = append(l.all, i)
				if len(l.ordinals) < pageSize*pagesMax && l.opens(b.c.SeriesOf(int(i))) {
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
	}
	if family != "" {
		l.key = family + "." + n.Value
	}
	return l
}

// nameOf is the name of a list for a reader, the language in which it is, and whether it comes
// from outside.
func (b *snapshotView) nameOf(t *locale, l *list) (name, lang string, outside bool) {
	if l.key != "" {
		return t.str(l.key), "", false
	}
	switch l.facet {
	case "country":
		return t.country(l.value), "", false
	case "language":
		return t.languageOf(l.value), "", false
	case "institution":
		return t.body(b.c.Institutions[l.value]), "", true
	case "format":
		return formatName(l.value), "", true
	case "licence":
		if x := b.c.Licences[l.value]; x != nil {
			return cmp.Or(x.Title, l.value), "", true
		}
	}
	return l.name, l.lang, true
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
