package month

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// body is an answer of a portal.
type body struct {
	media, text string
}

// pageSize is how many records a portal gives at once, however many are asked
// for.
const pageSize = 4

// list answers a request for the list of a portal; ok tells that it was one.
func (p *Portal) list(u *url.URL) (b body, ok bool) {
	base := "http://" + p.Host
	items := p.listed()
	switch {
	case p.Kind == "ckan" && u.Path == "/api/3/action/package_search":
		return asJSON(ckan(base, items, window(u, "start", items))), true
	case p.Kind == "datajson" && u.Path == "/data.json":
		return asJSON(map[string]any{"@type": "dcat:Catalog", "conformsTo": "https://project-open-data.cio.gov/v1.1/schema", "dataset": each(items, func(it *Item) any {
			return map[string]any{"@type": "dcat:Dataset", "identifier": it.Key, "title": it.Title, "description": "About " + it.Title + ".", "modified": "2026-01-01", "accessLevel": "public",
				"publisher": map[string]any{"name": "Office of " + p.Key}, "landingPage": base + "/page/" + it.Key,
				"distribution": []any{map[string]any{"downloadURL": base + "/data/" + it.Key + ".csv", "mediaType": "text/csv"}}}
		})}), true
	case p.Kind == "ods" && u.Path == "/api/explore/v2.1/catalog/datasets":
		return asJSON(map[string]any{"total_count": len(items), "results": each(window(u, "offset", items), func(it *Item) any {
			return map[string]any{"dataset_id": it.Key, "has_records": true, "data_visible": true, "features": []string{"analyze"},
				"metas": map[string]any{"default": map[string]any{"title": it.Title, "description": "About " + it.Title, "publisher": "Office of " + p.Key, "records_count": 3}}}
		})}), true
	case p.Kind == "socrata" && u.Path == "/api/catalog/v1":
		return asJSON(map[string]any{"resultSetSize": len(items), "results": each(window(u, "offset", items), func(it *Item) any {
			return map[string]any{"resource": map[string]any{"name": it.Title, "id": it.Key, "type": "dataset", "description": "About " + it.Title, "lens_view_type": "tabular"},
				"metadata": map[string]any{"domain": p.Host}, "permalink": base + "/d/" + it.Key, "link": base + "/d/" + it.Key}
		})}), true
	case p.Kind == "udata" && strings.HasPrefix(u.Path, "/api/1/"):
		return asJSON(udata(base, u, items)), true
	case p.Kind == "dcat" && u.Path == "/catalog.ttl":
		return body{"text/turtle", dcat(base, u, items)}, true
	case p.Kind == "ogc" && u.Path == "/wms":
		if len(items) == 0 {
			return body{"text/plain", ""}, false
		}
		return body{"text/xml", wms(base, items[0])}, true
	}
	return body{}, false
}

// Address is where the list of a portal is read.
func (p *Portal) Address() string {
	switch p.Kind {
	case "dcat":
		return "http://" + p.Host + "/catalog.ttl"
	case "ogc":
		return "http://" + p.Host + "/wms"
	}
	return "http://" + p.Host + "/"
}

func asJSON(v any) body {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain maps and strings
	}
	return body{"application/json", string(text)}
}

func each(items []*Item, of func(*Item) any) []any {
	list := make([]any, len(items))
	for i, it := range items {
		list[i] = of(it)
	}
	return list
}

// window is the page of items that begins at a number.
func window(u *url.URL, param string, items []*Item) []*Item {
	from, err := strconv.Atoi(u.Query().Get(param))
	if err != nil || from < 0 || from > len(items) {
		from = 0
	}
	return items[from:min(from+pageSize, len(items))]
}

