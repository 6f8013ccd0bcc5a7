package harvest_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/template"
	"github.com/assay-register/assay/render/catalog"
)

// TestTemplate harvests with the connector that the guide shows.
func TestTemplate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	page, err := os.ReadFile("template/testdata/datasets.json")
	if err != nil {
		t.Fatal(err)
	}
	portal := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/datasets" || r.URL.Query().Get("offset") != "0" {
			rw.WriteHeader(http.StatusNotFound)
			return
		}
		rw.Header().Set("Content-Type", "application/json")
		rw.Write(page)
	}))
	t.Cleanup(portal.Close)
	b := w.batch(portal.Client())
	b.Connectors = map[string]source.Connector{template.Kind: template.Connector{}}
	src := catalog.Source{Key: "copied", ID: harvest.SourceID("copied"), Title: "Copied", Kind: template.Kind, URL: portal.URL + "/", Official: "by law", CountryCode: "GB", Enabled: true}
	if err := harvest.Configure(w.ctx, w.st, []catalog.Source{src}, w.now); err != nil {
		t.Fatal(err)
	}
	list, err := harvest.Choose(w.ctx, w.st, []string{"copied"}, w.now)
	if err != nil {
		t.Fatal(err)
	}
	o := b.Run(w.ctx, w.st, list)[0]
	if r := o.Report; o.Err != nil || r.In != 3 || r.Created != 1 || r.Rejected != 2 {
		t.Errorf("%+v, %v", o.Report, o.Err)
	}
}
