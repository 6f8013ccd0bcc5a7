package bucket

import (
	"strconv"
	"testing"
)

// TestKeys: route keys are the routes, file keys the paths on disk.
func TestKeys(t *testing.T) {
	for i, c := range []struct{ route, media, byRoute, byFile string }{
		{"/", "text/html; charset=utf-8", "index.html", "index.html"},
		{"/api/v1/entries", "application/json; charset=utf-8", "api/v1/entries", "api/v1/entries/index.json"},
		{"/openapi.json", "application/json; charset=utf-8", "openapi.json", "openapi.json"},
	} {
		if a, b := ByRoute.Of(c.route, c.media), ByFile.Of(c.route, c.media); a != c.byRoute || b != c.byFile {
			t.Error(strconv.Itoa(i), a, b)
		}
	}
	if _, err := ParseKeys("hash"); err == nil {
		t.Error("an unknown way to form keys")
	}
}
