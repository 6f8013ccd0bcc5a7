// Package ogc answers as a catalogue of OGC API - Records, part 1 (OGC 20-004r1): core,
// query parameters, sorting, and filters in CQL2 Text (OGC 21-065r2). The register is one
// collection; a record is an entry as GeoJSON. Words, lists and conditions are those of
// package query; what is here are the parameters and shapes of OGC.
package ogc

import (
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// conforms are the classes that are met. Of the query parameters of Records externalIds is
// not taken, so their class is not among them.
var conforms = []string{
	"http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core", "http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/json",
	"http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/oas30", "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections",
	"http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core", "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson", "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30",
	"http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter", "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter", "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables",
	"http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-core", "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-collection", "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/searchable-catalog",
	"http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/sorting", "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/json",
	"http://www.opengis.net/spec/cql2/1.0/conf/cql2-text", "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
	"http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators", "http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions",
}

// recordCore is what a record says that it conforms to: the class of requirements.
const recordCore = "http://www.opengis.net/spec/ogcapi-records-1/1.0/req/record-core"

// API answers the operations.
type API struct {
	library   *query.Library
	documents *documents.Server
}

// New makes the API of a library.
func New(library *query.Library, documents *documents.Server) *API { return &API{library, documents} }

type link struct {
	Href  string `json:"href"`
	Rel   string `json:"rel"`
	Type  string `json:"type,omitempty"`
	Title string `json:"title,omitempty"`
	Lang  string `json:"hreflang,omitempty"`
}

// plain answers what depends on nothing but the snapshot.
func (a *API) plain(media string, make func(s *query.Snapshot) any) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := check(r, nil); err != nil {
			return err
		}
		s, err := a.library.At(r.Context(), "")
		if err != nil {
			return err
		}
		return a.answer(w, r, s, media, make(s))
	}
}

func (a *API) answer(w http.ResponseWriter, r *http.Request, s *query.Snapshot, media string, v any) error {
	body, err := web.JSON(v)
	if err != nil {
		return err
	}
	d := web.Document{Head: web.Head{Type: media, Cache: web.CacheLive, Snapshot: s.ID}, Body: web.NewBody(body)}
	return d.Write(w, r)
}

// Landing answers where clients begin.
func (a *API) Landing() web.Handler {
	return a.plain(wire.MediaJSON, func(s *query.Snapshot) any {
		return struct {
			Title       string `json:"title"`
			Description string `json:"description"`
			Links       []link `json:"links"`
		}{s.Site.Name, "Official public-sector APIs, datasets and MCP servers, tested.", []link{
			at(s, wire.RouteOGC, "self", wire.MediaJSON, "This document"), at(s, wire.RouteOGC+"/api", "service-desc", mediaOpenAPI, "The description of this API"),
			at(s, "/docs/ogc-records", "service-doc", "text/html", "The guide"), at(s, wire.RouteOGC+"/conformance", "conformance", wire.MediaJSON, "Conformance classes"),
			at(s, wire.RouteOGC+"/collections", "data", wire.MediaJSON, "The collections"), at(s, "/", "alternate", "text/html", s.Site.Name)}}
	})
}

// absolute is an address with scheme and host: clients such as QGIS do not resolve links.
func absolute(site snapshot.Site, route string) string {
	return strings.TrimRight(site.BaseURL, "/") + route
}

func at(s *query.Snapshot, route, rel, media, title string) link {
	return link{Href: absolute(s.Site, route), Rel: rel, Type: media, Title: title}
}

// Conformance answers the classes.
func (a *API) Conformance() web.Handler {
	return a.plain(wire.MediaJSON, func(*query.Snapshot) any {
		return struct {
			ConformsTo []string `json:"conformsTo"`
		}{conforms}
	})
}

type collection struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	ItemType    string   `json:"itemType"`
	Type        string   `json:"type"`
	License     string   `json:"license,omitempty"`
	CRS         []string `json:"crs"`
	Extent      any      `json:"extent"`
	Links       []link   `json:"links"`
}

const crs84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"

func newCollection(s *query.Snapshot) collection {
	world := map[string]any{"spatial": map[string]any{"bbox": [][]float64{{-180, -90, 180, 90}}, "crs": crs84}}
	return collection{ID: "records", Title: s.Site.Name, Description: "All listed entries.", ItemType: "record", Type: "Catalog", License: s.Site.License, CRS: []string{crs84}, Extent: world,
		Links: []link{at(s, wire.RouteOGCRecords, "self", wire.MediaJSON, "This collection"), at(s, wire.RouteOGCRecords+"/items", "items", wire.MediaGeoJSON, "The records"),
			at(s, wire.RouteOGCRecords+"/queryables", "http://www.opengis.net/def/rel/ogc/1.0/queryables", wire.MediaSchema, "What a filter can name"),
			at(s, wire.RouteOGCRecords+"/sortables", "http://www.opengis.net/def/rel/ogc/1.0/sortables", wire.MediaSchema, "What records can be sorted by")}}
}

// Collections lists the one there is, Collection is that one.
func (a *API) Collections() web.Handler {
	return a.plain(wire.MediaJSON, func(s *query.Snapshot) any {
		return struct {
			Links       []link       `json:"links"`
			Collections []collection `json:"collections"`
		}{[]link{at(s, wire.RouteOGC+"/collections", "self", wire.MediaJSON, "This document")}, []collection{newCollection(s)}}
	})
}

// Collection is described with Collections.
func (a *API) Collection() web.Handler {
	return a.plain(wire.MediaJSON, func(s *query.Snapshot) any { return newCollection(s) })
}

// Queryables answers what a filter can name.
func (a *API) Queryables() web.Handler {
	return a.plain(wire.MediaSchema, func(s *query.Snapshot) any {
		of := properties(nil)
		members := map[string]any{geometry: map[string]any{"title": "The box of the data", "format": "geometry-polygon"}}
		for name := range of {
			members[name] = schemaOf(of[name])
		}
		return schema(s, "/queryables", members)
	})
}

// Sortables answers what records can be sorted by.
func (a *API) Sortables() web.Handler {
	return a.plain(wire.MediaSchema, func(s *query.Snapshot) any {
		of, members := properties(nil), map[string]any{}
		for name := range orders {
			members[name] = schemaOf(of[name])
		}
		return schema(s, "/sortables", members)
	})
}

func schemaOf(p property) map[string]any {
	if p.time != nil {
		return map[string]any{"title": p.title, "type": "string", "format": "date-time"}
	}
	return map[string]any{"title": p.title, "type": p.kind}
}

// schema describes properties by the rules of Features, part 3, and Records, part 1.
func schema(s *query.Snapshot, route string, members map[string]any) any {
	return map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": absolute(s.Site, wire.RouteOGCRecords+route), "type": "object", "title": s.Site.Name,
		"properties": members, "additionalProperties": false}
}

// Item answers an entry as a record.
func (a *API) Item(w http.ResponseWriter, r *http.Request) error {
	if err := check(r, nil); err != nil {
		return err
	}
	s, err := a.library.At(r.Context(), "")
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	i := s.ByID(id)
	if i < 0 || !s.Lines[i].Listed() {
		return web.NotFound("No record has this id.")
	}
	e, err := a.documents.Record(s, id)
	if err != nil {
		return err
	}
	return a.answer(w, r, s, wire.MediaGeoJSON, newRecord(s.Site, &s.Lines[i], e))
}

// line is the line of an entry, for records of lists.
type line = snapshot.Line
