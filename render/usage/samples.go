package usage

import "strings"

// Samples writes code that reads the target, in every language in which that
// can be done in a few lines.
func (t *Target) Samples() []Sample {
	w := writers[t.Kind]
	if w == nil {
		return nil
	}
	return w(t)
}

// writers are the samples of each kind.
var writers = map[Kind]func(*Target) []Sample{
	CSV: table, TSV: table, JSON: document, NDJSON: lines, GeoJSON: features, XLSX: workbook, Parquet: columnar, XML: markup,
	Turtle: triples, RDFXML: triples, JSONLD: triples, Vector: vector, ZIP: archive, File: download,
	REST: request, GraphQL: graphQL, SPARQL: sparql, OData: odata, SDMX: sdmx, SOAP: soap,
	WMS: wms, WFS: wfs, WCS: wcs, WMTS: wmts, CSW: csw, OGCAPI: ogcAPI, ArcGIS: arcgis,
}

// What samples need beyond their interpreter.
const (
	needsRequests = "pip install requests"
	needsPandas   = "pip install pandas requests"
	needsJSONLite = `install.packages("jsonlite")`
)

func (t *Target) ask(url, accept string) *ask { return &ask{url: url, accept: accept, auth: t.Auth} }

// overHTTP begins a statement of DuckDB that reads from the web.
const overHTTP = "INSTALL httpfs;\nLOAD httpfs;\n"

// sql is a sample of DuckDB, for sources that ask for no credential.
func (t *Target) sql(statement string) []Sample {
	if a := t.ask(t.URL, ""); a.closed() {
		return nil
	}
	return []Sample{{Language: DuckDB, Code: overHTTP + statement}}
}

// qgis is a sample for the Python console of QGIS, which asks for credentials
// in a window of its own.
func (t *Target) qgis(call, source, provider string) []Sample {
	if a := t.ask(t.URL, ""); a.closed() {
		return nil
	}
	return []Sample{{Language: QGIS, Code: "iface." + call + "(\n    " + literal(source) + ",\n    " + literal(t.called()) + ",\n    \"" + provider + "\",\n)"}}
}

// called is the name of a layer in QGIS.
func (t *Target) called() string {
	if name := strings.TrimSpace(clean(t.Name)); name != "" {
		return name
	}
	if t.Layer != "" {
		return t.Layer
	}
	return string(t.Kind)
}

// saved is the name under which a file is kept: the end of its address where
// that is a name that no shell takes for something else.
func (t *Target) saved(fallback string) string {
	path, _, _ := strings.Cut(t.URL, "?")
	name := path[strings.LastIndexByte(path, '/')+1:]
	if name == "" || len(name) > 80 || name[0] == '.' || name[0] == '-' || !strings.Contains(name, ".") {
		return fallback
	}
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c)) {
			return fallback
		}
	}
	return name
}
