package dynamic

import (
	"net/http"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/spreadsheet/spreadsheettest"
	"github.com/assay-register/assay/render/wire"
)

// TestSafeCSVIsServed asks the CSV export for its safe variant: the answer is
// the static document, byte for byte.
func TestSafeCSVIsServed(t *testing.T) {
	t.Parallel()
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 3, BaseURL: "https://register.example/reg"})
	const plain, safe = "id,name\r\n1,=1+1\r\n", "id,name\r\n1,'=1+1\r\n"
	if err := site.Put(map[string]string{artifactRoute(wire.RouteCSV): plain, wire.RouteSafeCSV: safe, wire.RouteFullCSV: plain, wire.RouteFullSafeCSV: safe}); err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{SiteDir: site.Dir})
	if err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]string{
		wire.RouteCSV: plain, wire.RouteCSV + "?safe": safe, wire.RouteCSV + "?safe=": safe, wire.RouteCSV + "?safe=1": safe,
		"/reg" + wire.RouteCSV + "?safe=1": safe, wire.RouteSafeCSV: safe,
		wire.RouteFullCSV: plain, wire.RouteFullCSV + "?safe": safe, wire.RouteFullSafeCSV: safe,
	} {
		w := get(s, "GET", target)
		if w.Code != 200 || w.Body.String() != want || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/csv") {
			t.Errorf("%s: %d %s %v", target, w.Code, w.Body, w.Header())
		}
	}
	tag := get(s, "GET", wire.RouteSafeCSV).Header().Get("ETag")
	if w := get(s, "GET", wire.RouteCSV+"?safe", "If-None-Match", tag); w.Code != http.StatusNotModified {
		t.Errorf("with the tag of the static file: %d", w.Code)
	}
	for query, text := range map[string]string{"?safe=0": "use one of 1", "?safe=yes": "query.safe", "?safe=1&safe=1": "more than once", "?colour=red": "known are safe", "?safe&colour=red": "query.colour"} {
		if w := get(s, "GET", wire.RouteCSV+query); w.Code != 422 || !strings.Contains(w.Body.String(), text) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

// artifactRoute names the plain export with its media type.
func artifactRoute(route string) string { return "/" + artifact.Path(route, artifact.CSV) }

// TestSafeMatrix compares entries as CSV that no spreadsheet runs.
func TestSafeMatrix(t *testing.T) {
	t.Parallel()
	s, _ := start(t, sitetest.Options{Entries: 30})
	const route = compareRoute + "/matrix?ids=e1-record,e3-record"
	for _, query := range []string{"&safe", "&safe=1&format=csv"} {
		w := get(s, "GET", route+query, "Accept", "application/json")
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/csv") {
			t.Errorf("%s: %d %v", query, w.Code, w.Header())
		}
		spreadsheettest.NoFormula(t, w.Body.String())
	}
	if w := get(s, "GET", route+"&safe&format=json"); w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		t.Errorf("JSON: %d %v", w.Code, w.Header())
	}
}
