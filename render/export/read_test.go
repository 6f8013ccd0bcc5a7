package export_test

import (
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/export/exporttest"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
)

func TestRecords(t *testing.T) {
	c := exporttest.Freeze(t, exporttest.Rows())
	want := exporttest.ReadJSON(t, render(t, c)[export.RouteJSON])
	if d := cmp.Diff(want, records(t, c)); d != "" {
		t.Error(d)
	}
	for range export.FullRows(c) {
		break
	}
}

func records(t *testing.T, c *snapshot.Catalog) []export.Record {
	t.Helper()
	var out []export.Record
	for cells, err := range export.FullRows(c) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *export.RecordOf((*export.Cells)(cells)))
	}
	return out
}

func TestSnapshotWithoutFragments(t *testing.T) {
	c := rendertest.Catalog(t)
	for _, err := range export.FullRows(c) {
		if !errors.Is(err, catalog.ErrInvalid) {
			t.Error(err)
		}
	}
	err := export.Aggregates(c, func(f artifact.File) error { return f.Stream(io.Discard) })
	if !errors.Is(err, catalog.ErrInvalid) {
		t.Error(err)
	}
}

func TestTagsInOneCell(t *testing.T) {
	for _, c := range []struct {
		tags []string
		cell string
	}{
		{[]string{}, ""}, {[]string{"a"}, "a"}, {[]string{"a", "b c"}, "a;b c"}, {[]string{"a;b", "c"}, "a,b;c"},
		{[]string{";"}, ","}, {[]string{";;", `a\;b`}, `,,;a\,b`},
	} {
		if got := export.JoinTags(c.tags); got != c.cell {
			t.Errorf("JoinTags(%q) = %q", c.tags, got)
		}
		if d := cmp.Diff(c.tags, export.SplitTags(c.cell)); d != "" {
			t.Error(d)
		}
	}
}
