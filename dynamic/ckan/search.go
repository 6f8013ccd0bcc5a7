package ckan

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// searched is the answer of package_search.
type searched struct {
	Count        int                       `json:"count"`
	Sort         string                    `json:"sort"`
	Facets       map[string]map[string]int `json:"facets"`
	SearchFacets map[string]searchFacet    `json:"search_facets"`
	Results      []any                     `json:"results"`
}

type searchFacet struct {
	Title string      `json:"title"`
	Items []facetItem `json:"items"`
}

type facetItem struct {
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
	Count       int    `json:"count"`
}

// extBox is the one parameter of an extension that is heeded: that of ckanext-spatial, which clients of
// portals with maps send.
const extBox = "ext_bbox"

// usualSort is the order without a sort.
const usualSort = "score desc, metadata_modified desc"

// packageSearch answers words and conditions.
func packageSearch(c *call) (any, error) {
	q := &query.Selection{Values: url.Values{}, Offset: c.number("start", 0), Limit: c.amount("rows", wire.CKANRowsDefault, wire.CKANRowsMax)}
	var conditions []query.Condition
	filters := append(texts(c.get("fq")), texts(c.get("fq_list"))...)
	if text := strings.TrimSpace(c.get("q")); inSolr(text) {
		filters = append(filters, text)
	} else if text != "" && text != "*:*" && text != "*" {
		q.Values.Set("q", text)
	}
	for _, text := range filters {
		x, err := c.parse(text)
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, x)
	}
	if text := c.get(extBox); text != "" {
		box, ok := catalog.ParseBox(text)
		if !ok {
			return nil, invalid(extBox, "Must be west,south,east,north in degrees")
		}
		conditions = append(conditions, query.Fits(func(l *snapshot.Line) bool { return l.Box != nil && l.Box.Intersects(box) }))
	}
	q.Where = query.Every(conditions...)
	var err error
	if q.Order, err = order(c.get("sort")); err != nil {
		return nil, err
	}
	fields := texts(c.get("facet.field"))
	if len(fields) > 0 && (!c.has("facet") || c.yes("facet")) {
		if q.Facets = c.number("facet.limit", 50); q.Facets < 0 {
			q.Facets = unlimited
		}
	}
	found, err := c.s.Select(c.r.Context(), q)
	if err != nil {
		return nil, err
	}
	out := &searched{Count: found.Total, Sort: cmp.Or(c.get("sort"), usualSort), Facets: map[string]map[string]int{}, SearchFacets: map[string]searchFacet{}, Results: []any{}}
	if q.Facets > 0 {
		if err := c.count(out, &found.Facets, fields); err != nil {
			return nil, err
		}
	}
	packs, err := c.packages(found.Lines)
	if err != nil {
		return nil, err
	}
	return out, out.add(packs, c.get("fl"))
}

// add puts the packages into the answer, whole or with some members.
func (s *searched) add(packs []*pack, fields string) error {
	wanted := strings.FieldsFunc(fields, func(r rune) bool { return r == ',' || r == ' ' })
	for _, p := range packs {
		if len(wanted) == 0 || slices.Contains(wanted, "*") {
			s.Results = append(s.Results, p)
			continue
		}
		b, err := json.Marshal(p)
		if err != nil {
			return err
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(b, &all); err != nil {
			return err
		}
		maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool { return !slices.Contains(wanted, name) })
		s.Results = append(s.Results, all)
	}
	return nil
}

// count tells the values of the fields that are asked for.
func (c *call) count(out *searched, all *snapshot.Facets, fields []string) error {
	least := c.number("facet.mincount", 1)
	for _, name := range fields {
		f, ok := facetFields[name]
		if dimension := strings.TrimPrefix(name, "extras_"); !ok && isDimension(dimension) {
			f, ok = field{dimension: dimension}, true
		}
		if !ok {
			return unsearchable("undefined field: \"" + name + "\"")
		}
		counts, items := map[string]int{}, []facetItem{}
		for _, n := range facetOf(all, f.dimension) {
			if n.Count < least {
				continue
			}
			value, shown := f.of(c, n.Value)
			counts[value] = n.Count
			items = append(items, facetItem{value, shown, n.Count})
		}
		out.Facets[name], out.SearchFacets[name] = counts, searchFacet{name, items}
	}
	return nil
}

// facetOf are the counts of a dimension.
func facetOf(f *snapshot.Facets, dimension string) []snapshot.Count {
	for _, d := range snapshot.Dimensions() {
		if d.Name == dimension && d.Counted {
			return *d.Counts(f)
		}
	}
	return nil
}

func isDimension(name string) bool {
	return slices.ContainsFunc(snapshot.Dimensions(), func(d snapshot.Dimension) bool { return d.Name == name })
}

// orders are the fields that packages can be ordered by, from the least.
var orders = map[string]func() func(a, b *snapshot.Line) int{
	"id":           func() func(a, b *snapshot.Line) int { return byID },
	"name":         func() func(a, b *snapshot.Line) int { return byName },
	"title":        byTitle,
	"title_string": byTitle,
	"metadata_created": func() func(a, b *snapshot.Line) int {
		return func(a, b *snapshot.Line) int { return cmp.Compare(a.Created, b.Created) }
	},
	"metadata_modified": func() func(a, b *snapshot.Line) int { return func(a, b *snapshot.Line) int { return byChange(b, a) } },
}

func byID(a, b *snapshot.Line) int { return cmp.Compare(a.ID, b.ID) }

// byTitle folds each title once.
func byTitle() func(a, b *snapshot.Line) int {
	folded := map[*snapshot.Line]string{}
	fold := func(l *snapshot.Line) string {
		if folded[l] == "" {
			folded[l] = search.Fold(l.Name)
		}
		return folded[l]
	}
	return func(a, b *snapshot.Line) int { return cmp.Compare(fold(a), fold(b)) }
}

// order reads a sort. Where the score comes first the words decide, or the ranking.
func order(sort string) (func(a, b *snapshot.Line) int, error) {
	var keys []func(a, b *snapshot.Line) int
	for part := range strings.SplitSeq(sort, ",") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		direction := "asc"
		if len(words) == 2 {
			direction = strings.ToLower(words[1])
		}
		switch words[0] {
		case "score", "relevance", "rank", "views_recent", "views_total", "popularity":
			return chained(keys), nil
		}
		make := orders[words[0]]
		if make == nil || len(words) > 2 || direction != "asc" && direction != "desc" {
			return nil, unsearchable("Invalid sort: \"" + sort + "\"")
		}
		key := make()
		if direction == "desc" {
			ascending := key
			key = func(a, b *snapshot.Line) int { return ascending(b, a) }
		}
		keys = append(keys, key)
	}
	return chained(keys), nil
}

// chained orders by the first key that tells two apart, nil for no keys.
func chained(keys []func(a, b *snapshot.Line) int) func(a, b *snapshot.Line) int {
	if len(keys) == 0 {
		return nil
	}
	return func(a, b *snapshot.Line) int {
		for _, key := range keys {
			if r := key(a, b); r != 0 {
				return r
			}
		}
		return 0
	}
}
