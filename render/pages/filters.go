package pages

import (
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/snapshot"
)

// searchFacet is a filter of the search form.
type searchFacet struct {
	Param, Key string
	Values     []searchValue
}

type searchValue struct {
	Value, Name, Count string
	Checked            bool
}

// searchParams are the filters of the search form and the facets whose values
// they offer.
var searchParams = []struct {
	param, facet, family string
	counts               func(*snapshot.Facets) []snapshot.Count
}{
	{"type", "type", "type", func(f *snapshot.Facets) []snapshot.Count { return f.Type }},
	{"theme", "theme", "theme", func(f *snapshot.Facets) []snapshot.Count { return f.Theme }},
	{"format", "format", "", func(f *snapshot.Facets) []snapshot.Count { return f.Format }},
	{"license", "licence", "", func(f *snapshot.Facets) []snapshot.Count { return f.License }},
	{"access_rights", "rights", "rights", func(f *snapshot.Facets) []snapshot.Count { return f.AccessRights }},
	{"free_access_class", "access", "access", func(f *snapshot.Facets) []snapshot.Count { return f.FreeAccessClass }},
	{"institution_id", "institution", "", func(f *snapshot.Facets) []snapshot.Count { return f.InstitutionID }},
	{"country_code", "country", "", func(f *snapshot.Facets) []snapshot.Count { return f.CountryCode }},
	{"lang", "language", "", func(f *snapshot.Facets) []snapshot.Count { return f.Lang }},
	{"mqa_tier", "tier", "tier", func(f *snapshot.Facets) []snapshot.Count { return f.Tier }},
	{"verification_state", "state", "state", func(f *snapshot.Facets) []snapshot.Count { return f.State }},
}

// searchValuesShown is how many values of a filter the form offers.
const searchValuesShown = 8

func searchData(b *snapshotView, t *locale) (any, error) {
	return map[string]any{"Facets": b.searchFacets(t, &b.counts, nil), "Query": "", "Asked": false, "Period": period(nil)}, nil
}

// searchFacets are the filters with the values that most entries of the counts have, and
// with those that the reader chose.
func (b *snapshotView) searchFacets(t *locale, counts *snapshot.Facets, asked url.Values) []searchFacet {
	var out []searchFacet
	for _, p := range searchParams {
		f := searchFacet{Param: p.param, Key: "facet." + p.facet}
		chosen := strings.Split(strings.Join(asked[p.param], ","), ",")
		add := func(value, count string) {
			f.Values = append(f.Values, searchValue{Value: value, Name: b.valueName(t, p.param, p.family, value), Count: count, Checked: slices.Contains(chosen, value)})
		}
		for i, n := range p.counts(counts) {
			if i < searchValuesShown || slices.Contains(chosen, n.Value) {
				add(n.Value, t.number(n.Count))
			}
		}
		for _, v := range chosen {
			if v != "" && !slices.ContainsFunc(f.Values, func(x searchValue) bool { return x.Value == v }) {
				add(v, t.number(0))
			}
		}
		out = append(out, f)
	}
	return out
}

// valueName is what readers call a value of a filter.
func (b *snapshotView) valueName(t *locale, param, family, value string) string {
	switch {
	case family != "":
		return t.word(family, value)
	case param == "country_code":
		return countryName(value)
	case param == "lang":
		return languageName(value)
	case param == "institution_id" && b.c.Institutions[value] != nil:
		return institutionName(b.c.Institutions[value])
	case param == "license" && b.c.Licences[value] != nil && b.c.Licences[value].Title != "":
		return b.c.Licences[value].Title
	}
	return value
}
