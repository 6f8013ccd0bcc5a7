package usage

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// FormatOf is the format of a distribution, as a code of the EU file-type table or as the source writes
// it, "" for an unknown one. Where the address itself names a format of data that is another one, that
// wins: catalogues repeat one format for all files of a record.
func FormatOf(d *catalog.Distribution) string {
	stated := d.Format
	if stated == "" {
		_, sub, _ := strings.Cut(d.MediaType, "/")
		sub, _, _ = strings.Cut(sub, ";")
		stated = strings.ToUpper(strings.TrimSpace(sub))
	}
	return shown(stated, d.DownloadURL)
}

// shown is the format that an address names, else the stated one.
func shown(stated, address string) string {
	seen := Named(address)
	if seen == "" || wraps(seen, letters(stated)) {
		return stated
	}
	return seen
}

// EncodingOf is the media type of a distribution, else its format; where the address tells that it is
// another one than is stated, or than the media type, the format by that.
func EncodingOf(d *catalog.Distribution) string {
	stated := *d
	stated.DownloadURL = ""
	if seen := cmp.Or(Answered(d.DownloadURL), FormatOf(d)); seen != "" && letters(seen) != letters(FormatOf(&stated)) {
		return seen
	}
	if format := FormatOf(d); Named(d.DownloadURL) != "" && contradicts(d.MediaType, letters(format)) {
		return format
	}
	return cmp.Or(d.MediaType, d.Format)
}

// contradicts tells that a media type is that of another format.
func contradicts(media, format string) bool {
	k := mediaKindOf(media)
	return k != "" && k != formatKinds[format] && !wraps(format, letters(string(k)))
}

// PageOf tells that what a source calls a file is a page for people: the front door of a host, a view of
// a web application, or a document in a format of pages.
func PageOf(d *catalog.Distribution) bool {
	u, err := url.Parse(d.DownloadURL)
	if err != nil || d.DownloadURL == "" {
		return false
	}
	front := strings.Trim(u.Path, "/") == "" && u.RawQuery == ""
	return front || strings.HasPrefix(u.Fragment, "/") || slices.Contains(pages, letters(FormatOf(d)))
}

// endings are the formats of data that the end of an address tells for sure.
var endings = []string{"CSV", "TSV", "PARQUET", "JSON", "JSONL", "NDJSON", "GEOJSON", "XLSX", "XLS", "ODS", "SHP", "GPKG", "KML", "KMZ", "GML", "TIF", "TIFF", "PDF", "HTML", "HTM",
	"JSONLD", "TTL", "TURTLE", "N3", "RDFXML", "FGB", "GPX", "OV2", "ICS", "DOCX", "PNG", "JPG"}

// Named is the format that the last part of an address names, "" for none: its extension, or the last
// part itself below exports/, as the portals of Opendatasoft write it.
func Named(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	end := letters(strings.TrimPrefix(path.Ext(u.Path), "."))
	if path.Base(path.Dir(u.Path)) == "exports" && end == "" {
		end = letters(path.Base(u.Path))
	}
	if slices.Contains(endings, end) {
		return end
	}
	return ""
}

// general are formats in which others are written.
var general = map[string][]string{
	"JSON": {"GEOJSON", "JSONLD", "GTFS", "IIIF", "TOPOJSON", "STAC", "SDMX", "JSONSTAT", "GBFS", "DCAT", "CITYJSON", "OPENAPI"},
	"CSV":  {"TSV", "GTFS", "NETEX", "TXT"}, "TTL": {"RDFTURTLE", "TURTLE", "RDF", "LDES", "SHACL", "OWL"}, "TIF": {"GEOTIFF", "TIFF", "COG"}, "TIFF": {"GEOTIFF", "COG"},
	"XLSX": {"EXCEL"}, "XLS": {"EXCEL"}, "HTML": {"RDFA", "XHTML"}, "HTM": {"HTML"}, "JSONL": {"NDJSON", "JSONLINES"}, "JPG": {"JPEG"}, "FGB": {"FLATGEOBUF"},
	"GPKG": {"GEOPACKAGE"}, "SHP": {"SHAPEFILE", "ESRISHAPE", "ESRISHAPEFILE", "SHPZIP"}, "GML": {"CITYGML", "INSPIRE", "INSPIREGML"}, "GEOJSON": {"GEOJSONLD"}, "PDF": {"PDFA1A", "PDFA1B", "PDFA2A", "PDFA2B", "PDFA3A", "GEOPDF"},
	"JSONLD": {"LDES"},
}

