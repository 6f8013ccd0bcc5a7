package artifact

import "testing"

func TestPath(t *testing.T) {
	for _, c := range []struct{ route, media, want string }{
		{"/", "text/html; charset=utf-8", "index.html"},
		{"/api/v1/entries", JSON, "api/v1/entries/index.json"},
		{"/api/v1/entries/weather", JSON, "api/v1/entries/weather/index.json"},
		{"/openapi.json", JSON, "openapi.json"},
		{"/api/v1/okf/bundle.tar.gz", "application/gzip", "api/v1/okf/bundle.tar.gz"},
		{"/api/v1/feeds/rss", "application/rss+xml", "api/v1/feeds/rss/index.rss"},
		{"/api/v1/feeds/export/csv", "text/csv; charset=utf-8", "api/v1/feeds/export/csv/index.csv"},
		{"/.well-known/mcp.json", JSON, ".well-known/mcp.json"},
		{"/.well-known/api-catalog", "application/linkset+json", ".well-known/api-catalog/index.json"},
		{"/api/v1/badges/weather/score", "image/svg+xml", "api/v1/badges/weather/score/index.svg"},
		{"/docs/v1.0", "text/html", "docs/v1.0/index.html"},
		{"/thing", "application/octet-stream", "thing/index.bin"},
		{"/routes.ndjson", NDJSON, "routes.ndjson"},
		{"/llms.txt", "text/plain; charset=utf-8", "llms.txt"},
		{"/a/.json", JSON, "a/.json/index.json"},
	} {
		if got := Path(c.route, c.media); got != c.want {
			t.Errorf("Path(%q, %q) = %q, want %q", c.route, c.media, got, c.want)
		}
	}
}

// Every extension that Path gives leads back to a media type of its kind.
func TestEveryExtensionHasAType(t *testing.T) {
	for media, ext := range extensions {
		if _, ok := typesByExtension[ext]; !ok {
			t.Errorf("%s becomes .%s, which has no type", media, ext)
		}
	}
}

func TestTypeOf(t *testing.T) {
	for path, want := range map[string]string{
		"api/v1/entries/index.json": JSON, "routes.ndjson": NDJSON, "a/b.svg": "image/svg+xml; charset=utf-8", "bundle.tar.gz": "application/gzip",
		".well-known/api-catalog/index.json": APICatalog, "api/v1/catalog/linkset/index.json": Linkset,
		"index.html": "text/html; charset=utf-8", "a.b/c": "application/octet-stream", "a.exe": "application/octet-stream",
	} {
		if got := TypeOf(path); got != want {
			t.Errorf("TypeOf(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestHasExtension(t *testing.T) {
	for route, want := range map[string]bool{
		"/openapi.json": true, "/a/b.ttl": true, "/a/b": false, "/a.json/b": false, "/v1.0": false, "/.json": false, "": false, "/a.": false,
	} {
		if HasExtension(route) != want {
			t.Errorf("HasExtension(%q) = %t", route, !want)
		}
	}
}
