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
	counted, err := c.counted(q)
	if err != nil {
		return nil, err
	}
	found, err := c.s.Select(c.r.Context(), q)
	if err != nil {
		return nil, err
	}
	out := &searched{Count: found.Total, Sort: cmp.Or(c.get("sort"), usualSort), Facets: map[string]map[string]int{}, SearchFacets: map[string]searchFacet{}, Results: []any{}}
	for _, x := range counted {
		c.count(out, &x, found)
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

// counting is a field whose values are counted, and the counts of what no dimension has.
type counting struct {
	name string
	field
	own map[string]int
}

// counted makes a selection count the fields that are asked for.
func (c *call) counted(q *query.Selection) ([]counting, error) {
	if c.has("facet") && !c.yes("facet") {
		return nil, nil
	}
	var list []counting
	for _, name := range texts(c.get("facet.field")) {
		f, ok := fieldOf(name)
		if !ok {
			return nil, unsearchable("undefined field: \"" + name + "\"")
		}
		list = append(list, counting{name, f, map[string]int{}})
	}
	if q.Facets = c.facetLimit(); len(list) == 0 {
		q.Facets = 0
	}
	if own := slices.DeleteFunc(slices.Clone(list), func(x counting) bool { return x.values == nil }); len(own) > 0 {
		q.Each = func(l *snapshot.Line) {
			for _, x := range own {
				for _, v := range x.values(l) {
					x.own[v]++
				}
			}
		}
	}
	return list, nil
}

// facetLimit is how many values of a field are told; none for 0, as in Solr.
func (c *call) facetLimit() int {
	if n := c.number("facet.limit", 50); n >= 0 {
		return n
	}
	return unlimited
}

// counts are the values of a field in what was found, the most frequent first.
func (x *counting) counts(found *query.Selected, most int) []snapshot.Count {
	if x.values == nil {
		return facetOf(&found.Facets, x.dimension)
	}
	list := make([]snapshot.Count, 0, len(x.own))
	for v, n := range x.own {
		list = append(list, snapshot.Count{Value: v, Count: n})
	}
	slices.SortFunc(list, func(a, b snapshot.Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	return list[:min(most, len(list))]
}

// count tells the values of a field.
func (c *call) count(out *searched, x *counting, found *query.Selected) {
	counts, items, least := map[string]int{}, []facetItem{}, c.number("facet.mincount", 1)
	for _, n := range x.counts(found, c.facetLimit()) {
		if n.Count < least {
			continue
		}
		value, shown := x.of(c, n.Value)
		counts[value] = n.Count
		items = append(items, facetItem{value, shown, n.Count})
	}
	out.Facets[x.name], out.SearchFacets[x.name] = counts, searchFacet{x.name, items}
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
var orders = map[string]query.Key{
	"id":                {Compare: func(a, b *snapshot.Line) int { return cmp.Compare(a.ID, b.ID) }},
	"name":              {Compare: byName},
	"title":             {},
	"title_string":      {},
	"metadata_created":  {Compare: func(a, b *snapshot.Line) int { return cmp.Compare(a.Created, b.Created) }},
	"metadata_modified": {Compare: byChange},
}

// order reads a sort. Where the score comes first the words decide, or the ranking.
func order(sort string) (keys []query.Key, err error) {
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
			return keys, nil
		}
		key, known := orders[words[0]]
		if !known || len(words) > 2 || direction != "asc" && direction != "desc" {
			return nil, unsearchable("Invalid sort: \"" + sort + "\"")
		}
		key.Desc = direction == "desc"
		keys = append(keys, key)
	}
	return keys, nil
}
