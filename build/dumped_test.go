package build_test

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/dump"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/wire"
)

// TestTableFromParts: a large table is what a build from nothing makes, also where some of its parts are those of the site
// before, and takes little room beside them.
func TestTableFromParts(t *testing.T) {
	t.Cleanup(dump.Partition(10, 6, 3))
	r := register(t, 40)
	o := recorded(filepath.Join(tempDir(t), "snapshots"), r.Now)
	likeFromNothing(t, "first", r.Store, o)
	before := partSums(t, o.Out)
	mustChange(t, r, buildtest.Edit)
	o.At = r.Now
	likeFromNothing(t, "an edit", r.Store, o)
	after, kept := partSums(t, o.Out), 0
	for route, sum := range after {
		if before[route] == sum {
			kept++
		}
	}
	if len(after) < 5 || kept != len(after)-1 {
		t.Errorf("%d of %d parts stay after an edit", kept, len(after))
	}
	site := openSite(t, o.Out)
	in, err := site.Document(dump.RouteParquet)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	table, err := parquet.OpenFile(bytes.NewReader(body), int64(len(body)))
	if err != nil || table.NumRows() != int64(len(visible(t, r))) || len(table.RowGroups()) < 3 {
		t.Errorf("%d rows in %d groups of %d entries: %v", table.NumRows(), len(table.RowGroups()), len(visible(t, r)), err)
	}
	group, err := site.Pack.Group("document " + dump.RouteParquet)
	if err != nil || group == nil {
		t.Fatal(group, err)
	}
	if group.Size() > len(body)/2 {
		t.Errorf("the table of %d bytes takes %d beside its parts", len(body), group.Size())
	}
}

// partSums are the hashes of the parts of the table in a folder, by their routes.
func partSums(t *testing.T, folder string) map[string][32]byte {
	t.Helper()
	x, _ := openPack(t, folder)
	sums := map[string][32]byte{}
	err := x.Each(func(f *pack.Found) error {
		if route := f.Document.Route; strings.HasPrefix(route, wire.RouteParquetParts+"/") {
			sums[route] = f.Document.Sum
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}
