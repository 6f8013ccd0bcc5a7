package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/rdf"
)

// catalogPage is what a DCAT-AP document of several entries says of itself.
type catalogPage struct {
	// paged tells that the document is a page of a collection.
	paged bool
	// self, first, next and last are addresses, "" for none.
	self, first, next, last string
	// total is hydra:totalItems, records how many the catalogue lists here.
	total, records int
}

// add takes a statement about the document or its catalogue.
func (p *catalogPage) add(t *rdf.Triple) {
	switch t.Predicate.Value {
	case dcatNS + "record":
		p.records++
	case rdf.RDFType:
		if t.Object.Value == hydraNS+"PartialCollectionView" {
			p.paged, p.self = true, t.Subject.Value
		}
	case hydraNS + "first":
		p.first = t.Object.Value
	case hydraNS + "next":
		p.next = t.Object.Value
	case hydraNS + "last":
		p.last = t.Object.Value
	case hydraNS + "totalItems":
		if n, err := strconv.Atoi(t.Object.Value); err == nil {
			p.total = n
		}
	}
}

// checkPaging walks the pages of each form as a harvester does: every page is
// reached once, and all of them hold as many entries as they say and as the
// whole catalogue has.
func (c *checker) checkPaging() {
	byForm := map[string][]string{}
	for _, route := range slices.Sorted(maps.Keys(c.paged)) {
		if p := c.paged[route]; p.paged {
			stem, form, _ := cutForm(route)
			if stem == startStem {
				c.checkStart(route, p)
				continue
			}
			byForm[form] = append(byForm[form], route)
			if p.self != c.first.BaseURL+route {
				c.report.fault(route, "calls itself %s", p.self)
			}
		}
	}
	for _, form := range slices.Sorted(maps.Keys(byForm)) {
		c.walkPages(form, byForm[form])
	}
}

// walkPages follows hydra:next from the first page.
func (c *checker) walkPages(form string, routes []string) {
	first := c.paged[routes[0]]
	reached, records := map[string]bool{}, 0
	from, next, last := routes[0], first.first, ""
	for next != "" {
		route := strings.TrimPrefix(next, c.first.BaseURL)
		p := c.paged[route]
		if p == nil || !p.paged || reached[route] {
			c.report.fault(from, "leads to %s, which is no page of this form or was met before", next)
			return
		}
		if p.total != first.total || p.first != first.first {
			c.report.fault(route, "says %d entries from %s, other pages %d from %s", p.total, p.first, first.total, first.first)
		}
		reached[route] = true
		records += p.records
		from, next, last = route, p.next, p.last
	}
	if last != c.first.BaseURL+from {
		c.report.fault(from, "has no next page and is not the last one, %s", last)
	}
	for _, r := range routes {
		if !reached[r] {
			c.report.fault(r, "cannot be reached by the links of the pages")
		}
	}
	if records != first.total {
		c.report.fault(routes[0], "the pages of this form hold %d entries and say %d", records, first.total)
	}
	if form == "rdf" {
		form = "ttl" // the whole is in two forms only
	}
	whole := 0
	if p := c.paged["/api/v1/catalog/dcat."+form]; p != nil {
		whole = p.records
	}
	if whole != first.total {
		c.report.fault("/api/v1/catalog/dcat."+form, "holds %d entries, its pages say %d", whole, first.total)
	}
}

// checkStart holds the page with which harvesters begin to the first pinned one: it is
// the same page.
func (c *checker) checkStart(route string, p *catalogPage) {
	first := c.paged[strings.TrimPrefix(p.self, c.first.BaseURL)]
	if first == nil || p.self != p.first || *first != *p {
		c.report.fault(route, "is not the first page of the catalogue: it calls itself %s", p.self)
	}
}