func ckan(base string, all, items []*Item) any {
	return map[string]any{"success": true, "result": map[string]any{"count": len(all), "results": each(items, func(it *Item) any {
		return map[string]any{"id": it.Key, "name": it.Key, "title": it.Title, "type": "dataset", "state": "active", "private": false, "notes": "About " + it.Title,
			"license_id": "cc-by", "resources": []any{map[string]any{"id": "r-" + it.Key, "name": "table", "format": "CSV", "mimetype": "text/csv", "url_type": "upload", "state": "active",
				"url": base + "/data/" + it.Key + ".csv"}}}
	})}}
}

func udata(base string, u *url.URL, items []*Item) any {
	if !strings.Contains(u.Path, "/datasets/") {
		return map[string]any{"data": []any{}, "page": 1, "page_size": pageSize, "next_page": nil, "total": 0}
	}
	page, err := strconv.Atoi(u.Query().Get("page"))
	if err != nil || page < 1 || (page-1)*pageSize > len(items) {
		page = 1
	}
	from, next := (page-1)*pageSize, any(nil)
	to := min(from+pageSize, len(items))
	if to < len(items) {
		next = fmt.Sprintf("%s/api/1/datasets/?page=%d", base, page+1)
	}
	return map[string]any{"page": page, "page_size": pageSize, "total": len(items), "next_page": next, "data": each(items[from:to], func(it *Item) any {
		return map[string]any{"id": it.Key, "title": it.Title, "slug": it.Key, "description": "About " + it.Title, "page": base + "/page/" + it.Key + "/",
			"resources": []any{map[string]any{"id": "r-" + it.Key, "title": "table", "type": "main", "filetype": "file", "format": "csv", "mime": "text/csv", "url": base + "/data/" + it.Key + ".csv"}}}
	})}
}

// dcat writes a page of a catalogue in Turtle, with the way to the next one.
func dcat(base string, u *url.URL, all []*Item) string {
	items := window(u, "from", all)
	from, err := strconv.Atoi(u.Query().Get("from"))
	if err != nil {
		from = 0
	}
	var b strings.Builder
	b.WriteString("@prefix dcat: <http://www.w3.org/ns/dcat#> .\n@prefix dct: <http://purl.org/dc/terms/> .\n@prefix hydra: <http://www.w3.org/ns/hydra/core#> .\n")
	fmt.Fprintf(&b, "<%s/catalog> a dcat:Catalog ; dct:title \"Catalogue\"@en .\n", base)
	if next := from + pageSize; next < len(all) {
		fmt.Fprintf(&b, "<%s%s> a hydra:PartialCollectionView ; hydra:next <%s/catalog.ttl?from=%d> .\n", base, u.RequestURI(), base, next)
	}
	for _, it := range items {
		fmt.Fprintf(&b, "<%s/set/%s> a dcat:Dataset ; dct:title %q@en ; dct:description \"About it.\"@en ; dct:identifier %q ; dcat:landingPage <%s/page/%s> ; dcat:distribution <%s/dist/%s> .\n",
			base, it.Key, it.Title, it.Key, base, it.Key, base, it.Key)
		fmt.Fprintf(&b, "<%s/dist/%s> a dcat:Distribution ; dcat:accessURL <%s/page/%s> ; dcat:downloadURL <%s/data/%s.csv> ; dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv> .\n",
			base, it.Key, base, it.Key, base, it.Key)
	}
	return b.String()
}

func wms(base string, it *Item) string {
	return `<?xml version="1.0" encoding="UTF-8"?>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink"><Service><Name>WMS</Name><Title>` + it.Title +
		`</Title><Abstract>Maps.</Abstract><OnlineResource xlink:type="simple" xlink:href="` + base + `/about"/></Service><Capability><Request><GetCapabilities><Format>text/xml</Format><DCPType><HTTP><Get><OnlineResource xlink:href="` +
		base + `/wms?"/></Get></HTTP></DCPType></GetCapabilities></Request><Layer><Title>All</Title><Layer queryable="1"><Name>one</Name><Title>One</Title></Layer></Layer></Capability></WMS_Capabilities>`
}
