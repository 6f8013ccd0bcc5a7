package openapidoc_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/openapidoc"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// TestRealMerge harvests a province's folder of documents, which has six APIs
// in two versions or syntaxes, and looks how many entries come of it; a second
// harvest changes nothing.
func TestRealMerge(t *testing.T) {
	dir := sourcetest.Shared(t, "data/openapi/bcgov")
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	in := source.Input{Name: "bcgov", Files: os.DirFS(dir), Source: catalog.Source{ID: harvest.SourceID("bcgov"), Kind: openapidoc.Kind, Official: "the province's own specifications"}}
	first, err := harvest.Run(ctx, st, openapidoc.Connector{}, in, harvest.Options{Now: sourcetest.Now})
	if err != nil {
		t.Fatal(err)
	}
	if first.In != 18 || first.Created != 11 || first.Merged != 6 || first.Rejected != 1 {
		t.Errorf("first harvest: %s", first.Summary())
	}
	again, err := harvest.Run(ctx, st, openapidoc.Connector{}, in, harvest.Options{Now: sourcetest.Now.AddDate(0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if again.Created != 0 || again.Updated != 0 {
		t.Errorf("second harvest: %s", again.Summary())
	}
	err = st.View(ctx, func(tx catalog.Tx) error {
		return tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			if e.Name == "BC Laws" && len(e.Members) != 2 {
				t.Errorf("members of %s: %+v", e.Name, e.Members)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}
