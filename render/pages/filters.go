package pages

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/assay-register/assay/render/codelist"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/usage"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
)

// searchParams are the filters of the search form, the ones that most readers look for
// first: their strings, and the family of those of their values.
var searchParams = []struct {
	param, facet, family string
	// findable tells that there may be more values than a list can show.
	findable bool
}{
	{"type", "type", "type", false}, {"theme", "theme", "theme", false}, {"institution_id", "institution", "", true}, {snapshot.ByCountry, "country", "", true},
	{"place", "place", "", true}, {"format", "format", "", true}, {"license", "licence", "", true}, {"license_allows", "allows", "allows", false}, {"access_rights", "rights", "rights", false},
	{"free_access_class", "access", "access", false}, {"has_download", "download", "download", false}, {"lang", "language", "", true}, {"frequency", "frequency", "", false},
	{"hvd_category", "hvd", "", true}, {"mqa_tier", "tier", "tier", false}, {"verification_state", "state", "state", false},
}

// FindPrefix begins the parameters by which readers look for a value of a filter.
const FindPrefix = "find_"

// Bounds of the search form.
const (
	// valuesShown is how many values of a filter are in sight, valuesMax how many there are,
	// valuesFound how many of those that were looked for.
	valuesShown = 6
	valuesMax   = 24
	valuesFound = 40
	// facetsOpen is how many filters are open.
	facetsOpen = 4
)

// searchFacets are the filters with the values that most entries of the counts have, and
// with those that the reader chose.
func (b *snapshotView) searchFacets(t *locale, counts *snapshot.Facets, asked url.Values) []templates.Facet {
	total := 0
	for _, n := range counts.Type {
		total += n.Count
	}
	var out []templates.Facet
	for _, p := range searchParams {
		list, picked, typed := *dimension(p.param).Counts(counts), choice(asked, p.param), asked.Get(FindPrefix+p.param)
		narrows := len(list) > 1 || len(list) == 1 && list[0].Count < total // what all have narrows nothing
		if !narrows && len(picked) == 0 && typed == "" {
			continue
		}
		f := templates.Facet{Param: p.param, Name: t.T("facet." + p.facet), Open: len(out) < facetsOpen || len(picked) > 0 || typed != "", Typed: typed,
			Findable: p.findable && (len(list) > valuesShown || typed != "")}
		if b.lists[p.facet] != nil {
			f.All, f.AllLabel = "/browse/"+p.facet, t.T("browse.all."+p.facet)
		}
		b.fill(t, &f, p.family, list, picked)
		if len(f.Values) == 0 && typed == "" {
			continue
		}
		out = append(out, f)
	}
	return out
}

// fill puts the values of a filter into it: first those that the reader chose.
func (b *snapshotView) fill(t *locale, f *templates.Facet, family string, list []snapshot.Count, picked []string) {
	for _, v := range picked {
		at := slices.IndexFunc(list, func(n snapshot.Count) bool { return n.Value == v })
		c := b.value(t, f.Param, family, v)
		c.Checked, c.Count = true, t.number(0)
		if at >= 0 {
			c.Count = t.number(list[at].Count)
		}
		f.Values = append(f.Values, c)
	}
	wanted := fold(f.Typed)
	left := valuesMax
	if wanted != "" {
		left = valuesFound
	}
	for _, n := range list {
		if left == 0 {
			return
		}
		if slices.Contains(picked, n.Value) || wanted == "" && f.Param == "place" && !t.knows(n.Value) {
			continue
		}
		c := b.value(t, f.Param, family, n.Value)
		if wanted != "" && !b.named(f.Param, n.Value, c.Name, wanted) {
			continue
		}
		c.Count = t.number(n.Count)
		left--
		if wanted != "" || len(f.Values) < valuesShown {
			f.Values = append(f.Values, c)
		} else {
			f.More = append(f.More, c)
		}
	}
}

// named tells whether a value has a name with what a reader typed in it.
func (b *snapshotView) named(param, value, name, wanted string) bool {
	if strings.Contains(fold(name), wanted) {
		return true
	}
	return param == "institution_id" && bodyNamed(b.c.Institutions[value], wanted)
}

// uncount takes the counts from filters.
func uncount(list []templates.Facet) {
	for i := range list {
		for _, values := range [][]templates.Choice{list[i].Values, list[i].More} {
			for k := range values {
				values[k].Count = ""
			}
		}
	}
}

func dimension(name string) *snapshot.Dimension {
	list := snapshot.Dimensions()
	return &list[slices.IndexFunc(list, func(d snapshot.Dimension) bool { return d.Name == name })]
}

