package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// capture is one captured file or folder of a publisher.
type capture struct {
	kind, path string
}

// captures lists every captured file with the connector that reads it. Folders
// that are one source are one capture.
func captures(t *testing.T, root string) []capture {
	t.Helper()
	list := []capture{{"api-gouv-fr", "api-gouv-fr"}, {"uk-api-catalogue", "uk-api-catalogue/catalogue.csv"},
		{"uk-api-catalogue", "uk-api-catalogue/catalogue_2024-12-03.csv"}, {"openapi", "mcp-registry/registry-openapi_2025-07.yaml"}}
	for _, family := range []struct {
		kind, folder string
		skip         func(name string) bool
	}{
		{"apisguru", "apisguru", nil}, {"ckan", "ckan", nil}, {"datajson", "datajson", nil}, {"ods", "ods", nil},
		{"dcat", "dcat", func(name string) bool { return !strings.Contains(name, "__") }}, {"dcat", "dcat-large", nil},
		{"mcp-registry", "mcp-registry", func(name string) bool {
			return strings.Contains(name, "openapi") || strings.Contains(name, "schema") || strings.Contains(name, "/server-json/")
		}},
		{"server-json", "mcp-registry/server-json", nil}, {"openapi", "openapi", nil}, {"socrata", "socrata", nil}, {"udata", "udata", nil},
	} {
		err := filepath.WalkDir(filepath.Join(root, family.folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || family.skip != nil && family.skip(path) {
				return err
			}
			rel, err := filepath.Rel(root, path)
			list = append(list, capture{family.kind, rel})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// harvestFile runs a capture as an official source of its own.
func harvestFile(t *testing.T, st catalog.Store, root string, c capture, at time.Time) harvest.Report {
	t.Helper()
	s := catalog.Source{ID: harvest.SourceID(c.path), Kind: c.kind, Title: c.path, URL: "https://capture.example/" + filepath.ToSlash(c.path),
		Official: "captured for a test", File: filepath.Join(root, c.path), CreatedAt: at, UpdatedAt: at}
	in, err := harvest.InputOf(s, false)
	if err != nil {
		t.Fatal(err)
	}
	r, err := harvest.Run(context.Background(), st, harvest.Connectors()[c.kind], in, harvest.Options{Now: at, Complete: true})
	// A file of which nothing is taken is told of, and no other.
	if errors.Is(err, harvest.ErrFruitless) != (r.Rejected == r.In) || err != nil && !errors.Is(err, harvest.ErrFruitless) {
		t.Errorf("%s: %d in, %d rejected: %v", c.path, r.In, r.Rejected, err)
	}
	if got := r.Created + r.Updated + r.Unchanged + r.Merged + r.Quarantined + r.Suppressed + r.Repeated + r.Rejected; got != r.In {
		t.Errorf("%s: %d in, %d with an outcome", c.path, r.In, got)
	}
	if by := 0; r.Rejected > 0 {
		for _, n := range r.RejectedBy {
			by += n
		}
		if by != r.Rejected {
			t.Errorf("%s: %d rejected, %d with a code", c.path, r.Rejected, by)
		}
	}
	return r
}

// wholeCountry is the capture that is larger than all others; a part of it, with the same quirks, is another one.
const wholeCountry = "dcat-large/belgium-full-2025-04.ttl.gz"

// TestEveryCapture harvests everything that publishers wrote, twice: each
// record has one outcome, and the second time nothing changes. ASSAY_SOAK=1
// takes the whole country, too.
func TestEveryCapture(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	root := sourcetest.Shared(t, "data")
	families := map[string]*harvest.Report{}
	var names []string
	for _, c := range captures(t, root) {
		family, _, _ := strings.Cut(c.path, string(filepath.Separator))
		if families[family] == nil {
			families[family] = &harvest.Report{}
			names = append(names, family)
		}
	}
	for _, family := range names {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			st, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "a.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			if err := harvest.LoadReference(context.Background(), st, sourcetest.Now); err != nil {
				t.Fatal(err)
			}
			sum := families[family]
			for _, c := range captures(t, root) {
				if f, _, _ := strings.Cut(c.path, string(filepath.Separator)); f != family {
					continue
				}
				if filepath.ToSlash(c.path) == wholeCountry && os.Getenv("ASSAY_SOAK") == "" {
					continue
				}
				first := harvestFile(t, st, root, c, sourcetest.Now)
				again := harvestFile(t, st, root, c, sourcetest.Now.Add(time.Hour))
				if again.In != first.In || again.Created+again.Updated+again.Quarantined > 0 || again.Missing > 0 || again.Rejected != first.Rejected {
					t.Errorf("%s harvested again: %+v, first %+v", c.path, brief(&again), brief(&first))
				}
				sum.In += first.In
				sum.Created += first.Created
				sum.Updated += first.Updated
				sum.Merged += first.Merged
				sum.Quarantined += first.Quarantined
				sum.Rejected += first.Rejected
			}
		})
	}
	t.Cleanup(func() {
		slices.Sort(names)
		var table strings.Builder
		total := 0
		for _, n := range names {
			r := families[n]
			fmt.Fprintf(&table, "\n%-18s in %6d = created %6d + updated %4d + merged %4d + quarantined %4d + rejected %4d", n, r.In, r.Created, r.Updated, r.Merged, r.Quarantined, r.Rejected)
			total += r.In
		}
		t.Logf("%d records%s", total, table.String())
	})
}

func brief(r *harvest.Report) string {
	return fmt.Sprintf("in %d, created %d, updated %d, unchanged %d, merged %d, quarantined %d, rejected %d, missing %d", r.In, r.Created, r.Updated,
		r.Unchanged, r.Merged, r.Quarantined, r.Rejected, r.Missing)
}
