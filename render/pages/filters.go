package pages

import (
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/assay-register/assay/render/codelist"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// searchFacet is a filter of the search form.
type searchFacet struct {
	Param, Key string
	// Values are those that most of what was found has, More the next ones.
	Values, More []searchValue
	Open         bool
}

type searchValue struct {
	Value, Name, Count string
	Checked            bool
}

// searchParams are the filters of the search form, the ones that most readers look for
// first: their strings, and the family of those of their values.
var searchParams = []struct{ param, facet, family string }{
	{"type", "type", "type"}, {"theme", "theme", "theme"}, {"institution_id", "institution", ""}, {"country_code", "country", ""},
	{"format", "format", ""}, {"license", "licence", ""}, {"access_rights", "rights", "rights"}, {"free_access_class", "access", "access"},
	{"has_download", "download", "download"}, {"lang", "language", ""}, {"frequency", "frequency", ""}, {"hvd_category", "hvd", ""},
	{"mqa_tier", "tier", "tier"}, {"verification_state", "state", "state"},
}

// Bounds of the search form.
const (
	// valuesShown is how many values of a filter are in sight, valuesMax how many there are.
	valuesShown = 8
	valuesMax   = 40
	// facetsOpen is how many filters are open.
	facetsOpen = 3
)

func searchData(b *snapshotView, t *locale) (any, error) {
	return map[string]any{"Facets": b.searchFacets(t, &b.counts, nil), "Query": "", "Asked": false, "Period": period(nil), "Sorts": sorts(t, nil)}, nil
}

// searchFacets are the filters with the values that most entries of the counts have, and
// with those that the reader chose.
func (b *snapshotView) searchFacets(t *locale, counts *snapshot.Facets, asked url.Values) []searchFacet {
	dimensions := snapshot.Dimensions()
	var out []searchFacet
	total := 0
	for _, n := range counts.Type {
		total += n.Count
	}
	for _, p := range searchParams {
		d := &dimensions[slices.IndexFunc(dimensions, func(d snapshot.Dimension) bool { return d.Name == p.param })]
		f := searchFacet{Param: p.param, Key: "facet." + p.facet}
		chosen := choice(asked, p.param)
		for i, n := range *d.Counts(counts) {
			v := searchValue{Value: n.Value, Name: b.valueName(t, p.param, p.family, n.Value), Count: t.number(n.Count), Checked: slices.Contains(chosen, n.Value)}
			switch {
			case i < valuesShown || v.Checked:
				f.Values = append(f.Values, v)
			case i < valuesMax:
				f.More = append(f.More, v)
			}
		}
		for _, v := range chosen {
			if !slices.ContainsFunc(f.Values, func(x searchValue) bool { return x.Value == v }) {
				f.Values = append(f.Values, searchValue{Value: v, Name: b.valueName(t, p.param, p.family, v), Count: t.number(0), Checked: true})
			}
		}
		list := *d.Counts(counts)
		narrows := len(list) > 1 || len(list) == 1 && list[0].Count < total // what all have narrows nothing
		if narrows || len(chosen) > 0 {
			f.Open = len(out) < facetsOpen || len(chosen) > 0
			out = append(out, f)
		}
	}
	return out
}

// choice are the values of a filter that a reader chose.
func choice(asked url.Values, param string) []string {
	return slices.DeleteFunc(strings.Split(strings.Join(asked[param], ","), ","), func(v string) bool { return v == "" })
}

// chosen is something that narrows the results, and the address without it.
type chosen struct{ Name, Route string }

// choices are what a reader chose besides words, in the order of the form.
func (b *snapshotView) choices(t *locale, route string, asked url.Values) []chosen {
	var out []chosen
	without := func(name, param string, rest []string) {
		q := url.Values{}
		for k, v := range asked {
			if k != "page" && k != param {
				q.Set(k, strings.Join(v, ","))
			}
		}
		if len(rest) > 0 {
			q.Set(param, strings.Join(rest, ","))
		}
		out = append(out, chosen{name, route + "?" + q.Encode()})
	}
	for _, p := range searchParams {
		values := choice(asked, p.param)
		for i, v := range values {
			without(b.valueName(t, p.param, p.family, v), p.param, slices.Delete(slices.Clone(values), i, i+1))
		}
	}
	for _, param := range []string{"period_start", "period_end"} {
		if v := asked.Get(param); v != "" {
			without(t.word("search", param)+" "+v, param, nil)
		}
	}
	for i, v := range choice(asked, "tags") {
		without(v, "tags", slices.Delete(choice(asked, "tags"), i, i+1))
	}
	return out
}

// sorts are the orders that the form offers. Without words nothing is more relevant than
// another entry.
func sorts(t *locale, asked url.Values) []searchValue {
	var out []searchValue
	now := asked.Get("sort_by")
	for _, key := range []string{wire.SortRelevance, string(snapshot.SortRanking), string(snapshot.SortCreated), string(snapshot.SortVerified), string(snapshot.SortName)} {
		if key == wire.SortRelevance && asked != nil && asked.Get("q") == "" {
			continue
		}
		value := key
		if len(out) == 0 {
			value = "" // what is usual needs no parameter
		}
		out = append(out, searchValue{Value: value, Name: t.word("sort", key), Checked: now == key})
	}
	return out
}

// valueName is what readers call a value of a filter.
func (b *snapshotView) valueName(t *locale, param, family, value string) string {
	switch {
	case family != "":
		return t.word(family, value)
	case param == "country_code":
		return t.country(value)
	case param == "lang":
		return t.languageOf(value)
	case param == "institution_id" && b.c.Institutions[value] != nil:
		return institutionName(b.c.Institutions[value])
	case param == "license" && b.c.Licences[value] != nil && b.c.Licences[value].Title != "":
		return b.c.Licences[value].Title
	case param == "frequency" || param == "hvd_category":
		return labelOf(value)
	}
	return value
}

// labelOf is the name of a frequency or a category of high-value datasets in the EU tables.
func labelOf(code string) string {
	if label := labels()[code]; label != "" {
		return label
	}
	return code
}

var labels = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for c := range codelist.Codes() {
		if c.List == "frequency" || c.List == "hvd" {
			out[c.Code] = c.Label
		}
	}
	return out
})
