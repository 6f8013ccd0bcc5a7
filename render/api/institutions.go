package api

import (
	"fmt"
	"sync"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Institutions renders the pages about institutions. It works out which
// entries an institution has once for each snapshot.
type Institutions struct {
	mu   sync.Mutex
	last *snapshot.Catalog
	all  []snapshot.Holding
	// first tells by the ordinal of an institution's first entry which it is.
	first map[int32]int
}

// NewInstitutions makes a renderer, which is safe for concurrent use.
func NewInstitutions() *Institutions { return &Institutions{} }

// of works a snapshot out.
func (x *Institutions) of(c *snapshot.Catalog) (all []snapshot.Holding, first map[int32]int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.last != c {
		x.last, x.all, x.first = c, c.Holdings(), map[int32]int{}
		for i := range x.all {
			x.first[x.all[i].Ordinals[0]] = i
		}
	}
	return x.all, x.first
}

// Related renders the page of an institution, under its id and its key, beside
// the first of its entries: the lists that lead to it come later.
func (x *Institutions) Related(c *snapshot.Catalog, ordinal int) ([]artifact.File, error) {
	all, first := x.of(c)
	i, ok := first[int32(ordinal)]
	if !ok {
		return nil, nil
	}
	h := &all[i]
	page, changed := wire.NewInstitutionPage(c, h.Institution, h.Ordinals)
	f, err := sealed(wire.InstitutionRoute(h.Institution.ID), artifact.ClassCatalog, page, changed)
	if err != nil {
		return nil, fmt.Errorf("institution %s: %w", h.Institution.Key, err)
	}
	if catalog.CheckSlug(h.Institution.Key) == nil {
		f.Alias = wire.InstitutionRoute(h.Institution.Key)
	}
	return []artifact.File{f}, nil
}

// Beside sums up what Related shows of the entries of an institution.
func (x *Institutions) Beside(c *snapshot.Catalog, ordinal int) uint64 {
	all, first := x.of(c)
	var b snapshot.Basis
	if i, ok := first[int32(ordinal)]; ok {
		b.Text(all[i].Institution.ID)
		for _, n := range all[i].Ordinals {
			b.Add(c.Lines[n].Sums.All)
		}
	}
	return b.Sum()
}

// Pages is how many pinned pages of institutions a snapshot has.
func (x *Institutions) Pages(c *snapshot.Catalog) int {
	all, _ := x.of(c)
	return max(1, wire.TotalPages(len(all), PageSize))
}

// SnapshotPage renders page n, counted from one, of the institutions.
func (x *Institutions) SnapshotPage(c *snapshot.Catalog, n int) (artifact.File, error) {
	route := "/s/" + c.ID + "/api/v1/institutions/pages/" + itoa(n)
	body, err := x.page(c, n, wire.Path(c.Site, route))
	return artifact.File{Route: route, Type: artifact.JSON, Class: artifact.ClassList, Cache: artifact.Pinned, Body: body}, err
}

// Index renders the first page; its neighbours are pinned pages.
func (x *Institutions) Index(c *snapshot.Catalog) (artifact.File, error) {
	const route = "/api/v1/institutions"
	body, err := x.page(c, 1, wire.Path(c.Site, route))
	return artifact.File{Route: route, Type: artifact.JSON, Class: artifact.ClassList, Body: body}, err
}

func (x *Institutions) page(c *snapshot.Catalog, n int, self string) ([]byte, error) {
	all, _ := x.of(c)
	p := wire.NewInstitutionsPage(c, all, n, PageSize)
	p.Links = neighbours(n, x.Pages(c), self, func(n int) string { return wire.PinnedInstitutionsPath(c.Site, c.ID, n) })
	return wire.Seal(p, c.AsOf, false)
}

// neighbours are the links of page n of a list.
func neighbours(n, pages int, self string, path func(int) string) wire.Links {
	links := wire.Links{Self: self, First: path(1), Last: path(pages)}
	if n > 1 {
		prev := path(n - 1)
		links.Prev = &prev
	}
	if n < pages {
		next := path(n + 1)
		links.Next = &next
	}
	return links
}
