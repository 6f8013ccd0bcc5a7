package dynamic

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/discovery"
)

// TestAnswersAreDescribed validates answers, those with some members and of the past among them,
// against the interface description.
func TestAnswersAreDescribed(t *testing.T) {
	t.Parallel()
	s, site := start(t, sitetest.Options{Entries: 60})
	text, err := discovery.OpenAPI(site.Catalog.Site, "1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	line := &site.Catalog.Lines[site.Catalog.Order[0]]
	entry, ogc := "/api/v1/entries/{idOrSlug}", "/api/v1/ogc/collections/records"
	for _, c := range []struct {
		path, query string
		// shape is which of a choice the answer has, status what it is.
		shape, status int
	}{
		{"/api/v1/entries", "", 0, 200}, {"/api/v1/entries", "?type=DATASET&limit=3", 0, 200}, {"/api/v1/entries", "?fields=slug,name", 1, 200}, {"/api/v1/entries", "?fields=nobody", 0, 400},
		{"/api/v1/entries/search", "?q=air", 0, 200}, {"/api/v1/entries/search", "?q=air&fields=formats", 1, 200}, {entry, "", 0, 200}, {entry, "?fields=name,license", 1, 200},
		{"/api/v1/entries/facets", "", 0, 200}, {"/api/v1/entries", "?limit=no", 0, 422},
		{"/api/v1/ogc", "", 0, 200}, {ogc, "", 0, 200}, {ogc + "/queryables", "", 0, 200}, {ogc + "/sortables", "", 0, 200}, {ogc + "/items", "?limit=2", 0, 200},
		{"/api/v1/ogc", "?a=b", 0, 400}, {ogc + "/items", "?filter=a", 0, 400}, {ogc + "/items", "?bbox=1", 0, 400},
	} {
		target := strings.ReplaceAll(c.path, "{idOrSlug}", line.Slug) + c.query
		w := get(s, http.MethodGet, target)
		described := doc.Paths.Find(c.path).Get.Responses.Status(w.Code)
		if w.Code != c.status || described == nil {
			t.Errorf("%s: %d, described: %v: %.200s", target, w.Code, described != nil, w.Body)
			continue
		}
		media, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
		content := described.Value.Content[media]
		if content == nil {
			t.Errorf("%s: %s is not described", target, media)
			continue
		}
		schema := content.Schema.Value
		var v any
		if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		conforms := func(s *openapi3.Schema) error {
			return s.VisitJSON(v, openapi3.EnableJSONSchema2020(), openapi3.EnableFormatValidation(), openapi3.VisitAsResponse())
		}
		if err := conforms(schema); err != nil {
			t.Errorf("%s: %.600s", target, err.Error())
		}
		if len(schema.AnyOf) == 0 {
			continue
		}
		if err := conforms(schema.AnyOf[c.shape].Value); err != nil {
			t.Errorf("%s: shape %d: %.600s", target, c.shape, err.Error())
		}
		if c.shape > 0 && conforms(schema.AnyOf[0].Value) == nil {
			t.Errorf("%s is whole", target)
		}
	}
}
