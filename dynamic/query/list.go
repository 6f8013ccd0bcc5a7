package query

import (
	"context"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// listRoutes is where a list lies, and its pinned pages in the snapshot.
type listRoutes struct {
	route  string
	pinned func(site snapshot.Site, id string, page int) string
}

var (
	entryList       = listRoutes{"/api/v1/entries", wire.PinnedPath}
	institutionList = listRoutes{wire.RouteInstitutions, wire.PinnedInstitutionsPath}
)

// Page is one page of a list: the body and the links that it holds.
type Page struct {
	Body  []byte
	Links wire.Links
}

// ListPage makes the page that a request asks for. Its items are byte for byte
// those of the pages that a build makes.
func (s *Snapshot) ListPage(ctx context.Context, r *Request) (*Page, error) {
	found, err := s.selected(ctx, r)
	if err != nil {
		return nil, err
	}
	pages := wire.TotalPages(len(found), r.Limit)
	var lines []*snapshot.Line
	if r.Page <= pages {
		from := (r.Page - 1) * r.Limit
		for _, i := range found[from:min(from+r.Limit, len(found))] {
			lines = append(lines, &s.Lines[i])
		}
	}
	head := wire.PageHead{Total: len(found), Page: r.Page, Limit: r.Limit, TotalPages: pages, Links: s.links(r, pages, entryList)}
	body, err := wire.EncodePage(s.Catalog, lines, head, s.AsOf, true)
	if err != nil {
		return nil, err
	}
	return &Page{body, head.Links}, nil
}

// links lead to the neighbours of a page. Those of the default list are the
// pinned pages; before the first page beyond the end lies the last
// one that exists.
func (s *Snapshot) links(r *Request, pages int, of listRoutes) wire.Links {
	last := max(1, pages)
	at := func(n int) string {
		if r.normal == "" && r.Limit == wire.DefaultLimit {
			return of.pinned(s.Site, s.ID, n)
		}
		return s.address(of.route, r, n)
	}
	l := wire.Links{Self: s.address(of.route, r, r.Page), First: at(1), Last: at(last)}
	if r.Page > 1 {
		prev := at(min(r.Page-1, last))
		l.Prev = &prev
	}
	if r.Page < pages {
		next := at(r.Page + 1)
		l.Next = &next
	}
	return l
}

// address is the normal address of page n of a request.
func (s *Snapshot) address(route string, r *Request, n int) string {
	out := wire.Path(s.Site, route) + "?page=" + strconv.Itoa(n)
	if r.Limit != wire.DefaultLimit {
		out += "&limit=" + strconv.Itoa(r.Limit)
	}
	return out + r.normal + "&snapshot=" + s.ID
}

// FacetsPage counts the values of the entries that a request selects.
func (s *Snapshot) FacetsPage(ctx context.Context, r *Request) ([]byte, error) {
	every := *r
	every.Query.Collapse, every.normal = false, strings.ReplaceAll(r.normal, "&collapse=series", "")
	found, err := s.selected(ctx, &every)
	if err != nil {
		return nil, err
	}
	leave, err := s.gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	counts := s.columns().counters.Get().(*counter)
	defer func() { counts.reset(); s.columns().counters.Put(counts) }()
	total := s.count(counts, found, r.Query.Collapse)
	return wire.Seal(wire.FacetsPage{Total: total, Snapshot: s.ID, Facets: counts.facets(snapshot.FacetMax)}, s.AsOf, true)
}

// count counts entries, of a series one if it is collapsed, and their values.
func (s *Snapshot) count(counts *counter, found []int32, collapse bool) (total int) {
	members := map[*snapshot.Series][]result{}
	for _, i := range found {
		if collapse {
			if g := s.SeriesOf(int(i)); g != nil {
				members[g] = append(members[g], result{in: s, ordinal: uint32(i)})
				continue
			}
		}
		counts.add(uint32(i))
		total++
	}
	for _, list := range members {
		counts.addSeries(list)
	}
	return total + len(members)
}