// choice are the values of a filter that a reader chose.
func choice(asked url.Values, param string) []string {
	out := slices.DeleteFunc(strings.Split(strings.Join(asked[param], ","), ","), func(v string) bool { return v == "" })
	if param == snapshot.ByCountry {
		for i := range out {
			out[i] = strings.ToUpper(out[i])
		}
	}
	return out
}

// hidden are what narrows a list and is no filter of the form.
func hidden(asked url.Values) []templates.Choice {
	var out []templates.Choice
	for _, param := range []string{snapshot.ByTags, "series", wire.LessRelevant} {
		if v := strings.Join(asked[param], ","); v != "" {
			out = append(out, templates.Choice{Param: param, Value: v})
		}
	}
	return out
}

// choices are what a reader chose besides words, in the order of the form, each with the
// address without it.
func (b *snapshotView) choices(t *locale, asked url.Values) []templates.Chosen {
	var out []templates.Chosen
	drop := func(name, param string, rest []string) {
		q := without(asked, param)
		q.Del("page")
		if len(rest) > 0 {
			q.Set(param, strings.Join(rest, ","))
		}
		out = append(out, templates.Chosen{Name: name, Route: searchRoute(t, q)})
	}
	for _, p := range searchParams {
		values := choice(asked, p.param)
		for i, v := range values {
			drop(b.value(t, p.param, p.family, v).Name, p.param, slices.Delete(slices.Clone(values), i, i+1))
		}
	}
	for _, param := range []string{"period_start", "period_end"} {
		if v := asked.Get(param); v != "" {
			drop(t.word("search", param)+" "+v, param, nil)
		}
	}
	for i, v := range choice(asked, snapshot.ByTags) {
		drop(v, snapshot.ByTags, slices.Delete(choice(asked, snapshot.ByTags), i, i+1))
	}
	if s := b.c.SeriesByID(asked.Get("series")); s != nil {
		drop(s.Title, "series", nil)
	}
	return out
}

// searchRoute is the address of a question; without one it is that of the whole register.
func searchRoute(t *locale, q url.Values) string {
	if len(q) == 0 {
		return localRoute(t.code, "/browse")
	}
	return localRoute(t.code, "/search") + "?" + q.Encode()
}

// sorts are the orders that the form offers. Without words nothing is more relevant than
// another entry.
func sorts(t *locale, asked url.Values) []templates.Choice {
	var out []templates.Choice
	now := asked.Get("sort_by")
	for _, key := range []string{wire.SortRelevance, string(snapshot.SortRanking), string(snapshot.SortCreated), string(snapshot.SortVerified), string(snapshot.SortName)} {
		if key == wire.SortRelevance && asked != nil && asked.Get("q") == "" {
			continue
		}
		value := key
		if len(out) == 0 {
			value = "" // what is usual needs no parameter
		}
		out = append(out, templates.Choice{Value: value, Name: t.word("sort", key), Checked: now == key})
	}
	return out
}

// value is what readers call a value of a filter.
func (b *snapshotView) value(t *locale, param, family, value string) templates.Choice {
	c := templates.Choice{Value: value}
	switch {
	case family != "":
		c.Name = t.word(family, value)
	case param == snapshot.ByCountry:
		c.Name = t.country(value)
	case param == "lang":
		c.Name = t.languageOf(value)
	case param == "frequency" || param == "hvd_category":
		c.Name = t.label(param, value)
	default:
		c.Name, c.Outside = b.outsideName(t, param, value), true
	}
	return c
}

// outsideName is the name of a value that the register does not name itself.
func (b *snapshotView) outsideName(t *locale, param, value string) string {
	switch param {
	case "institution_id":
		if i := b.c.Institutions[value]; i != nil {
			return t.body(i)
		}
	case "license":
		if x := b.c.Licences[value]; x != nil {
			return cmp.Or(x.Title, value)
		}
	case "format":
		return formatName(value)
	case "place":
		return t.place(value)
	}
	return value
}

// label is the name of a frequency or a category of high-value datasets: in the language of
// the interface where it has one, else that of the EU tables.
func (t *locale) label(family, code string) string {
	return cmp.Or(t.plain[family+"."+code], labels()[code], code)
}

// formatName is what readers call a file type.
func formatName(code string) string { return usage.Name(code) }

// formatNames are what readers call file types, each name once.
func formatNames(codes []string) (names []string) {
	for _, code := range codes {
		if name := formatName(code); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// labels are the names that the EU tables give to codes.
var labels = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for c := range codelist.Codes() {
		switch c.List {
		case "frequency", "hvd":
			out[c.Code] = c.Label
		}
	}
	return out
})
