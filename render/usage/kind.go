package usage

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// Kind is a format of files or a protocol of services.
type Kind string

// Kinds of files and services.
const (
	CSV     Kind = "CSV"
	TSV     Kind = "TSV"
	Parquet Kind = "Parquet"
	JSON    Kind = "JSON"
	NDJSON  Kind = "NDJSON"
	GeoJSON Kind = "GeoJSON"
	XLSX    Kind = "XLSX"
	XML     Kind = "XML"
	Turtle  Kind = "Turtle"
	RDFXML  Kind = "RDF/XML"
	JSONLD  Kind = "JSON-LD"
	// Vector is a file that GDAL reads: GeoPackage, Shapefile in a ZIP archive,
	// KML, GML.
	Vector Kind = "Vector"
	ZIP    Kind = "ZIP"
	// File is any other file: documents, pictures, sound.
	File Kind = "File"

	REST    Kind = "REST"
	GraphQL Kind = "GraphQL"
	SPARQL  Kind = "SPARQL"
	OData   Kind = "OData"
	SDMX    Kind = "SDMX"
	SOAP    Kind = "SOAP"
	WMS     Kind = "WMS"
	WFS     Kind = "WFS"
	WCS     Kind = "WCS"
	WMTS    Kind = "WMTS"
	CSW     Kind = "CSW"
	OGCAPI  Kind = "OGC API"
	ArcGIS  Kind = "ArcGIS"
)

// kinds are ordered by how directly programs read them.
var kinds = []Kind{CSV, Parquet, TSV, JSON, NDJSON, GeoJSON, XLSX, OGCAPI, WFS, ArcGIS, SPARQL, OData, SDMX, GraphQL, REST, Vector, Turtle, JSONLD, RDFXML, XML, WMS, WMTS, WCS, CSW, SOAP, ZIP, File}

// service tells a protocol from a format.
func (k Kind) service() bool { return !slices.Contains(fileKinds, k) }

var fileKinds = []Kind{CSV, TSV, Parquet, JSON, NDJSON, GeoJSON, XLSX, XML, Turtle, RDFXML, JSONLD, Vector, ZIP, File}

// layered tells that a service is asked for one of its layers.
func (k Kind) layered() bool {
	return slices.Contains([]Kind{WMS, WFS, WCS, WMTS, OGCAPI, ArcGIS, OData, SDMX}, k)
}

// specKinds are the kinds of catalog.APIDetails.SpecFormat.
var specKinds = map[string]Kind{"openapi": REST, "swagger": REST, "graphql": GraphQL, "ogc-wms": WMS, "ogc-wfs": WFS, "ogc-wcs": WCS, "ogc-wmts": WMTS,
	"ogc-csw": CSW, "ogc-api": OGCAPI, "arcgis-rest": ArcGIS, "sparql": SPARQL, "odata": OData, "sdmx": SDMX, "soap": SOAP}

// formatKinds are the kinds of formats as distributions state them (codes of
// the EU file-type table and what portals write), without what is no letter or
// digit.
var formatKinds = map[string]Kind{
	"CSV": CSV, "TSV": TSV, "PARQUET": Parquet, "JSON": JSON, "NDJSON": NDJSON, "JSONL": NDJSON, "GEOJSON": GeoJSON, "XLSX": XLSX, "XML": XML,
	"RDFTURTLE": Turtle, "TURTLE": Turtle, "TTL": Turtle, "RDFNTRIPLES": Turtle, "NTRIPLES": Turtle, "RDFXML": RDFXML, "RDF": RDFXML, "JSONLD": JSONLD,
	"GPKG": Vector, "GEOPACKAGE": Vector, "SHP": Vector, "SHAPEFILE": Vector, "SHPZIP": Vector, "KML": Vector, "GML": Vector, "KMZ": Vector, "FLATGEOBUF": Vector,
	"ZIP": ZIP, "WMS": WMS, "WMSSRVC": WMS, "OGCWMS": WMS, "WFS": WFS, "WFSSRVC": WFS, "OGCWFS": WFS, "WCS": WCS, "WCSSRVC": WCS, "WMTS": WMTS, "WMTSSRVC": WMTS,
	"CSW": CSW, "OGCAPI": OGCAPI, "OGCAPIFEATURES": OGCAPI, "OGCFEAT": OGCAPI, "OGCAPIFEAT": OGCAPI, "SPARQL": SPARQL, "ESRIREST": ArcGIS, "ARCGISGEOSERVICESRESTAPI": ArcGIS,
	"ARCGISGEOSERVICE": ArcGIS, "GRAPHQL": GraphQL, "ODATA": OData, "SDMX": SDMX, "API": REST, "REST": REST, "RESTAPI": REST,
}