// wraps tells that a file that ends so can be what is stated.
func wraps(end, stated string) bool {
	return end == stated || slices.Contains(general[end], stated)
}

// names are what people call the codes of formats; others stand as they are.
var names = map[string]string{
	"JSONLD": "JSON-LD", "RDFTURTLE": "Turtle", "TTL": "Turtle", "TURTLE": "Turtle", "RDFXML": "RDF/XML", "RDFNTRIPLES": "N-Triples", "RDFNQUADS": "N-Quads", "RDFTRIG": "TriG", "RDFN3": "N3", "GEOJSON": "GeoJSON", "TOPOJSON": "TopoJSON",
	"GEOTIFF": "GeoTIFF", "TIF": "TIFF", "JPG": "JPEG", "PARQUET": "Parquet", "GPKG": "GeoPackage", "FGB": "FlatGeobuf", "JSONL": "JSON Lines", "NDJSON": "JSON Lines", "SPARQLQ": "SPARQL", "SPARQLQRES": "SPARQL", "TARGZ": "TAR.GZ", "HTM": "HTML",
	"XLSFO": "XSL-FO", "SHP": "Shapefile", "VNDGEOJSON": "GeoJSON", "VNDSHP": "Shapefile", "XMLAPP": "XML", "DWCA": "Darwin Core", "ATOM": "Atom feed", "RSS": "RSS",
}

// Name is what people call the code of a format: "JSON-LD" for JSON_LD, "WFS" for WFS_SRVC.
func Name(format string) string {
	if name := names[letters(format)]; name != "" {
		return name
	}
	upper := strings.ToUpper(strings.TrimSpace(format))
	if service, ok := strings.CutSuffix(strings.TrimPrefix(upper, "OGC-"), "_SRVC"); ok {
		return service
	}
	return strings.ReplaceAll(strings.TrimSpace(format), "_", " ")
}

// Answered is the format in which a call of an OGC service is answered, "" where the call does not
// say: GetFeature is GML then (OGC 09-025r2, table 6), GetCoverage what the service prefers.
func Answered(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	asked := map[string]string{}
	for key, values := range u.Query() {
		asked[strings.ToLower(key)] = strings.ToLower(values[0])
	}
	request, format := asked["request"], asked["outputformat"]
	if request != "getfeature" && request != "getcoverage" {
		return ""
	}
	if format == "" {
		format = asked["format"]
	}
	for _, known := range [...]struct{ part, format string }{{"csv", "CSV"}, {"geojson", "GEOJSON"}, {"json", "GEOJSON"}, {"shape", "SHP"}, {"xlsx", "XLSX"}, {"excel", "XLSX"}, {"kml", "KML"}, {"geopackage", "GPKG"}, {"gpkg", "GPKG"}, {"tif", "GEOTIFF"}, {"gml", "GML"}} {
		if strings.Contains(format, known.part) {
			return known.format
		}
	}
	if request == "getfeature" && format == "" {
		return "GML"
	}
	return ""
}

// partial tells that a call of an OGC service asks for a part of what there is.
func partial(address string) bool {
	_, query, _ := strings.Cut(address, "?")
	for pair := range strings.SplitSeq(query, "&") {
		if name, _, _ := strings.Cut(pair, "="); slices.Contains([]string{"count", "maxfeatures", "subset", "scalefactor"}, strings.ToLower(name)) {
			return true
		}
	}
	return false
}
