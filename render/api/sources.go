package api

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// sourcesPerPage is how many sources a page of their list has.
const sourcesPerPage = 100

const sourcesRoute = "/api/v1/sources"

// sources renders the harvest log.
func sources(c *snapshot.Catalog, emit Emit) error {
	list := slices.Clone(c.Harvested)
	slices.SortFunc(list, func(a, b snapshot.Harvested) int { return strings.Compare(a.Source.ID, b.Source.ID) })
	for i := range list {
		h := &list[i]
		for _, page := range []struct {
			part string
			body any
		}{{"", wire.NewSourcePage(c.Site, h)}, {"/runs", wire.NewSourceRuns(h)}} {
			f, err := sealed(sourcesRoute+"/"+h.Source.ID+page.part, artifact.ClassCatalog, page.body, wire.HarvestedAt(*h))
			if err == nil {
				err = emit(f)
			}
			if err != nil {
				return fmt.Errorf("source %s: %w", h.Source.ID, err)
			}
		}
	}
	// Pages before the list that leads to them.
	for n := max(1, wire.TotalPages(len(list), sourcesPerPage)); n >= 0; n-- {
		f, err := sourcesPage(c, list, n)
		if err == nil {
			err = emit(f)
		}
		if err != nil {
			return fmt.Errorf("sources: %w", err)
		}
	}
	return nil
}

// sourcesPage renders page n, counted from one; 0 is the first one under the
// name of the list.
func sourcesPage(c *snapshot.Catalog, list []snapshot.Harvested, n int) (artifact.File, error) {
	route, number := sourcesRoute, max(1, n)
	if n > 0 {
		route = pageRoute(n)
	}
	pages := wire.TotalPages(len(list), sourcesPerPage)
	last := max(1, pages)
	out := wire.SourcesPage{Items: []wire.SourceItem{}, Total: len(list), Page: number, Limit: sourcesPerPage, TotalPages: pages,
		Links: wire.Links{Self: wire.Path(c.Site, route), First: wire.Path(c.Site, pageRoute(1)), Last: wire.Path(c.Site, pageRoute(last))}}
	if number > 1 {
		prev := wire.Path(c.Site, pageRoute(number-1))
		out.Links.Prev = &prev
	}
	if number < last {
		next := wire.Path(c.Site, pageRoute(number+1))
		out.Links.Next = &next
	}
	first := min((number-1)*sourcesPerPage, len(list))
	shown := list[first:min(first+sourcesPerPage, len(list))]
	for i := range shown {
		out.Items = append(out.Items, wire.NewSourceItem(c.Site, &shown[i]))
	}
	changed := wire.HarvestedAt(shown...)
	if changed.IsZero() {
		changed = c.AsOf
	}
	return sealed(route, artifact.ClassList, out, changed)
}

func pageRoute(n int) string { return "/api/v1/catalog/sources/" + itoa(n) }
