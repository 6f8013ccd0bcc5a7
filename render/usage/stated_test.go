package usage

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func TestFormatOf(t *testing.T) {
	for _, c := range []struct{ format, media, address, want string }{
		{"CSV", "", "https://a.example/data.csv", "CSV"},
		{"CSV", "", "https://a.example/api/v2/catalog/datasets/shops/exports/shp", "SHP"},
		{"GML", "", "https://a.example/risk.tif", "TIF"},
		{"GEOTIFF", "", "https://a.example/risk.tif", "GEOTIFF"},
		{"GEOJSON", "", "https://a.example/parks.json", "GEOJSON"},
		{"SHP", "", "https://a.example/parks.zip", "SHP"},
		{"CSV", "", "https://a.example/view.php", "CSV"},
		{"CSV", "", "https://a.example/counts/index.html", "HTML"},
		{"", "text/csv; charset=utf-8", "https://a.example/get?id=1", "CSV"},
		{"", "", "https://a.example/get?id=1", ""},
		{"", "", "https://a.example/data.xlsx?raw=1", "XLSX"},
	} {
		if got := FormatOf(&catalog.Distribution{Format: c.format, MediaType: c.media, DownloadURL: c.address}); got != c.want {
			t.Errorf("%s, %s at %s: %q, want %q", c.format, c.media, c.address, got, c.want)
		}
	}
}

func TestPageOf(t *testing.T) {
	for address, want := range map[string]bool{
		"http://www.city.example": true, "https://gis.city.example/map/#/info?lang=en": true, "https://city.example/data/index.html": true,
		"https://city.example/?id=3": false, "https://city.example/data.csv": false, "https://city.example/get#": false, "://": false,
	} {
		if got := PageOf(&catalog.Distribution{Format: "CSV", DownloadURL: address}); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
	if !PageOf(&catalog.Distribution{Format: "HTML", DownloadURL: "https://city.example/x"}) {
		t.Error("HTML is a page")
	}
}

func TestName(t *testing.T) {
	for format, want := range map[string]string{"JSON_LD": "JSON-LD", "WFS_SRVC": "WFS", "OGC-WMS": "OGC-WMS", "CSV": "CSV", "RDF_TURTLE": "Turtle", "Esri_thing": "Esri thing", "geojson": "GeoJSON", "": ""} {
		if got := Name(format); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}

func TestAnswered(t *testing.T) {
	const base = "https://geo.example/ows?SERVICE=WFS&"
	for query, want := range map[string]string{
		"request=GetFeature&typeNames=a": "GML", "REQUEST=GetFeature&OUTPUTFORMAT=application/json": "GEOJSON", "request=GetFeature&outputFormat=shape-zip": "SHP",
		"request=GetFeature&outputFormat=strange": "", "request=GetCoverage&format=image/tiff": "GEOTIFF", "request=GetCoverage": "", "request=GetCapabilities": "",
	} {
		if got := Answered(base + query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

func TestEncodingOf(t *testing.T) {
	for _, c := range []struct{ format, media, address, want string }{
		{"CSV", "text/csv", "https://data.example/exports/shp", "SHP"},
		{"CSV", "text/csv", "https://data.example/exports/csv", "text/csv"},
		{"GEOJSON", "application/geo+json", "https://data.example/a.json", "application/geo+json"},
		{"CSV", "", "https://data.example/a", "CSV"},
		{"", "application/xml", "https://data.example/wfs?service=WFS&request=GetFeature&outputFormat=csv", "CSV"},
		{"CSV", "application/zip", "https://data.example/a.csv.zip", "application/zip"},
		{"XLS", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "https://data.example/a.xls", "XLS"},
		{"XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "https://data.example/a.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
		{"JSON", "application/geo+json; charset=utf-8", "https://data.example/a.json", "application/geo+json; charset=utf-8"},
		{"XLS", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "https://data.example/download?id=1", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
	} {
		if got := EncodingOf(&catalog.Distribution{Format: c.format, MediaType: c.media, DownloadURL: c.address}); got != c.want {
			t.Errorf("%s, %s at %s: %s, want %s", c.format, c.media, c.address, got, c.want)
		}
	}
}
