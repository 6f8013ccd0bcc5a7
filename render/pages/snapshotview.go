package pages

import (
	"slices"
	"sync"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// snapshotView is one snapshot with what its pages are made from.
type snapshotView struct {
	*renderer
	c      *snapshot.Catalog
	locale *locale
	facets []*facet
	// lists are the values that have pages of their own, by facet and value.
	lists map[string]map[string]*list
	// holdings are the entries of each institution and country, by id and code.
	holdings, lands map[string][]int32
	// counts are those of all listed entries.
	counts snapshot.Facets
	abouts abouts
	// counter counts what the filters of lists offer.
	counter func() *snapshot.Counter
	// rowSums are the hashes of the rows of institutions and licences that were asked for.
	rowSums rowSums
}

type rowSums struct {
	mu sync.Mutex
	of map[any]uint64
}

func newBook(k *renderer, c *snapshot.Catalog) *snapshotView {
	b := &snapshotView{renderer: k, c: c, locale: locales()[languages[0]], holdings: map[string][]int32{}, lands: map[string][]int32{}, rowSums: rowSums{of: map[any]uint64{}}}
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
	b.counter = sync.OnceValue(func() *snapshot.Counter {
		var names []string
		for _, p := range searchParams {
			names = append(names, p.param)
		}
		return c.Counter(names...)
	})
	b.sortIntoLists()
	return b
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
