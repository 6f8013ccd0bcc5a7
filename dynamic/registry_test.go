package dynamic

import (
	"net/http"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/wire"
)

// TestRegistryErrors: errors have the form that the MCP registry API publishes.
func TestRegistryErrors(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 20})
	for query, status := range map[string]int{"?limit=0": 400, "?limit=x": 400, "?updated_since=soon": 400, "?nobody=1": 400, "?cursor=%ff": 400,
		"/none%2Fnone/versions": 404, "/none%2Fnone/versions/latest": 404, "?updated_since=2026-01-01": 200, "?updated_since=2026-01-01T00:00:00Z": 200} {
		w := get(s, "GET", wire.RouteMCPServers+query)
		if w.Code != status || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
			t.Errorf("%s: %d as %s", query, w.Code, w.Header().Get("Content-Type"))
		}
		if said := decode[wire.RegistryError](t, w); (said.Error == "") != (status == http.StatusOK) {
			t.Errorf("%s: %s", query, w.Body)
		}
	}
}

// TestCKANBox: ext_bbox finds the entries that a box of OGC finds.
func TestCKANBox(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 60})
	boxed, _ := ogcGet(t, s, "/api/v1/ogc/collections/records/items?bbox=3.5,50.5,10,60", http.StatusOK)
	w := get(s, "GET", wire.RouteCKANActions+"package_search?ext_bbox=3.5,50.5,10,60")
	if a := decode[struct{ Result struct{ Count int } }](t, w); a.Result.Count != boxed.Matched || boxed.Matched == 0 {
		t.Errorf("%d packages, %d records", a.Result.Count, boxed.Matched)
	}
}
