package mcpregistry_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/mcpregistry"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// TestRealAdmission: of a whole registry nothing becomes public by itself, for
// no server in it is run by a public body.
func TestRealAdmission(t *testing.T) {
	dir := sourcetest.Shared(t, "data/mcp-registry")
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := harvest.LoadReference(ctx, st, sourcetest.Now); err != nil {
		t.Fatal(err)
	}
	for file, n := range map[string]int{"servers_2025-10-12.json.gz": 1126, "server-json/malkreide__zurich-opendata-mcp.server.json": 1} {
		in := source.Input{Name: file, Source: catalog.Source{ID: harvest.SourceID(file), Kind: mcpregistry.Kind},
			Open: func(context.Context) (io.ReadCloser, error) { return os.Open(filepath.Join(dir, file)) }}
		r, err := harvest.Run(ctx, st, mcpregistry.Connector{}, in, harvest.Options{Now: sourcetest.Now})
		if (err != nil) != (r.Rejected == n) {
			t.Fatalf("%s: %v", r.Summary(), err)
		}
		t.Logf("%s: %s", file, r.Summary())
		if r.In != n || r.Created != 0 || r.Quarantined+r.Merged+r.Rejected != n {
			t.Errorf("%s: %s", file, r.Summary())
		}
	}
}