var mediaKinds = map[string]Kind{"text/csv": CSV, "text/tab-separated-values": TSV, "application/json": JSON, "application/x-ndjson": NDJSON, "application/geo+json": GeoJSON,
	"application/vnd.apache.parquet": Parquet, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": XLSX, "application/xml": XML, "text/xml": XML,
	"text/turtle": Turtle, "application/n-triples": Turtle, "application/rdf+xml": RDFXML, "application/ld+json": JSONLD, "application/zip": ZIP,
	"application/geopackage+sqlite3": Vector, "application/vnd.google-earth.kml+xml": Vector, "application/gml+xml": Vector}

// pages are formats that people read; code would fetch only markup.
var pages = []string{"HTML", "HTM", "XHTML", "PHP", "ASP", "ASPX", "WEB", "WEBPAGE", "URL", "LINK"}

// kindOf tells how a distribution is read: by the format that its address
// names or the source states, its media type, and a service that its address
// asks; "" for what no code reads.
func kindOf(format, media, address string, download bool) Kind {
	format = letters(shown(format, address))
	if slices.Contains(pages, format) {
		return ""
	}
	asked := askedService(address)
	if k := formatKinds[format]; k != "" {
		if asked != "" && (k == XML || k == REST) {
			return asked
		}
		return k
	}
	if k := mediaKindOf(media); k != "" {
		return k
	}
	if asked != "" {
		return asked
	}
	if !download && format == "" {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	end := letters(strings.TrimPrefix(path.Ext(u.Path), "."))
	if k := formatKinds[end]; k != "" && format == "" {
		return k
	}
	if format == "" && slices.Contains(pages, end) {
		return ""
	}
	if download {
		return File
	}
	return ""
}

// mediaKindOf is the kind of a media type, whatever its parameters.
func mediaKindOf(media string) Kind {
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	return mediaKinds[strings.TrimSpace(media)]
}

// letters is a format in capitals, without what is no letter or digit.
func letters(format string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToUpper(format))
}

// askedService is the OGC service that an address asks, "" for none.
func askedService(address string) Kind {
	_, query, _ := strings.Cut(address, "?")
	for pair := range strings.SplitSeq(query, "&") {
		if k, v, ok := strings.Cut(pair, "="); ok && strings.EqualFold(k, "service") {
			switch strings.ToUpper(v) {
			case "WMS", "WFS", "WCS", "WMTS", "CSW":
				return Kind(strings.ToUpper(v))
			}
		}
	}
	return ""
}

// spoken are the parameters of OGC services that belong to a request and not
// to the address of the service.
var spoken = []string{"service", "request", "version", "layers", "layer", "typename", "typenames", "styles", "crs", "srs", "srsname", "bbox", "width", "height", "format", "outputformat",
	"count", "maxfeatures", "coverage", "coverageid", "identifier", "transparent", "exceptions"}

// serviceBase parts an address into the service and the layer that it asks for.
func serviceBase(k Kind, address string) (base, layer string) {
	switch k {
	case WMS, WFS, WCS, WMTS, CSW:
	case OGCAPI:
		if before, after, ok := strings.Cut(address, "/collections/"); ok {
			name, _, _ := strings.Cut(after, "/")
			name, _, _ = strings.Cut(name, "?")
			if id, err := url.PathUnescape(name); err == nil {
				return before, id
			}
		}
		base, _, _ = strings.Cut(address, "?")
		return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(base, "/"), "/collections"), "/"), ""
	default:
		return address, ""
	}
	base, query, _ := strings.Cut(address, "?")
	base, _, _ = strings.Cut(base, "#")
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if slices.Contains([]string{"layers", "layer", "typename", "typenames", "coverageid", "coverage"}, strings.ToLower(name)) {
			if text, err := url.QueryUnescape(value); err == nil {
				layer, _, _ = strings.Cut(text, ",")
			}
		}
		if pair != "" && !slices.Contains(spoken, strings.ToLower(name)) {
			kept = append(kept, pair)
		}
	}
	if len(kept) > 0 {
		return base + "?" + strings.Join(kept, "&"), layer
	}
	return base, layer
}
