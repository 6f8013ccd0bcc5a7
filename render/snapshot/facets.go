package snapshot

import (
	"cmp"
	"slices"
)

// FacetMax is how many values of one facet are counted out; the rest is only
// reachable by filter.
const FacetMax = 200

// Count is how many entries have a value.
type Count struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Facets are counts of values over a selection of entries.
type Facets struct {
	Type            []Count `json:"type"`
	CountryCode     []Count `json:"country_code"`
	InstitutionType []Count `json:"institution_type"`
	InstitutionID   []Count `json:"institution_id"`
	Tags            []Count `json:"tags"`
	State           []Count `json:"verification_state"`
	Status          []Count `json:"status"`
	FreeAccessClass []Count `json:"free_access_class"`
	AuthType        []Count `json:"auth_type"`
	AccessRights    []Count `json:"access_rights"`
	Tier            []Count `json:"mqa_tier"`
	Maturity        []Count `json:"maturity"`
	Format          []Count `json:"format"`
	Lang            []Count `json:"lang"`
	License         []Count `json:"license"`
	LicenseAllows   []Count `json:"license_allows"`
	Theme           []Count `json:"theme"`
	HVDCategory     []Count `json:"hvd_category"`
	Place           []Count `json:"place"`
	Frequency       []Count `json:"frequency"`
	HasDownload     []Count `json:"has_download"`
}

// Facets counts the values of the selected ordinals.
func (c *Catalog) Facets(selected []int32) Facets {
	var f Facets
	for i := range dimensions {
		d := &dimensions[i]
		if !d.Counted {
			continue
		}
		var room [1]string
		*d.Counts(&f) = c.tally(selected, func(l *Line, add func(string)) {
			for _, v := range d.Values(l, room[:0]) {
				add(v)
			}
		})
	}
	return f
}

// tally counts values, most frequent first, ties by value; empty ones are not
// counted.
func (c *Catalog) tally(selected []int32, each func(*Line, func(string))) []Count {
	counts := map[string]int{}
	add := func(v string) {
		if v != "" {
			counts[v]++
		}
	}
	for _, i := range selected {
		each(&c.Lines[i], add)
	}
	out := make([]Count, 0, len(counts))
	for v, n := range counts {
		out = append(out, Count{v, n})
	}
	return mostFrequent(out)
}

// mostFrequent puts counts in order and keeps those that are counted out.
func mostFrequent(out []Count) []Count {
	slices.SortFunc(out, func(a, b Count) int {
		if r := cmp.Compare(b.Count, a.Count); r != 0 {
			return r
		}
		return cmp.Compare(a.Value, b.Value)
	})
	return out[:min(len(out), FacetMax)]
}

// LeftOut counts the entries that DCAT-AP cannot hold, by reason.
func (c *Catalog) LeftOut() []Count {
	return c.tally(c.every(), func(l *Line, add func(string)) { add(l.LeftOut) })
}
